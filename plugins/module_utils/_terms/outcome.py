# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the work behind a module came to: all rooms return this, and the frame of modules shows it.

``objects`` are the module's own return values by name. ``actions`` are the API calls and commands that were made, or in
check mode would have been made; None means those that the client has made. ``diff`` has "before" and "after" and is
shown only when the user requested it. ``warnings`` are what a person has to know although the work succeeded.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

RESERVED = frozenset(
    {"changed", "actions", "diff", "failed", "msg", "error", "progress", "timeline", "invocation", "rc", "warnings"}
)
"""Names that every module's result has, or to which Ansible gives a meaning."""

DEFAULT_DELAY = 5.0
"""Seconds between two steps unless a step says otherwise."""


@dataclass(frozen=True)
class Result:
    """The outcome of work that is done in one go."""

    changed: bool = False
    objects: Mapping[str, t.Any] = field(default_factory=dict)
    actions: Sequence[Mapping[str, t.Any]] | None = None
    diff: Mapping[str, t.Any] | None = None
    warnings: Sequence[str] = ()

    def __post_init__(self) -> None:
        _require_free(self.objects)

    def as_data(self, *, with_diff: bool) -> dict[str, t.Any]:
        """Return the result as exit_json takes it."""
        actions = [dict(action) for action in self.actions or ()]
        shown: dict[str, t.Any] = {"changed": self.changed, "actions": actions, **self.objects}
        if with_diff and self.diff is not None:
            shown["diff"] = dict(self.diff)
        return shown


@dataclass(frozen=True)
class Step:
    """The outcome of one bounded look, or one bounded piece of work.

    ``sentence`` says in plain words where things stand; it is shown when it changes. ``next_delay`` is how many
    seconds may pass at most before the next step should be taken. With ``appointed`` nothing can be seen before.
    """

    sentence: str
    done: bool
    changed: bool = False
    objects: Mapping[str, t.Any] = field(default_factory=dict)
    actions: Sequence[Mapping[str, t.Any]] | None = None
    diff: Mapping[str, t.Any] | None = None
    next_delay: float = DEFAULT_DELAY
    appointed: bool = False
    warnings: Sequence[str] = ()

    def __post_init__(self) -> None:
        _require_free(self.objects)

    @property
    def result(self) -> Result:
        """The part that is no progress."""
        return Result(self.changed, self.objects, self.actions, self.diff, self.warnings)

    def progress(self) -> dict[str, t.Any]:
        """Return the part of a module's result that says whether another step is needed."""
        told = {"sentence": self.sentence, "done": self.done, "next_delay": self.next_delay}
        return {**told, "appointed": True} if self.appointed else told


def _require_free(names: Iterable[str]) -> None:
    taken = RESERVED & set(names)
    if taken:
        raise ValueError(f"reserved for every module's result: {', '.join(sorted(taken))}")
