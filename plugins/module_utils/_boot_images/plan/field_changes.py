# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Changes of single fields of a document, which can be carried out, undone and sent as a JSON patch (RFC 6902)."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import malformed

Maybe = t.Union[tuple[()], tuple[t.Any]]
"""A value that may be absent: empty, or a tuple of the value alone."""

Path = tuple[t.Union[str, int], ...]


@dataclass(frozen=True)
class FieldChange:
    """``before`` and ``after`` of the field at ``path``, the keys and positions that lead to it."""

    path: Path
    before: Maybe
    after: Maybe

    def as_data(self) -> dict[str, t.Any]:
        """Return the change as history keeps it: an absent value has no key."""
        shown: dict[str, t.Any] = {"path": list(self.path)}
        for name, maybe in (("before", self.before), ("after", self.after)):
            if maybe:
                shown[name] = maybe[0]
        return shown

    @classmethod
    def of_data(cls, found: Mapping[str, t.Any]) -> FieldChange:
        """Return the change that ``as_data`` wrote; raise MalformedError for anything else."""
        path = found.get("path")
        if not isinstance(path, list) or not path or not all(_is_step(step) for step in path):
            raise malformed(("path",), path, "a list of keys and positions")
        return cls(tuple(path), _maybe(found, "before"), _maybe(found, "after"))


def field_change(document: Mapping[str, t.Any], path: Path, after: Maybe) -> FieldChange:
    """Return the change that makes the field at ``path`` of ``document`` be ``after``."""
    return FieldChange(path, value_at(document, path), after)


def value_at(document: object, path: Path) -> Maybe:
    """Return the value at ``path``, nothing where it is absent."""
    held: t.Any = document
    for step in path:
        found = _within(held, step)
        if not found:
            return ()
        held = found[0]
    return (held,)


def _within(holder: object, step: str | int) -> Maybe:
    if isinstance(holder, Mapping):
        return (holder[step],) if step in holder else ()
    if isinstance(holder, list) and isinstance(step, int):
        return (holder[step],) if 0 <= step < len(holder) else ()
    return ()


def json_patch(root: Sequence[str], changes: Sequence[FieldChange]) -> list[dict[str, t.Any]]:
    """Return the operations that carry out ``changes`` of the document at ``root`` within an object."""
    return [operation for change in changes for operation in _operations(tuple(root), change)]


def _operations(root: tuple[str, ...], change: FieldChange) -> list[dict[str, t.Any]]:
    pointer = "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in (*root, *change.path))
    if not change.after:
        return [{"op": "remove", "path": pointer}] if change.before else []
    operation = "replace" if change.before else "add"
    return [{"op": operation, "path": pointer, "value": change.after[0]}]


def _maybe(found: Mapping[str, t.Any], name: str) -> Maybe:
    return (found[name],) if name in found else ()


def _is_step(step: object) -> bool:
    return isinstance(step, (str, int)) and not isinstance(step, bool)
