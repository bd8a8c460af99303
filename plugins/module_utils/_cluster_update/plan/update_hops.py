# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which updates of a bundle's path a cluster still has to take, and after which of them its workers may wait."""

from __future__ import annotations

import typing as t
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.errors import UpdateBlockedError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import ReleaseVersion
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.update_path import (
    PathEdge,
    RiskRule,
    UpdateRisk,
    hops_from,
    risk_sentences,
)

Facts = Mapping[str, t.Any]

EVEN_SKEW, ODD_SKEW = 2, 1
"""How many minor versions kubelets may be behind an even and an odd minor version of OpenShift.

Source: openshift/cluster-kube-apiserver-operator ``pkg/operator/kubeletversionskewcontroller``.
"""


@dataclass(frozen=True)
class UpdateHop:
    """One update: ``target`` distinguishes it from the other updates of its bundle.

    With ``holds_workers`` the pools of workers stay paused until a later update. ``unaccepted`` are sentences about
    known risks that the site does not accept.
    """

    version: str
    release: str
    target: str
    holds_workers: bool = False
    unaccepted: tuple[str, ...] = ()

    def as_data(self) -> dict[str, t.Any]:
        """Return the update as playbooks take it."""
        return {
            "version": self.version,
            "release": self.release,
            "target": self.target,
            "holds_workers": self.holds_workers,
            "unaccepted": [*self.unaccepted],
        }


def update_hops(bundle: Facts, history: Sequence[Facts], accepted_risks: Collection[str] = ()) -> list[UpdateHop]:
    """Return what is left of the path of a ``bundle``, as ``release_bundle_info`` reports it; never nothing.

    ``history`` is that of ClusterVersion, the newest entry first. An update in progress comes first, and so does one
    that is complete after which workers may not wait: some of them may not have it yet. Raises UpdateBlockedError if
    the path of several releases does not lead on from what the cluster runs.
    """
    edges = [_edge(entry) for entry in bundle["update_path"]]
    releases = {release["version"]: release for release in bundle["releases"]}
    origin, current, versions = _position(edges, history, bundle["version"])
    if len(releases) > 1 and not versions:
        raise _off_the_path(bundle, edges, current)
    begun = {entry["version"] for entry in history}
    held = _held(origin, [edge.end for edge in hops_from(edges, origin)])
    if current in held and not held[current] and versions[0] != current:
        versions = [current, *versions]
    leading = {edge.end: edge for start in (origin, current) for edge in hops_from(edges, start)}
    return [
        UpdateHop(
            version=version,
            release=releases[version]["release"],
            target=_target(bundle, releases[version]),
            holds_workers=held.get(version, False),
            unaccepted=() if version in begun else _unaccepted(leading.get(version), accepted_risks),
        )
        for version in versions or [bundle["version"]]
    ]


def may_wait(worker_minor: int, next_minor: int) -> bool:
    """Whether workers may stay at a minor version while the cluster is updated to the next one."""
    return next_minor - worker_minor <= (ODD_SKEW if next_minor % 2 else EVEN_SKEW)


def _position(edges: Sequence[PathEdge], history: Sequence[Facts], target: str) -> tuple[str, str, list[str]]:
    """Return where the cluster has entered the path, what it runs, and the versions that are left, if it is on it."""
    completed = [str(entry["version"]) for entry in history if entry["state"] == "Completed"]
    current = completed[0] if completed else ""
    passing = [one for one in dict.fromkeys(completed) if current in {one, *_ends(edges, one)}]
    origin = max(passing, key=lambda one: len(hops_from(edges, one)), default=current)
    under_way = str(history[0]["version"]) if history and history[0]["state"] != "Completed" else ""
    if target in (current, under_way):
        return origin, current, [target]
    if under_way in _ends(edges, current):
        return origin, current, [under_way, *_ends(edges, under_way)]
    return origin, current, _ends(edges, current)


def _ends(edges: Sequence[PathEdge], version: str) -> list[str]:
    return [edge.end for edge in hops_from(edges, version)]


def _held(origin: str, ends: Sequence[str]) -> dict[str, bool]:
    """Return for each version of a path that begins at ``origin`` whether workers wait after it."""
    held: dict[str, bool] = {}
    workers = ReleaseVersion.parse(origin)
    for version, following in zip(ends, [*ends[1:], ""]):
        after = ReleaseVersion.parse(following)
        held[version] = workers is not None and after is not None and may_wait(workers.minor, after.minor)
        workers = workers if held[version] else ReleaseVersion.parse(version)
    return held


def _edge(entry: Facts) -> PathEdge:
    risks = tuple(
        UpdateRisk(one["name"], one["message"], one["url"], tuple(RiskRule(**rule) for rule in one["rules"]))
        for one in entry["risks"]
    )
    return PathEdge(entry["from"], entry["to"], risks)


def _unaccepted(edge: PathEdge | None, accepted: Collection[str]) -> tuple[str, ...]:
    if edge is None:
        return ()
    left = tuple(risk for risk in edge.risks if risk.name not in accepted)
    return tuple(risk_sentences([PathEdge(edge.start, edge.end, left)]))


def _target(bundle: Facts, release: Facts) -> str:
    """Return the identity of an update: that of the bundle if it is the only one, else that of the release image."""
    only = len(bundle["releases"]) == 1
    return str(bundle["index_digest"] if only else release["release"].rpartition("@")[2])


def _off_the_path(bundle: Facts, edges: Sequence[PathEdge], current: str) -> UpdateBlockedError:
    starts = [edge.start for edge in edges]
    return UpdateBlockedError(
        "find the cluster on the update path of the bundle",
        on=str(bundle["index_digest"]),
        seen=f"the cluster runs {current or 'no release completely'}, and the path leads to {bundle['version']} from "
        f"{', '.join(starts) or 'no version'}",
        advice="Build a bundle with update_from set to the version of the cluster.",
    )
