# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Waiting as a loop of bounded steps, the same in a module and in the action plugin that shows its progress."""

from __future__ import annotations

import typing as t
from collections.abc import Callable
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    API,
    DeadlineExceededError,
    FieldOpsError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import DEFAULT_DELAY, Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

FIRST_DELAY = 0.5
PATIENCE = 4
"""A pause is no longer than a quarter of the wait so far: what is soon done is soon seen, and long waits ask seldom."""

REFUSAL_GRACE = 30.0
"""Seconds for which a refusal of an API that has granted a step before is taken for an outage: a server that has just
started answers 401, 403 and 404 until it has read its roles and custom resources."""


@dataclass(frozen=True)
class Waiting:
    """What a module can wait for: ``goal`` continues the sentence "Could not wait until ...", ``on`` reaches it."""

    goal: str
    on: str


class Observer(t.Protocol):
    """Receives the progress of a wait."""

    def saw(self, sentence: str) -> None:
        """Take note of where things stand; called after every step, with the same sentence as long as it holds."""


class Timeline:
    """An observer that keeps every change of sentence with its instant, for the result."""

    def __init__(self, deadline: Deadline) -> None:
        self.deadline = deadline
        self._clock = deadline.clock
        self.entries: list[dict[str, str]] = []

    def saw(self, sentence: str) -> None:
        """Keep ``sentence`` if it differs from the last one."""
        if not self.entries or self.entries[-1]["sentence"] != sentence:
            self.entries.append({"at": timestamp(self._clock.utcnow()), "sentence": sentence})


def follow(take_step: Callable[[], Step], *, waiting: Waiting, deadline: Deadline, observer: Observer) -> Step:
    """Take steps until one is done and return it.

    Errors that are transient, such as an API that is away
    while its node reboots, count as steps that are not done; others end the wait, those of an API only once they last.
    A young wait takes the next step sooner than the last one requested, unless that gave an appointment. Raise
    DeadlineExceededError with the last sentence when the deadline passes; its partial result is that of the last step.
    """
    last = Step(sentence="nothing was observed yet", done=False)
    patience = _Patience(deadline)
    while True:
        try:
            last = take_step()
            patience.was_granted()
        except FieldOpsError as error:
            if not patience.may_pass(error):
                raise
            last = replace(last, sentence=str(error), done=False, next_delay=DEFAULT_DELAY, appointed=False)
        observer.saw(last.sentence)
        if last.done:
            return last
        if deadline.expired:
            raise DeadlineExceededError(
                f"wait until {waiting.goal}",
                on=waiting.on,
                seen=f"after {deadline.elapsed:.0f} s the last state was: {last.sentence}",
                advice="Check the named cause, then run this again. It continues from the current state.",
                partial=last.result.as_data(with_diff=False),
            )
        soon = max(FIRST_DELAY, deadline.elapsed / PATIENCE)
        deadline.pause(last.next_delay if last.appointed else min(last.next_delay, soon))


class _Patience:
    """Separates errors that may pass from those that end a wait."""

    def __init__(self, deadline: Deadline) -> None:
        self._deadline = deadline
        self._granted = False
        self._refused: float | None = None

    def was_granted(self) -> None:
        """Take note of a step that went through."""
        self._granted = True
        self._refused = None

    def may_pass(self, error: FieldOpsError) -> bool:
        """Whether an error is transient, or may be the answer of an API server that has just started."""
        if error.transient:
            self._refused = None
            return True
        if error.kind != API or not self._granted:
            return False
        if self._refused is None:
            self._refused = self._deadline.elapsed
        return self._deadline.elapsed - self._refused < REFUSAL_GRACE
