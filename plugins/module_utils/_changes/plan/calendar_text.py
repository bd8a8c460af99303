# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The maintenance calendar as text: for each resource how it stands and its next windows."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import (
    Window,
    windows_from,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import DAY, LAST_INSTANT
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.time_lengths import describe_seconds

if t.TYPE_CHECKING:
    from collections.abc import Iterable

    from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import Judged

MOST_WINDOWS = 500
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


@dataclass(frozen=True)
class CalendarRow:
    """One resource of the calendar: ``windows`` are cut at the calendar's end, an endless one has no end."""

    title: str
    sentence: str
    permitted: bool
    windows: tuple[Window, ...]


@dataclass(frozen=True)
class MaintenanceCalendar:
    """The windows of all resources from ``start`` for ``days`` days."""

    start: int
    days: int
    rows: tuple[CalendarRow, ...]
    alerts: tuple[str, ...] = ()

    @property
    def end(self) -> int:
        """Return the first instant after the calendar."""
        return min(self.start + self.days * DAY, LAST_INSTANT)


def maintenance_calendar(
    judged: Iterable[Judged], now: int, days: int, alerts: Iterable[str] = ()
) -> MaintenanceCalendar:
    """Return the calendar of resources from ``now`` on; ``alerts`` are what is wrong with the documents."""
    end = min(now + days * DAY, LAST_INSTANT)
    return MaintenanceCalendar(now, days, tuple(_row(one, now, end) for one in judged), tuple(alerts))


def _row(judged: Judged, now: int, end: int) -> CalendarRow:
    windows: list[Window] = []
    for window in windows_from(judged.governed.timeline, now):
        if window.start >= end or len(windows) == MOST_WINDOWS:
            break
        windows.append(window)
    return CalendarRow(judged.resource.name.title, judged.state.sentence, judged.state.permitted, tuple(windows))


def calendar_text(calendar: MaintenanceCalendar) -> str:
    """Return the calendar in lines for a terminal or a mail; all times are UTC."""
    lines = [f"Maintenance calendar from {written(calendar.start)} for {calendar.days} days. All times are UTC.", ""]
    lines += [*(f"Wrong: {alert}" for alert in calendar.alerts), ""] if calendar.alerts else []
    for row in calendar.rows:
        lines += [row.title, f"  {row.sentence}"]
        lines += [f"  {described(window)}" for window in row.windows]
        if not row.windows:
            lines.append("  no window in this time")
        lines.append("")
    return "\n".join(lines)


def written(instant: int) -> str:
    """Return an instant for people, with its weekday: ``Sat 2026-11-21 20:00``."""
    moment = _EPOCH + timedelta(seconds=instant)
    seconds = f":{moment.second:02}" if moment.second else ""
    return f"{_WEEKDAYS[moment.weekday()]} {moment.date().isoformat()} {moment.hour:02}:{moment.minute:02}{seconds}"


def described(window: Window) -> str:
    """Return a window in a line."""
    if window.end is None:
        return f"{written(window.start)} without an end"
    return f"{written(window.start)} until {written(window.end)} ({describe_seconds(window.end - window.start)})"


_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
