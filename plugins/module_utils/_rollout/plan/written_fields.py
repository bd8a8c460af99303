# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who wrote a field of an object last and when, as the API server itself keeps it in managedFields."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

UNSCHEDULABLE = ("f:spec", "f:unschedulable")


@dataclass(frozen=True)
class Writer:
    """A program as it names itself to the server, and the server's time of its last write in whole seconds."""

    manager: str
    at: str

    @property
    def words(self) -> str:
        """Return who and when as a phrase."""
        return f"{self.manager} at {self.at}" if self.at else self.manager


def writer_of(obj: Mapping[str, t.Any], path: Sequence[str]) -> Writer | None:
    """Return who owns the field at ``path`` (in the server's notation, ``f:spec``, ``f:unschedulable``).

    Source: sigs.k8s.io/structured-merge-diff, fieldpath/serialize.go, FieldsV1.
    """
    entries = [one for one in obj["metadata"].get("managedFields") or [] if _covers(one.get("fieldsV1") or {}, path)]
    if not entries:
        return None
    newest = max(entries, key=lambda one: one.get("time") or "")
    return Writer(str(newest.get("manager") or "an unknown program"), str(newest.get("time") or ""))


def _covers(owned: t.Any, path: Sequence[str]) -> bool:
    for part in path:
        if not isinstance(owned, dict) or part not in owned:
            return False
        owned = owned[part]
    return True
