# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Who wrote a field of an object: the server's own record of it, ``metadata.managedFields``."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import Document
    from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_changes import Path


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
    """Return who owns the field at ``path``, or what it stands in, the latest writer first.

    Source: sigs.k8s.io/structured-merge-diff, fieldpath/serialize.go (``f:`` begins the name of a field).
    """
    found = [
        Writer(str(entry.get("manager", "")), str(entry.get("operation", "")), str(entry.get("time", "")))
        for entry in managed_fields
        if _covers(entry.get("fieldsV1"), path)
    ]
    return tuple(sorted(found, key=lambda writer: writer.at, reverse=True))


def _covers(fields: object, path: Path) -> bool:
    for position, step in enumerate(path):
        if not isinstance(fields, Mapping):
            return False
        if position and not fields:
            return True
        # What the server has no schema of is one value from a list on.
        if isinstance(step, int):
            return not fields or any(str(key).startswith(("k:", "i:", "v:")) for key in fields)
        fields = fields.get(f"f:{step}")
    return isinstance(fields, Mapping)
