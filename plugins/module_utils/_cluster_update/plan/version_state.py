# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""What the ClusterVersion object says about the release of a cluster."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import Condition, conditions_of

if t.TYPE_CHECKING:
    from collections.abc import Mapping

_UNREPORTED = Condition(type="", status="Unknown")


@dataclass(frozen=True)
class HistoryEntry:
    """One update of ``status.history``: ``state`` is ``Completed`` or ``Partial``, ``completed`` empty meanwhile."""

    state: str
    version: str
    image: str
    started: str
    completed: str
    verified: bool


@dataclass(frozen=True)
class VersionState:
    """The release at the moment the object was read; ``history`` is newest first.

    Source: openshift/api, config/v1/types_cluster_version.go.
    """

    cluster_id: str
    channel: str
    desired_version: str
    desired_image: str
    history: tuple[HistoryEntry, ...]
    available: Condition
    progressing: Condition
    failing: Condition
    release_accepted: Condition
    upgradeable: Condition

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
        return cls(
            cluster_id=spec.get("clusterID", ""),
            channel=spec.get("channel", ""),
            desired_version=desired.get("version", ""),
            desired_image=desired.get("image", ""),
            history=tuple(_history_entry(entry) for entry in status.get("history") or ()),
            available=conditions.get("Available", _UNREPORTED),
            progressing=conditions.get("Progressing", _UNREPORTED),
            failing=conditions.get("Failing", _UNREPORTED),
            release_accepted=conditions.get("ReleaseAccepted", _UNREPORTED),
            upgradeable=conditions.get("Upgradeable", _UNREPORTED),
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
