# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Two writers of one boot image: have others undone what was written here, and how often?

Source of the limit: machine-config-operator, pkg/controller/bootimage, HotLoopLimit.
"""

from __future__ import annotations

import typing as t
from collections.abc import Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_changes import value_at
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_writers import (
    Writer,
    leaves_of,
    writers_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_entries import (
    REVERT,
    UPDATE,
    HistoryEntry,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
    MachineResource,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import FIELD_MANAGER

LIMIT = 3
"""Times that one image is written against others before this collection stops."""


@dataclass(frozen=True)
class Contest:
    """``rounds`` is how often the same image was written here and replaced again; ``others`` who writes that field."""

    rounds: int = 0
    others: tuple[Writer, ...] = ()

    @property
    def is_fight(self) -> bool:
        """Whether to stop."""
        return self.rounds >= LIMIT

    @property
    def opponent(self) -> str:
        """Who wrote last besides this collection, as far as the server knows."""
        return self.others[0].manager if self.others else "an unknown user"


NO_CONTEST = Contest()


def contest_of(resource: MachineResource, entries: Sequence[HistoryEntry]) -> Contest:
    """Return who contests the image of a resource; ``entries`` are its history, the oldest first."""
    made = [entry for entry in entries if entry.applied and entry.kind in (UPDATE, REVERT)]
    if not made or resource.provider is None:
        return NO_CONTEST
    last = made[-1]
    if last.kind != UPDATE or all(value_at(resource.provider, c.path) == c.after for c in last.changes):
        return NO_CONTEST
    rounds = 0
    for entry in reversed(made):
        if entry.kind != UPDATE or _written(entry) != _written(last):
            break
        rounds += 1
    found = [
        writer
        for change in last.changes
        for path in leaves_of(change)
        for writer in writers_of(resource.managed_fields, (*resource.root, *path))
    ]
    others = {writer: None for writer in found if writer.manager != FIELD_MANAGER}
    return Contest(rounds, tuple(sorted(others, key=lambda writer: writer.at, reverse=True)))


def _written(entry: HistoryEntry) -> list[tuple[t.Any, ...]]:
    return [(change.path, change.after) for change in entry.changes]
