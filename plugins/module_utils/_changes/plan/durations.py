# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lengths and times of day as policies write them."""

from __future__ import annotations

import re
from fractions import Fraction

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError, quoted

LONGEST_DURATION = (1 << 63) // 10**9
"""Seconds in the longest duration of Go, which counts nanoseconds in 64 bits; 292 years."""

_UNITS = {
    "ns": Fraction(1, 10**9),
    "us": Fraction(1, 10**6),
    "\u00b5s": Fraction(1, 10**6),
    "\u03bcs": Fraction(1, 10**6),
    "ms": Fraction(1, 1000),
    "s": Fraction(1),
    "m": Fraction(60),
    "h": Fraction(3600),
}
_PART = r"(?:[0-9]{1,19}(?:\.[0-9]{0,9})?|\.[0-9]{1,9})(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h)"
_DURATION = re.compile(rf"\+?(?:{_PART})+")
_PARTS = re.compile(r"([0-9.]+)([a-z\u00b5\u03bc]+)")
_TIME = re.compile(r"([01][0-9]|2[0-3]):([0-5][0-9])", re.ASCII)
_DURATION_RULE = "Use a Go duration in hours, minutes and seconds, such as '8h' or '1h30m'. Days are not supported."
_TIME_RULE = "Use a time of day as HH:MM in UTC, between 00:00 and 23:59, in quotes."


def read_duration(value: object, field: str) -> int:
    """Return the seconds of a duration of Go (time.ParseDuration); raise PolicyError for others and for none at all.

    Fractions of a second are refused: no action takes less than one.
    """
    if not isinstance(value, str) or len(value) > 100 or not _DURATION.fullmatch(value):
        raise PolicyError(field, f"{quoted(value)} is not a duration", _DURATION_RULE)
    seconds = sum(Fraction(f"0{number}".rstrip(".")) * _UNITS[unit] for number, unit in _PARTS.findall(value))
    if seconds <= 0 or seconds > LONGEST_DURATION:
        raise PolicyError(field, f"{quoted(value)} is not longer than 0 s and shorter than 292 years", _DURATION_RULE)
    if seconds != int(seconds):
        raise PolicyError(field, f"{quoted(value)} has a fraction of a second", "Use whole seconds.")
    return int(seconds)


def read_time_of_day(value: object, field: str) -> int:
    """Return the seconds from midnight; raise PolicyError for anything but HH:MM."""
    found = _TIME.fullmatch(value) if isinstance(value, str) else None
    if found:
        return int(found[1]) * 3600 + int(found[2]) * 60
    if isinstance(value, int) and not isinstance(value, bool):
        seen = f"{value} is a number: YAML reads 20:00 without quotes as a number"
    else:
        seen = f"{quoted(value)} is not a time of day"
    raise PolicyError(field, seen, _TIME_RULE)
