# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""What a watch tells, and the memory that turns a fresh list into the changes that were missed."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import Answer

ADDED = "ADDED"
MODIFIED = "MODIFIED"
DELETED = "DELETED"
SYNCED = "SYNCED"
"""Everything there was has been told; sent after each list, without an object."""
OUTAGE = "OUTAGE"
"""The API is away, ``answer`` says how; sent once for each outage, without an object."""
RESUMED = "RESUMED"
"""The outage is over; sent before what changed meanwhile, without an object."""


@dataclass(frozen=True)
class WatchEvent:
    """One event: a change of an ``object``, whose last known state it is for DELETED, or news of the watch itself."""

    type: str
    object: Mapping[str, t.Any] | None = field(default=None, repr=False)
    answer: Answer | None = None


class KnownObjects:
    """The last state told of every object, by namespace and name."""

    def __init__(self) -> None:
        self._objects: dict[tuple[str, str], Mapping[str, t.Any]] = {}

    def replaced_by(self, items: Iterable[Mapping[str, t.Any]]) -> list[WatchEvent]:
        """Take ``items`` for all there is now and return what changed, deletions first.

        An object of the same name but another uid is another object: the old one was deleted.
        """
        fresh = {_key(item): item for item in items}
        gone = [WatchEvent(DELETED, old) for key, old in self._objects.items() if not _same(old, fresh.get(key))]
        changed = []
        for key, item in fresh.items():
            old = self._objects.get(key)
            if old is None or not _same(old, item):
                changed.append(WatchEvent(ADDED, item))
            elif _metadata(old).get("resourceVersion") != _metadata(item).get("resourceVersion"):
                changed.append(WatchEvent(MODIFIED, item))
        self._objects = dict(fresh)
        return gone + changed

    def told(self, event_type: str, item: Mapping[str, t.Any]) -> WatchEvent:
        """Take in one event of the server and return it."""
        if event_type == DELETED:
            self._objects.pop(_key(item), None)
        else:
            self._objects[_key(item)] = item
        return WatchEvent(event_type, item)


def _metadata(item: Mapping[str, t.Any]) -> Mapping[str, t.Any]:
    return t.cast("Mapping[str, t.Any]", item.get("metadata") or {})


def _key(item: Mapping[str, t.Any]) -> tuple[str, str]:
    metadata = _metadata(item)
    return str(metadata.get("namespace") or ""), str(metadata.get("name") or "")


def _same(old: Mapping[str, t.Any], new: Mapping[str, t.Any] | None) -> bool:
    return new is not None and _metadata(old).get("uid") == _metadata(new).get("uid")
