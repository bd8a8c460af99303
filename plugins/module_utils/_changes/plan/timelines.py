# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Permission over time: at any instant whether change is permitted, until when, and why.

Everything is half-open: a window holds its first instant and not its end. Windows that touch or overlap are one.
"""

from __future__ import annotations

import typing as t
from bisect import bisect_right
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import (
    DAY,
    LAST_INSTANT,
    write_instant,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.selected_dates import (
    DateRule,
    selected_dates,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.time_lengths import describe_seconds

PERMISSIVE = "Permissive"
RESTRICTIVE = "Restrictive"
SCHEDULE = "MaintenanceSchedule"

INDEFINITE = "indefinite"
NEVER_OPENS = "never_opens"
FAULT = "fault"

_MANY_HOPS = 32
LONGEST_REASONS = 1000
"""They are part of annotations and of every answer, and those of a thousand exclusions would not fit."""

LocalTime = t.Callable[[int], str]
"""Writes an instant as the clock on the wall has it, in brackets after the one in UTC."""


def no_local_time(instant: int) -> str:  # noqa: ARG001
    """Leave it at UTC."""
    return ""


@dataclass(frozen=True)
class Span:
    """A stretch of time without change: ``until`` is the first instant at which it is otherwise, None for never.

    For a restriction without end ``outlook`` says what kind it is: meant to last (INDEFINITE), a schedule that never
    opens, or a document at fault.
    """

    permitted: bool
    until: int | None = None
    outlook: str = INDEFINITE


@dataclass(frozen=True)
class Reason:
    """Why change is permitted or restricted: a word for programs, a clause for people, the strategy in effect."""

    code: str
    text: str
    strategy: str


class Timeline(t.Protocol):
    """Permission over time."""

    def at(self, instant: int) -> Span:
        """Return what holds at ``instant`` and until when."""

    def why(self, instant: int) -> Reason:
        """Return the reason for what holds at ``instant``."""


@dataclass(frozen=True)
class Always:
    """The same at every instant."""

    permitted: bool
    reason: Reason
    outlook: str = INDEFINITE

    def at(self, instant: int) -> Span:  # noqa: ARG002
        """Return a span without end."""
        return Span(self.permitted, None, self.outlook)

    def why(self, instant: int) -> Reason:  # noqa: ARG002
        """Return the one reason."""
        return self.reason


@dataclass(frozen=True)
class Windows:
    """Permitted from ``start`` seconds after midnight of each selected date for ``duration`` seconds, else not."""

    rule: DateRule
    start: int
    duration: int
    name: str = ""

    def at(self, instant: int) -> Span:
        """Return the window around ``instant``, or the wait for the next one."""
        dates = selected_dates(self.rule)
        day = (instant - self.start) // DAY
        # All windows are equally long, so the one that began last is the one that ends last.
        latest = dates.last_until(day)
        if latest is not None and instant < latest * DAY + self.start + self.duration:
            return Span(True, self._end_of_run(latest))
        following = dates.next_from(day + 1)
        if following is None:
            return Span(False, None, NEVER_OPENS)
        return Span(False, following * DAY + self.start)

    def why(self, instant: int) -> Reason:
        """Return that the schedule is open, closed, or never opens."""
        span = self.at(instant)
        if span.permitted:
            return Reason(SCHEDULE, f"the maintenance schedule{self.name} is open", SCHEDULE)
        if span.until is None:
            return Reason("NeverOpens", f"the maintenance schedule{self.name} never opens", SCHEDULE)
        return Reason(SCHEDULE, f"the maintenance schedule{self.name} is closed", SCHEDULE)

    def _end_of_run(self, day: int) -> int | None:
        """Return where the run of touching windows ends that ``day`` belongs to, None if it never does."""
        dates = selected_dates(self.rule)
        hops = 0
        while True:
            following = dates.next_from(day + 1)
            if following is None or (following - day) * DAY > self.duration:
                end = day * DAY + self.start + self.duration
                return end if end <= LAST_INSTANT else None
            day = following
            hops += 1
            if hops == _MANY_HOPS and self.duration >= dates.longest_gap * DAY:
                return None


@dataclass(frozen=True)
class Exclusion:
    """A stretch of whole days in which nothing is permitted; ``until`` is its first instant after."""

    start: int
    until: int
    reason: str = ""


@dataclass(frozen=True)
class Excluding:
    """What ``base`` permits, without the exclusions; these are apart from each other and in order, see ``united``."""

    base: Timeline
    exclusions: tuple[Exclusion, ...]
    _starts: list[int] = field(init=False, repr=False, compare=False, default_factory=list)

    def __post_init__(self) -> None:
        self._starts.extend(exclusion.start for exclusion in self.exclusions)

    def at(self, instant: int) -> Span:
        """Return what is left of the base's permission; the tail of a window beyond an excluded day stays."""
        inside = self._around(instant)
        if inside:
            return self._closed_until(inside.until)
        span = self.base.at(instant)
        if not span.permitted:
            return span if span.until is None else self._closed_until(span.until)
        place = bisect_right(self._starts, instant)
        ahead = self._starts[place] if place < len(self._starts) else None
        ends = [end for end in (span.until, ahead) if end is not None]
        return Span(True, min(ends) if ends else None)

    def why(self, instant: int) -> Reason:
        """Return the exclusion around ``instant``, else the base's reason."""
        inside = self._around(instant)
        if not inside:
            return self.base.why(instant)
        note = f" ({inside.reason})" if inside.reason else ""
        days = f"{write_instant(inside.start)[:10]} until before {write_instant(min(inside.until, LAST_INSTANT))[:10]}"
        return Reason("Excluded", f"the dates from {days} are excluded{note}", self.base.why(instant).strategy)

    def _around(self, instant: int) -> Exclusion | None:
        place = bisect_right(self._starts, instant) - 1
        found = self.exclusions[place] if place >= 0 else None
        return found if found and instant < found.until else None

    def _closed_until(self, instant: int) -> Span:
        """Return the restriction that lasts until the first permission at or after ``instant``."""
        while True:
            inside = self._around(instant)
            if inside:
                instant = inside.until
            if instant > LAST_INSTANT:
                return Span(False, None, NEVER_OPENS)
            span = self.base.at(instant)
            if span.permitted:
                return Span(False, instant)
            if span.until is None:
                return span
            instant = span.until
            if not self._around(instant):
                return Span(False, instant)


def united(exclusions: t.Iterable[Exclusion]) -> tuple[Exclusion, ...]:
    """Return exclusions in order, those that overlap or touch as one with the reasons of all."""
    merged: list[Exclusion] = []
    for one in sorted(exclusions, key=lambda exclusion: (exclusion.start, exclusion.until)):
        if merged and one.start <= merged[-1].until:
            last = merged.pop()
            merged.append(Exclusion(last.start, max(last.until, one.until), _joined(last.reason, one.reason)))
        else:
            merged.append(one)
    return tuple(merged)


def _joined(reasons: str, reason: str) -> str:
    if not reason or reason in reasons or len(reasons) >= LONGEST_REASONS:
        return reasons
    joined = f"{reasons}, {reason}" if reasons else reason
    return joined if len(joined) <= LONGEST_REASONS else f"{joined[: LONGEST_REASONS - 3]}..."


def exclusions_within(timeline: Timeline, start: int, end: int) -> tuple[Exclusion, ...]:
    """Return the exclusions below a timeline that touch the time from ``start`` until before ``end``."""
    while isinstance(timeline, During):
        timeline = timeline.then
    found = timeline.exclusions if isinstance(timeline, Excluding) else ()
    return tuple(one for one in found if one.start < end and one.until > start)


@dataclass(frozen=True)
class During:
    """``first`` from ``start`` until before ``end``, either of which may be missing; else what ``then`` says."""

    start: int | None
    end: int | None
    first: bool
    then: Timeline
    reason: Reason

    def at(self, instant: int) -> Span:
        """Return the state at that time. It lasts longer if the next one continues it."""
        if self.start is not None and instant < self.start:
            return self._before(instant, self.start)
        if self.end is None:
            return Span(self.first)
        if instant >= self.end:
            return self.then.at(instant)
        following = self.then.at(self.end)
        if following.permitted == self.first:
            return following
        return Span(self.first, self.end, following.outlook)

    def why(self, instant: int) -> Reason:
        """Return the reason of the state that holds."""
        inside = (self.start is None or self.start <= instant) and (self.end is None or instant < self.end)
        return self.reason if inside else self.then.why(instant)

    def _before(self, instant: int, start: int) -> Span:
        span = self.then.at(instant)
        if span.until is not None and span.until < start:
            return span
        return self.at(start) if span.permitted == self.first else Span(span.permitted, start)


def sentence(span: Span, reason: Reason, instant: int | None, local: LocalTime = no_local_time) -> str:
    """Return in one line what ``span``, seen at ``instant``, means: permitted or not, why, until when in both times.

    Without an instant it does not say for how long, and stays true on a page that is read later.
    """
    state = "change is permitted" if span.permitted else "change is restricted"
    if span.until is None:
        ending = "without an end" if span.permitted else _NO_OPENING[span.outlook]
    else:
        length = f", for {describe_seconds(span.until - instant)}" if instant is not None else ""
        ending = f"until {write_instant(span.until)}{local(span.until)}{length}"
    return f"{state}: {reason.text}, {ending}"


_NO_OPENING = {
    INDEFINITE: "until it is changed",
    NEVER_OPENS: "and no window will ever open",
    FAULT: "until that is corrected",
}
