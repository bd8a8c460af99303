# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The reversion: which changes of a resource are undone, and what its provider's specification then is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import Document
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_changes import (
    FieldChange,
    Maybe,
    Path,
    value_at,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_entries import (
    FIRST_SEEN,
    REVERT,
    HistoryEntry,
    StubChange,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import NO_IMAGE, Image
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of

PREVIOUS = "previous"
ORIGINAL = "original"


@dataclass(frozen=True)
class Reversion:
    """``changes`` bring the image of ``target`` back, none if it is there; ``stubs`` were converted since.

    ``reason`` is why there is no reversion; then everything else is empty.
    """

    changes: tuple[FieldChange, ...] = ()
    target: Image = NO_IMAGE
    stubs: tuple[StubChange, ...] = ()
    reason: str = ""


def check_destination(to: str) -> str:
    """Return ``to`` if it names a point in history: previous, original, an instant, or the id of an entry."""
    if to in (PREVIOUS, ORIGINAL) or instant_of(to) or _is_id(to):
        return to
    raise InvalidInputError(
        "revert boot images",
        on="revert_to",
        seen=f"{to[:60]!r} is not a point in the history",
        advice="Use previous, original, a timestamp such as 2026-11-21T22:00:00Z, or the id of an entry.",
    )


def reversion_of(provider: Document, entries: Sequence[HistoryEntry], to: str) -> Reversion:
    """Return the reversion to ``to``; ``entries`` are the history of the resource, the oldest first.

    Previous is what was there before the last change by anyone that was not a reversion, so that asking twice changes
    nothing the second time. An instant is what was there then; an id is what was there before that entry.
    """
    undone = _undone(provider, [entry for entry in entries if entry.kind != FIRST_SEEN], to)
    if not undone:
        return Reversion(reason="its history contains no change that can be reverted")
    wanted: dict[Path, Maybe] = {}
    for entry in undone:
        for change in entry.changes:
            wanted.setdefault(change.path, change.before)
    changes = []
    for path, value in wanted.items():
        if not value_at(provider, path[:-1]):
            return Reversion(reason=f"{'.'.join(map(str, path[:-1]))} no longer exists")
        found = value_at(provider, path)
        if found != value:
            changes.append(FieldChange(path, found, value))
    stubs = {entry.stub.secret: entry.stub for entry in reversed(undone) if entry.stub}
    return Reversion(tuple(changes), undone[0].before, tuple(stubs.values()))


def _undone(provider: Document, entries: Sequence[HistoryEntry], to: str) -> Sequence[HistoryEntry]:
    if to == ORIGINAL:
        return entries
    instant = instant_of(to)
    if instant:
        return [entry for entry in entries if (instant_of(entry.at) or instant) >= instant]
    if to == PREVIOUS:
        return _since_last_change(provider, entries)
    if to not in {entry.id for entry in entries}:
        return ()
    return [entry for entry in entries if entry.id >= to]


def _since_last_change(provider: Document, entries: Sequence[HistoryEntry]) -> Sequence[HistoryEntry]:
    for position in range(len(entries) - 1, -1, -1):
        entry = entries[position]
        never_made = not entry.applied and all(value_at(provider, c.path) == c.before for c in entry.changes)
        if entry.kind != REVERT and not never_made:
            return entries[position:]
    return ()


def _is_id(text: str) -> bool:
    instant, dash, mark = text.rpartition("-")
    return bool(dash) and len(instant) == 23 and len(mark) == 10 and instant.endswith("Z")
