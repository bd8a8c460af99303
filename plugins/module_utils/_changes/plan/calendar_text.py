# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The maintenance calendar: what is wrong, what waits, and for each resource how it stands and its windows; as text.

It is read later than it is written: nothing in it is relative to the present.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import (
    Window,
    transitions_before,
    windows_from,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import (
    DAY,
    LAST_INSTANT,
    read_instant,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import Judged
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import (
    Exclusion,
    LocalTime,
    Timeline,
    exclusions_within,
    no_local_time,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.time_lengths import describe_seconds

MOST_WINDOWS = 500
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


@dataclass(frozen=True)
class CalendarRow:
    """One resource of the calendar: ``windows`` are cut at the calendar's end, an endless one has no end.

    ``waiting`` says which change is pending, since when, and when it can start; it is empty for none.
    """

    key: str
    title: str
    sentence: str
    permitted: bool
    at_fault: bool
    windows: tuple[Window, ...]
    exclusions: tuple[Exclusion, ...] = ()
    waiting: str = ""


@dataclass(frozen=True)
class MaintenanceCalendar:
    """The windows of all resources from ``start`` for ``days`` days; ``local`` writes the time on the wall."""

    start: int
    days: int
    rows: tuple[CalendarRow, ...]
    alerts: tuple[str, ...] = ()
    local: LocalTime = no_local_time

    @property
    def end(self) -> int:
        """Return the first instant after the calendar."""
        return min(self.start + self.days * DAY, LAST_INSTANT)

    @property
    def wrong(self) -> list[str]:
        """Return in a line each what must be corrected: documents, and resources that these restrict."""
        return [*self.alerts, *(f"{row.title}: {row.sentence}" for row in self.rows if row.at_fault)]

    @property
    def waiting(self) -> list[str]:
        """Return in a line each which changes are pending."""
        return [f"{row.title}: {row.waiting}" for row in self.rows if row.waiting]


def maintenance_calendar(
    judged: Iterable[Judged], now: int, days: int, alerts: Iterable[str] = (), local: LocalTime = no_local_time
) -> MaintenanceCalendar:
    """Return the calendar of resources from ``now`` on; ``alerts`` are what is wrong with the documents."""
    empty = MaintenanceCalendar(now, days, (), tuple(alerts), local)
    return replace(empty, rows=tuple(_row(one, empty) for one in judged))


def _row(judged: Judged, calendar: MaintenanceCalendar) -> CalendarRow:
    windows: list[Window] = []
    timeline = judged.governed.timeline
    for window in windows_from(timeline, calendar.start):
        if window.start >= calendar.end or len(windows) == MOST_WINDOWS:
            break
        windows.append(window)
    if windows and windows[0].start == calendar.start:
        windows[0] = replace(windows[0], start=_begun(timeline, calendar.start))
    return CalendarRow(
        judged.resource.name.key,
        judged.resource.name.title,
        judged.state.lasting,
        judged.state.permitted,
        judged.state.is_at_fault,
        tuple(windows),
        exclusions_within(timeline, calendar.start, calendar.end),
        _waiting(judged, calendar.local),
    )


def _begun(timeline: Timeline, now: int) -> int:
    """Return when the window around ``now`` began: one that is open stays the same from look to look."""
    found = transitions_before(timeline, now, 1)
    return found[-1][0] if found else now


def _waiting(judged: Judged, local: LocalTime) -> str:
    resource, state, opening = judged.resource, judged.state, judged.waiting_until
    if not resource.pending:
        return ""
    since = read_instant(resource.pending_since, "since") if resource.pending_since else None
    told = f", since {written(since)}{local(since)}" if since is not None else ""
    if state.permitted:
        end = state.next_transition
        may = "it can start now" + ("" if end is None else f" until {written(end)}{local(end)}")
    elif opening is None:
        may = "no window is known"
    else:
        may = f"it can start at {written(opening)}{local(opening)}"
    return f"{resource.pending_reason}{told}; {may}"


def calendar_text(calendar: MaintenanceCalendar) -> str:
    """Return the calendar in lines for a terminal or a mail."""
    start = f"{written(calendar.start)}{calendar.local(calendar.start)}"
    lines = [f"Maintenance calendar from {start} for {calendar.days} days. Times are UTC.", ""]
    lines += [*(f"Wrong: {line}" for line in calendar.wrong), ""] if calendar.wrong else []
    lines += [*(f"Pending: {line}" for line in calendar.waiting), ""] if calendar.waiting else []
    for row in calendar.rows:
        lines += [row.title, f"  {row.sentence}"]
        lines += [f"  {described(window, calendar.local)}" for window in row.windows]
        if not row.windows:
            lines.append("  no window in this time")
        lines += [f"  {excluded(one)}" for one in row.exclusions]
        lines.append("")
    return "\n".join(lines)


def written(instant: int) -> str:
    """Return an instant for people, with its weekday: ``Sat 2026-11-21 20:00``."""
    moment = _EPOCH + timedelta(seconds=instant)
    seconds = f":{moment.second:02}" if moment.second else ""
    return f"{_WEEKDAYS[moment.weekday()]} {moment.date().isoformat()} {moment.hour:02}:{moment.minute:02}{seconds}"


def described(window: Window, local: LocalTime = no_local_time) -> str:
    """Return a window in a line."""
    start = f"{written(window.start)}{local(window.start)}"
    if window.end is None:
        return f"{start} without an end"
    return f"{start} until {written(window.end)}{local(window.end)} ({describe_seconds(window.end - window.start)})"


def excluded(one: Exclusion) -> str:
    """Return an exclusion in a line: its dates, both included, and why."""
    first, last = written(one.start)[:-6], written(min(one.until, LAST_INSTANT + 1) - DAY)[:-6]
    dates = first if first == last else f"{first} to {last}"
    return f"excluded: {dates}{f', {one.reason}' if one.reason else ''}"


_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
