# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The answer to "may I change now?": state, reason, the next transition, the next windows and the five metrics.

Names and meanings of the metrics: openshift/enhancements pull request 1571, "Change Management Metrics".
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import (
    DAY,
    LAST_INSTANT,
    write_instant,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import (
    FAULT,
    INDEFINITE,
    PERMISSIVE,
    RESTRICTIVE,
    SCHEDULE,
    LocalTime,
    Reason,
    Span,
    Timeline,
    no_local_time,
    sentence,
)

METRICS = (
    "change_management_change_pending",
    "change_management_next_change_eta",
    "change_management_permissive_remaining",
    "change_management_last_change",
    "change_management_strategy_enabled",
)
LABELLED_STRATEGIES = (SCHEDULE, PERMISSIVE, RESTRICTIVE)

_LOOK_BACK_DAYS = (2, 8, 32, 128, 512, 1000)
_NOW, _INDEFINITELY, _NOT_COMPUTABLE = 0, -1, -2
_NONE_PENDING, _INITIATED, _BLOCKED = 0, 1, 2


@dataclass(frozen=True)
class Window:
    """A permitted stretch of time; ``end`` is its first instant after, None when it has none."""

    start: int
    end: int | None

    def as_data(self) -> dict[str, t.Any]:
        """Return the window as filters and modules show it."""
        end = self.end
        return {
            "start": write_instant(self.start),
            "end": None if end is None else write_instant(end),
            "seconds": None if end is None else end - self.start,
        }


@dataclass(frozen=True)
class Question:
    """What is asked of a timeline: at ``instant``, with so many ``windows``; ``pending`` is whether a change waits."""

    instant: int
    windows: int = 3
    pending: bool = True
    local: LocalTime = no_local_time


@dataclass(frozen=True)
class ChangeState:
    """What holds at an instant; the numbers are those of the metrics, in seconds.

    ``lasting`` is the sentence without what is true at that instant only.
    """

    instant: int
    permitted: bool
    reason: Reason
    sentence: str
    lasting: str
    next_transition: int | None
    next_change_eta: int
    permissive_remaining: int
    last_change: int
    change_pending: int
    windows: tuple[Window, ...]

    @property
    def is_at_fault(self) -> bool:
        """Whether documents at fault restrict it, or a schedule that never opens."""
        return self.next_change_eta == _NOT_COMPUTABLE

    @property
    def strategy_enabled(self) -> dict[str, int]:
        """Return 1 for the strategy in effect and 0 for the others."""
        return {strategy: int(strategy == self.reason.strategy) for strategy in LABELLED_STRATEGIES}

    def as_data(self) -> dict[str, t.Any]:
        """Return the state as the filter and the modules show it."""
        return {
            "permitted": self.permitted,
            "reason": self.sentence,
            "reason_code": self.reason.code,
            "strategy": self.reason.strategy,
            "now": write_instant(self.instant),
            "next_transition": None if self.next_transition is None else write_instant(self.next_transition),
            "next_windows": [window.as_data() for window in self.windows],
            "change_management_change_pending": self.change_pending,
            "change_management_next_change_eta": self.next_change_eta,
            "change_management_permissive_remaining": self.permissive_remaining,
            "change_management_last_change": self.last_change,
            "change_management_strategy_enabled": self.strategy_enabled,
        }


def change_state(timeline: Timeline, question: Question) -> ChangeState:
    """Return the answer to ``question`` about ``timeline``."""
    now = question.instant
    span = timeline.at(now)
    reason = timeline.why(now)
    return ChangeState(
        instant=now,
        permitted=span.permitted,
        reason=reason,
        sentence=sentence(span, reason, now, question.local),
        lasting=sentence(span, reason, None, question.local),
        next_transition=span.until,
        next_change_eta=_next_change_eta(span, now),
        permissive_remaining=_permissive_remaining(span, now),
        last_change=_last_change(timeline, span, now),
        change_pending=(_INITIATED if span.permitted else _BLOCKED) if question.pending else _NONE_PENDING,
        windows=tuple(first_windows(timeline, now, question.windows)) if span.permitted or span.until else (),
    )


def windows_from(timeline: Timeline, instant: int) -> Iterator[Window]:
    """Yield the windows from ``instant`` on; one that is open then begins at ``instant``."""
    moment: int | None = instant
    while moment is not None and moment <= LAST_INSTANT:
        span = timeline.at(moment)
        if span.permitted:
            yield Window(moment, span.until)
        moment = span.until


def first_windows(timeline: Timeline, instant: int, count: int) -> Iterator[Window]:
    """Yield at most ``count`` windows from ``instant`` on."""
    if count > 0:
        for number, window in enumerate(windows_from(timeline, instant), 1):
            yield window
            if number == count:
                return


def transitions_before(timeline: Timeline, instant: int, count: int) -> list[tuple[int, Span]]:
    """Return the last ``count`` transitions up to ``instant``, oldest first, each with the span that it began.

    They are looked for within 1000 days, by what the documents say today: they may have been different then.
    """
    found: list[tuple[int, Span]] = []
    for days in _LOOK_BACK_DAYS:
        found = []
        earlier = timeline.at(instant - days * DAY)
        moment = earlier.until
        while moment is not None and moment <= instant:
            span = timeline.at(moment)
            found.append((moment, span))
            moment = span.until
        if len(found) >= count:
            break
    return found[-count:]


def _next_change_eta(span: Span, now: int) -> int:
    if span.permitted:
        return _NOW
    if span.until is None:
        return _INDEFINITELY if span.outlook == INDEFINITE else _NOT_COMPUTABLE
    return span.until - now


def _permissive_remaining(span: Span, now: int) -> int:
    if not span.permitted:
        return _NOT_COMPUTABLE if span.until is None and span.outlook == FAULT else 0
    return _INDEFINITELY if span.until is None else span.until - now


def _last_change(timeline: Timeline, span: Span, now: int) -> int:
    if span.permitted:
        return 0
    ended = [instant for instant, begun in transitions_before(timeline, now, 1) if not begun.permitted]
    return max(1, now - ended[-1]) if ended else -1
