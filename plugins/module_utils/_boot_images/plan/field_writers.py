# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who wrote a field of an object: the server's own record of it, ``metadata.managedFields``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import Document
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_changes import (
    FieldChange,
    Path,
)

NOT_OWNED = -1


@dataclass(frozen=True)
class Writer:
    """A field manager, how it wrote (``Apply`` or ``Update``) and when last, in RFC 3339."""

    manager: str
    operation: str
    at: str

    def as_data(self) -> dict[str, str]:
        """Return it as results show it."""
        return {"manager": self.manager, "operation": self.operation, "at": self.at}


def writers_of(managed_fields: Sequence[Document], path: Path) -> tuple[Writer, ...]:
    """Return who owns the field at ``path``, or else what it stands in, the latest writer first.

    Who owns the field itself comes alone: an owner of the mapping around it only keeps that mapping there, and the
    times of managed fields are whole seconds, so that they often do not show who was the later one.
    Source: sigs.k8s.io/structured-merge-diff, fieldpath/serialize.go (``f:`` begins the name of a field).
    """
    depths = [_owned_depth(entry.get("fieldsV1"), path) for entry in managed_fields]
    nearest = max(depths, default=NOT_OWNED)
    found = [
        Writer(str(entry.get("manager", "")), str(entry.get("operation", "")), str(entry.get("time", "")))
        for entry, depth in zip(managed_fields, depths)
        if depth == nearest != NOT_OWNED
    ]
    return tuple(sorted(found, key=lambda writer: writer.at, reverse=True))


def leaves_of(change: FieldChange) -> list[Path]:
    """Return the fields that were written; who owns no more than the mapping that they stand in wrote none of them."""
    value = change.after[0] if change.after else None
    if isinstance(value, Mapping) and value:
        return [(*change.path, str(name)) for name in value]
    return [change.path]


def _owned_depth(fields: object, path: Path) -> int:
    """Return how many steps of ``path`` these fields own, or NOT_OWNED where they own another part of the object."""
    for position, step in enumerate(path):
        if not isinstance(fields, Mapping):
            return NOT_OWNED
        if position and not fields:
            return position
        # What the server has no schema of is one value from a list on.
        if isinstance(step, int):
            in_list = not fields or any(str(key).startswith(("k:", "i:", "v:")) for key in fields)
            return position if in_list else NOT_OWNED
        fields = fields.get(f"f:{step}")
    return len(path) if isinstance(fields, Mapping) else NOT_OWNED
