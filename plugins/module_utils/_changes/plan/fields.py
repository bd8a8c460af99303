# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Values of a document from outside, each with its path, so that every complaint can name the field and the rule."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import (
    MOST_COMPLAINTS,
    PolicyError,
    gathered,
    quoted,
)

MOST_ENTRIES = 1000
"""Longest list that is read; a policy that needs more days is a mistake or an attack."""

Read = t.TypeVar("Read")


class Field:
    """One value; ``path`` is where it stands, such as ``spec.maintenanceSchedule.permit.duration``."""

    def __init__(self, path: str, value: object) -> None:
        self.path = path
        self.value = value

    @property
    def is_set(self) -> bool:
        """Whether it is there at all; null is the same as absent."""
        return self.value is not None

    def broken(self, seen: str, rule: str) -> PolicyError:
        """Return the error for this field."""
        return PolicyError(self.path, seen, rule)

    def require(self) -> Field:
        """Return the field itself; raise PolicyError when it is absent."""
        if not self.is_set:
            raise self.broken("it is missing", "Set it.")
        return self

    def mapping(self, *known: str) -> dict[str, Field]:
        """Return the members by name, absent ones too; raise PolicyError for others than ``known`` ones."""
        members = self._members(known)
        self._refuse_others(known)
        return members

    def parts(self, **readings: Callable[[Field], t.Any]) -> list[t.Any]:
        """Return what each of ``readings`` makes of the member of its name, absent ones too.

        Raise PolicyError with everything that is wrong: members of other names, and what the readings complain about.
        """
        members = self._members(readings)
        of_members = (partial(reading, members[name]) for name, reading in readings.items())
        _nothing, *read = gathered(partial(self._refuse_others, readings), *of_members)
        return read

    def each(self, reading: Callable[[Field], Read]) -> list[Read]:
        """Return what ``reading`` makes of each entry of a list; raise PolicyError with everything that is wrong."""
        return gathered(*(partial(reading, entry) for entry in self.require().entries()))

    def optional(self, reading: Callable[[Field], Read]) -> Read | None:
        """Return what ``reading`` makes of the field, None where it is absent."""
        return reading(self) if self.is_set else None

    def _members(self, known: t.Iterable[str]) -> dict[str, Field]:
        if not isinstance(self.value, Mapping):
            raise self.broken(f"{quoted(self.value)} is not a mapping", f"Use a mapping of {', '.join(known)}.")
        return {key: Field(f"{self.path}.{key}", self.value.get(key)) for key in known}

    def _refuse_others(self, known: t.Collection[str]) -> None:
        rule = f"Use one of {', '.join(known)}."
        unknown = [
            PolicyError(f"{self.path}.{key}"[:200], "there is no such field", rule)
            for key in t.cast("Mapping[str, t.Any]", self.value)
            if key not in known
        ]
        if unknown:
            raise PolicyError(unknown[0].on, unknown[0].seen, rule, tuple(unknown[1:MOST_COMPLAINTS]))

    def entries(self) -> list[Field]:
        """Return the entries of a list; raise PolicyError unless it is one with one entry or more."""
        if not isinstance(self.value, Sequence) or isinstance(self.value, (str, bytes)):
            raise self.broken(f"{quoted(self.value)} is not a list", "Use a list.")
        if not 0 < len(self.value) <= MOST_ENTRIES:
            raise self.broken(f"it has {len(self.value)} entries", f"Use between 1 and {MOST_ENTRIES} entries.")
        return [Field(f"{self.path}[{position}]", entry) for position, entry in enumerate(self.value)]

    def text(self, longest: int = 1000) -> str:
        """Return a text; raise PolicyError unless it is one of 1 to ``longest`` characters."""
        if not isinstance(self.value, str) or not 0 < len(self.value) <= longest:
            raise self.broken(f"{quoted(self.value)} is not a string", f"Use a string of at most {longest} characters.")
        return str(self.value)

    def number(self, least: int, most: int) -> int:
        """Return a whole number; raise PolicyError unless it is within both bounds."""
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not least <= self.value <= most:
            raise self.broken(f"{quoted(self.value)} is out of range", f"Use a whole number from {least} to {most}.")
        return int(self.value)

    def one_of(self, known: t.Iterable[str]) -> str:
        """Return one of the ``known`` words; raise PolicyError for others."""
        names = list(known)
        if not isinstance(self.value, str) or self.value not in names:
            raise self.broken(f"{quoted(self.value)} is not supported", f"Use one of {', '.join(names)}.")
        return str(self.value)
