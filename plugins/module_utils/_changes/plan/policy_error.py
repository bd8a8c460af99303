# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The error of a policy or stanza that breaks a rule: it names the field and the rule."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

MOST_COMPLAINTS = 10
"""So many are in a message; findings have them all."""


class PolicyError(InvalidInputError):
    """A document about change management is invalid; ``on`` is the path of the field, ``advice`` the rule.

    Callers that ask whether change is permitted treat it as a restriction: nothing fails open.

    Action: Correct the named field in the stanza, policy or override as the message states.
    """

    kind = "invalid_policy"

    def __init__(self, field: str, seen: str, rule: str, others: tuple[PolicyError, ...] = ()) -> None:
        also = "".join(f" Also {one.on}: {one.seen}. {one.advice}" for one in others[: MOST_COMPLAINTS - 1])
        if len(others) >= MOST_COMPLAINTS:
            also += f" And {len(others) - MOST_COMPLAINTS + 1} more."
        super().__init__("read change management", on=field, seen=seen, advice=f"{rule}{also}")
        self.rule = rule
        self.others = others

    @property
    def all(self) -> tuple[PolicyError, ...]:
        """Return every complaint by itself."""
        return (PolicyError(self.on, self.seen, self.rule), *self.others)

    def findings(self) -> list[dict[str, str]]:
        """Return the parts of every complaint as filters and modules show them."""
        return [{"field": one.on, "seen": one.seen, "rule": one.rule} for one in self.all]


def gathered(*readings: t.Callable[[], t.Any]) -> list[t.Any]:
    """Return what all ``readings`` give; raise PolicyError with the complaints of all that have one."""
    read: list[t.Any] = []
    errors: list[PolicyError] = []
    for reading in readings:
        found, error = _tried(reading)
        read.append(found)
        errors += error
    if errors:
        first, *others = errors
        raise PolicyError(first.on, first.seen, first.rule, tuple(others))
    return read


def _tried(reading: t.Callable[[], t.Any]) -> tuple[t.Any, tuple[PolicyError, ...]]:
    try:
        return reading(), ()
    except PolicyError as error:
        return None, error.all


def quoted(value: object) -> str:
    """Return ``value`` for a message, shortened: it comes from outside."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
