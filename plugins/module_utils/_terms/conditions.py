# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Status conditions, the common form in which Kubernetes objects report their state."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Condition:
    """One entry of ``status.conditions``; ``status`` is ``True``, ``False`` or ``Unknown``.

    Source: Kubernetes API conventions, "Typical status properties".
    """

    type: str
    status: str
    reason: str = ""
    message: str = ""
    last_transition: str = ""

    @property
    def is_true(self) -> bool:
        """Whether the condition holds; unknown does not count as holding."""
        return self.status == "True"


def conditions_of(obj: Mapping[str, t.Any]) -> dict[str, Condition]:
    """Return the conditions of an API object by type; an object without status has none."""
    found = (obj.get("status") or {}).get("conditions") or []
    return {
        entry["type"]: Condition(
            type=entry["type"],
            status=entry.get("status", "Unknown"),
            reason=entry.get("reason") or "",
            message=entry.get("message") or "",
            last_transition=entry.get("lastTransitionTime") or "",
        )
        for entry in found
    }
