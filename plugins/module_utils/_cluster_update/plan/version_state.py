# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the ClusterVersion object says about the release of a cluster."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import Condition, conditions_of

_UNREPORTED = Condition(type="", status="Unknown")


@dataclass(frozen=True)
class HistoryEntry:
    """An update of ``status.history``: ``state`` is ``Completed`` or ``Partial``, ``completed`` empty until then."""

    state: str
    version: str
    image: str
    started: str
    completed: str
    verified: bool


@dataclass(frozen=True)
class Risk:
    """What the update service holds against an update; ``name`` is one word."""

    name: str
    message: str
    url: str


@dataclass(frozen=True)
class KnownUpdate:
    """A release to which the cluster version operator knows a path; ``risks`` are empty where it is recommended."""

    version: str
    image: str
    risks: tuple[Risk, ...] = ()


@dataclass(frozen=True)
class VersionState:
    """The release at the moment the object was read; ``history`` is newest first.

    ``requested_image``, ``requested_version`` and ``request_forced`` are of ``spec.desiredUpdate``. ``observed`` says
    whether the operator has seen the present spec. ``upgradeable_causes`` are its findings where it has several;
    otherwise ``upgradeable`` is the only one. Source: openshift/api, config/v1/types_cluster_version.go.
    """

    cluster_id: str
    channel: str
    desired_version: str
    desired_image: str
    history: tuple[HistoryEntry, ...]
    progressing: Condition
    failing: Condition
    release_accepted: Condition
    upgradeable: Condition
    upgradeable_causes: tuple[Condition, ...] = ()
    invalid: Condition = _UNREPORTED
    requested_image: str = ""
    requested_version: str = ""
    request_forced: bool = False
    observed: bool = True
    known_updates: tuple[KnownUpdate, ...] = ()
    resource_version: str = ""

    @property
    def current_version(self) -> str:
        """Return the release that was last reached completely, empty while the cluster is being installed."""
        return next((entry.version for entry in self.history if entry.state == "Completed"), "")

    @classmethod
    def of(cls, obj: Mapping[str, t.Any]) -> VersionState:
        """Return the state of a ClusterVersion object of API version config.openshift.io/v1."""
        spec = obj.get("spec") or {}
        status = obj.get("status") or {}
        conditions = conditions_of(obj)
        desired = status.get("desired") or {}
        request = spec.get("desiredUpdate") or {}
        metadata = obj.get("metadata") or {}
        return cls(
            cluster_id=spec.get("clusterID", ""),
            channel=spec.get("channel", ""),
            desired_version=desired.get("version", ""),
            desired_image=desired.get("image", ""),
            history=tuple(_history_entry(entry) for entry in status.get("history") or ()),
            progressing=conditions.get("Progressing", _UNREPORTED),
            failing=conditions.get("Failing", _UNREPORTED),
            release_accepted=conditions.get("ReleaseAccepted", _UNREPORTED),
            upgradeable=conditions.get("Upgradeable", _UNREPORTED),
            upgradeable_causes=tuple(
                one for name, one in conditions.items() if name.startswith("Upgradeable") and name != "Upgradeable"
            ),
            invalid=conditions.get("Invalid", _UNREPORTED),
            requested_image=request.get("image") or "",
            requested_version=request.get("version") or "",
            request_forced=bool(request.get("force", False)),
            observed=status.get("observedGeneration", 0) >= metadata.get("generation", 0),
            known_updates=_known_updates(status),
            resource_version=metadata.get("resourceVersion", ""),
        )


def _known_updates(status: Mapping[str, t.Any]) -> tuple[KnownUpdate, ...]:
    recommended = [_known(release, ()) for release in status.get("availableUpdates") or ()]
    conditional = [
        _known(one.get("release") or {}, one.get("risks") or ()) for one in status.get("conditionalUpdates") or ()
    ]
    return (*recommended, *conditional)


def _known(release: Mapping[str, t.Any], risks: t.Iterable[Mapping[str, t.Any]]) -> KnownUpdate:
    return KnownUpdate(
        version=release.get("version", ""),
        image=release.get("image", ""),
        risks=tuple(Risk(one.get("name", ""), one.get("message", ""), one.get("url", "")) for one in risks),
    )


def _history_entry(entry: Mapping[str, t.Any]) -> HistoryEntry:
    return HistoryEntry(
        state=entry.get("state", ""),
        version=entry.get("version", ""),
        image=entry.get("image", ""),
        started=entry.get("startedTime") or "",
        completed=entry.get("completionTime") or "",
        verified=bool(entry.get("verified", False)),
    )
