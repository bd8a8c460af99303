# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Instants as whole seconds and dates as whole days since 1970-01-01T00:00Z, and how they are written.

Everything in this room is UTC and integers: no time zone, no floating point, no present moment.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError, quoted

DAY = 86400
EPOCH_ORDINAL = date(1970, 1, 1).toordinal()
EPOCH_WEEKDAY = 3
"""1970-01-01 was a Thursday; Monday is 0."""

FIRST_INSTANT = (1 - EPOCH_ORDINAL) * DAY
LAST_DAY = date.max.toordinal() - EPOCH_ORDINAL
LAST_INSTANT = (LAST_DAY + 1) * DAY - 1
"""Nothing later can be written in RFC 3339, which has four digits for the year."""

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_INSTANT = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2}:\d{2})(?:\.\d{1,9})?(?:[Zz]|([+-])(\d{2}):(\d{2}))", re.ASCII
)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_INSTANT_RULE = "Use an RFC 3339 timestamp with its offset, such as '2026-11-21T20:00:00Z'."
_DATE_RULE = "Use a date as YYYY-MM-DD, such as '2026-12-24'."


def read_instant(value: object, field: str) -> int:
    """Return an RFC 3339 text, or a datetime as YAML makes of an unquoted one, as seconds; fractions are cut off.

    Raise PolicyError for anything else, above all for a time without offset, which could mean any zone.
    """
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise PolicyError(field, f"{value.isoformat()} has no offset from UTC", _INSTANT_RULE)
        return _within_calendar((value - _EPOCH) // timedelta(seconds=1), value, field)
    found = _INSTANT.fullmatch(value) if isinstance(value, str) else None
    if not found:
        raise PolicyError(field, f"{quoted(value)} is not a timestamp with an offset", _INSTANT_RULE)
    day, clock, sign, hours, minutes = found.groups()
    try:
        local = datetime.strptime(f"{day} {clock}", "%Y-%m-%d %H:%M:%S").replace(tzinfo=timezone.utc)
    except ValueError as error:
        raise PolicyError(field, f"{quoted(value)} does not exist", _INSTANT_RULE) from error
    if sign and (int(hours) > 23 or int(minutes) > 59):
        raise PolicyError(field, f"{quoted(value)} has an offset of more than a day", _INSTANT_RULE)
    offset = (int(hours) * 3600 + int(minutes) * 60) * (-1 if sign == "-" else 1) if sign else 0
    return _within_calendar((local - _EPOCH) // timedelta(seconds=1) - offset, value, field)


def _within_calendar(instant: int, value: object, field: str) -> int:
    if not FIRST_INSTANT <= instant <= LAST_INSTANT:
        raise PolicyError(field, f"{quoted(value)} is outside the years 1 to 9999 in UTC", _INSTANT_RULE)
    return instant


def write_instant(instant: int) -> str:
    """Return ``instant`` as RFC 3339 in UTC; it must not be later than LAST_INSTANT."""
    return f"{(_EPOCH + timedelta(seconds=instant)).replace(tzinfo=None).isoformat()}Z"


def read_date(value: object, field: str) -> int:
    """Return a date as days; raise PolicyError for anything that is none."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value.toordinal() - EPOCH_ORDINAL
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        raise PolicyError(field, f"{quoted(value)} is not a date", _DATE_RULE)
    try:
        return date(*(int(part) for part in value.split("-"))).toordinal() - EPOCH_ORDINAL
    except ValueError as error:
        raise PolicyError(field, f"{quoted(value)} does not exist", _DATE_RULE) from error


def write_date(day: int) -> str:
    """Return ``day`` as YYYY-MM-DD."""
    return date.fromordinal(day + EPOCH_ORDINAL).isoformat()
