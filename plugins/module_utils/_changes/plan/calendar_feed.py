# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The maintenance calendar as a feed that calendars of people subscribe to (RFC 5545).

Each window is an event in UTC, each exclusion one of whole days. An event has the same UID in each run for as long as
it means the same, so that calendars move it and do not double it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import date

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.calendar_text import (
    CalendarRow,
    MaintenanceCalendar,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import Window
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import (
    DAY,
    EPOCH_ORDINAL,
    write_instant,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import Exclusion

_PRODUCT = "-//fieldops.openshift//maintenance calendar//EN"
_MOST_OCTETS = 75


def calendar_feed(calendar: MaintenanceCalendar, title: str) -> str:
    """Return the feed, its lines folded and ended as the format has it."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:{_PRODUCT}",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{_text(title)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "X-PUBLISHED-TTL:PT1H",
        *(line for row in calendar.rows for line in _events(calendar, row)),
        "END:VCALENDAR",
    ]
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _events(calendar: MaintenanceCalendar, row: CalendarRow) -> Iterator[str]:
    for window in row.windows:
        yield from _event(calendar, _window(calendar, row, window), f"Change permitted: {row.title}", row.sentence)
    for one in row.exclusions:
        yield from _event(calendar, _excluded(row, one), f"No change: {row.title}", one.reason)


def _event(calendar: MaintenanceCalendar, when: list[str], summary: str, description: str) -> Iterator[str]:
    yield "BEGIN:VEVENT"
    yield from when
    yield f"DTSTAMP:{_moment(calendar.start)}"
    yield f"SUMMARY:{_text(summary)}"
    if description:
        yield f"DESCRIPTION:{_text(description)}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def _window(calendar: MaintenanceCalendar, row: CalendarRow, window: Window) -> list[str]:
    end = calendar.end if window.end is None else window.end
    return [_uid(row, f"window {window.start}"), f"DTSTART:{_moment(window.start)}", f"DTEND:{_moment(end)}"]


def _excluded(row: CalendarRow, one: Exclusion) -> list[str]:
    dates = (f"DTSTART;VALUE=DATE:{_date(one.start)}", f"DTEND;VALUE=DATE:{_date(one.until)}")
    return [_uid(row, f"exclusion {one.start}"), *dates]


def _uid(row: CalendarRow, what: str) -> str:
    return f"UID:{hashlib.sha256(f'{row.key} {what}'.encode()).hexdigest()[:32]}@fieldops.openshift"


def _moment(instant: int) -> str:
    return write_instant(instant).replace("-", "").replace(":", "")


def _date(instant: int) -> str:
    return date.fromordinal(min(instant // DAY + EPOCH_ORDINAL, date.max.toordinal())).isoformat().replace("-", "")


def _text(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,")
    return "\\n".join(escaped.splitlines())


def _folded(line: str) -> str:
    """Return a line in pieces of at most 75 octets, none of which cuts a character."""
    pieces, piece = [], ""
    for character in line:
        if len(f"{piece}{character}".encode()) > _MOST_OCTETS:
            pieces.append(piece)
            piece = " "
        piece += character
    return "\r\n".join([*pieces, piece])
