# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The one error tree: every failure says what was attempted, on what, what was seen and what to do next."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

ErrorT = t.TypeVar("ErrorT", bound="FieldOpsError")
API = "api"
"""The kind of an error that is an answer of a cluster's API."""


class FieldOpsError(Exception):
    """Base of every error that this collection raises on purpose.

    ``attempted`` continues the sentence "Could not ...", ``on`` names the object it was attempted on, ``seen`` quotes
    what was observed instead, ``advice`` is a full sentence that says what a person should do next. ``partial`` is
    what was already achieved; it becomes part of the module's result. ``transient`` is true when the same attempt may
    succeed later without anyone changing anything, so that a bounded wait may continue.
    """

    kind: str = "error"

    def __init__(
        self,
        attempted: str,
        *,
        on: str,
        seen: str,
        advice: str,
        partial: Mapping[str, t.Any] | None = None,
        transient: bool = False,
    ) -> None:
        self.attempted = attempted
        self.on = on
        self.seen = seen
        self.advice = advice
        self.partial: dict[str, t.Any] = dict(partial or {})
        self.transient = transient
        super().__init__(f"Could not {attempted} on {on}: {seen.rstrip('.')}. {advice}")

    def as_data(self) -> dict[str, t.Any]:
        """Return the parts of this error by name, ``kind`` included: how it stands in results and travels."""
        names = ("kind", "attempted", "on", "seen", "advice", "partial", "transient")
        return {name: getattr(self, name) for name in names}

    @classmethod
    def from_data(cls: type[ErrorT], data: Mapping[str, t.Any]) -> ErrorT:
        """Return an error of this class with the parts, and the ``kind``, of one that happened elsewhere.

        ``data`` is what ``as_data`` returned there; parts that are missing or damaged are empty.
        """
        attempted, on, seen, advice = (str(data.get(name, "")) for name in ("attempted", "on", "seen", "advice"))
        partial = data.get("partial")
        error = cls(
            attempted,
            on=on,
            seen=seen,
            advice=advice,
            partial=partial if isinstance(partial, dict) else None,
            transient=data.get("transient") is True,
        )
        error.kind = str(data.get("kind", cls.kind))
        return error


class InvalidInputError(FieldOpsError):
    """An option, a file or a document is invalid; ``on`` names the field, ``advice`` states the rule."""

    kind = "invalid_input"


class MissingRequirementError(FieldOpsError):
    """A required program or library is missing or has an unusable version."""

    kind = "missing_requirement"


class DeadlineExceededError(FieldOpsError):
    """A time limit was reached before the work ended or the awaited state was there."""

    kind = "deadline_exceeded"
