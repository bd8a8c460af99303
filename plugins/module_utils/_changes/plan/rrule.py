# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""RRULE strings of the enhancement's earlier texts, read by a strict list of what selects dates, and written.

General libraries are lenient where it hurts: python-dateutil takes ``BYMONTHDAY=0`` for every day and drops the
ordinal of ``FREQ=WEEKLY;BYDAY=1SA``. Here everything that RFC 5545 forbids, and everything that is not about dates, is
refused. Rules run from 1970-01-01, as the enhancement demands.
"""

from __future__ import annotations

import re
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.date_rules import (
    DAILY,
    MONTHLY,
    WEEKLY,
    YEARLY,
    DateRule,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import EPOCH_WEEKDAY
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import quoted

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field

WEEKDAY_CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
PARTS = ("FREQ", "INTERVAL", "BYMONTH", "BYMONTHDAY", "BYDAY", "BYSETPOS", "WKST")
LARGEST_INTERVAL = 400
"""Beyond it the longest gap between two dates, which tells a window without an end, is not seen in two cycles."""
LONGEST_RULE = 500

_REFUSED = {
    "COUNT": "A schedule has no end: leave COUNT out.",
    "UNTIL": "A schedule has no end: leave UNTIL out and use exclude.",
}
_KNOWN_RULE = f"Known parts: {', '.join(PARTS)}."
_BYDAY = re.compile(r"([+-]?[0-9]{1,2})?(MO|TU|WE|TH|FR|SA|SU)", re.ASCII)
_NUMBER = re.compile(r"[+-]?[0-9]{1,4}", re.ASCII)
_WEEKDAY_OF_THE_EPOCH = ((0, EPOCH_WEEKDAY),)


def read_rrule(field: Field) -> DateRule:
    """Return the rule that an RRULE string means; raise PolicyError naming the part that breaks a rule."""
    parts = _parts(field)
    frequency = parts.pop("FREQ", "")
    if frequency not in (DAILY, WEEKLY, MONTHLY, YEARLY):
        raise field.broken(
            f"FREQ is {quoted(frequency)}", "FREQ is DAILY, WEEKLY, MONTHLY or YEARLY: it selects dates."
        )
    months = _numbers(field, parts, "BYMONTH", 1, 12, signed=False)
    month_days = _numbers(field, parts, "BYMONTHDAY", 1, 31)
    weekdays = _weekdays(field, parts, frequency)
    positions = _numbers(field, parts, "BYSETPOS", 1, 366)
    interval = _numbers(field, parts, "INTERVAL", 1, LARGEST_INTERVAL, signed=False) or (1,)
    if frequency == WEEKLY and month_days:
        raise field.broken("BYMONTHDAY stands with FREQ=WEEKLY", "RFC 5545 allows BYMONTHDAY with other frequencies.")
    if positions and not (months or month_days or weekdays):
        raise field.broken("BYSETPOS stands alone", "RFC 5545 wants BYSETPOS together with another BY part.")
    if len(interval) > 1:
        raise field.broken("INTERVAL has several values", "INTERVAL is one number.")
    if not (month_days or weekdays):
        months, month_days, weekdays = _first_of_period(frequency, months)
    week_start = _week_start(field, parts.get("WKST", "MO"))
    return DateRule(frequency, interval[0], months, month_days, weekdays, positions, week_start)


def write_rrule(rule: DateRule) -> list[str]:
    """Return RRULE strings that together select what ``rule`` selects, in the dialect of AWX schedules.

    AWX takes neither an ordinal in BYDAY nor several values of BYMONTHDAY or BYMONTH, so that one rule may become
    several (awx/api/serializers.py, validate_rrule). An ordinal within a year cannot be said that way and is kept.
    """
    head = f"FREQ={rule.frequency};INTERVAL={rule.interval}"
    tail = f";BYSETPOS={','.join(map(str, rule.positions))}" if rule.positions else ""
    if rule.week_start:
        tail += f";WKST={WEEKDAY_CODES[rule.week_start]}"
    spread = not rule.positions
    return [
        f"RRULE:{head}{month}{month_day}{weekday}{tail}"
        for month in _alternatives("BYMONTH", rule.months, spread)
        for month_day in _alternatives("BYMONTHDAY", rule.month_days, spread)
        for weekday in _weekday_alternatives(rule)
    ]


def _parts(field: Field) -> dict[str, str]:
    text = field.text(LONGEST_RULE).strip().upper()
    text = text.removeprefix("RRULE:")
    text = text.removesuffix(";")
    parts: dict[str, str] = {}
    for part in text.split(";"):
        name, equals, value = part.partition("=")
        if name in _REFUSED:
            raise field.broken(f"{name} is given", _REFUSED[name])
        if name not in PARTS or not equals or not value:
            raise field.broken(f"{quoted(part)} is not understood", _KNOWN_RULE)
        if name in parts:
            raise field.broken(f"{name} is given twice", "RFC 5545 allows each part once; separate values by commas.")
        parts[name] = value
    return parts


def _numbers(
    field: Field, parts: Mapping[str, str], name: str, least: int, most: int, *, signed: bool = True
) -> tuple[int, ...]:
    if name not in parts:
        return ()
    numbers = []
    for text in parts[name].split(","):
        number = int(text) if _NUMBER.fullmatch(text) else 0
        if not least <= (abs(number) if signed else number) <= most:
            extent = f"{least} to {most}" + (f" or -{most} to -{least}" if signed else "")
            raise field.broken(f"{name} has {quoted(text)}", f"{name} is {extent}.")
        numbers.append(number)
    return tuple(sorted(set(numbers)))


def _weekdays(field: Field, parts: Mapping[str, str], frequency: str) -> tuple[tuple[int, int], ...]:
    chosen = []
    for text in parts["BYDAY"].split(",") if "BYDAY" in parts else ():
        found = _BYDAY.fullmatch(text)
        ordinal = int(found[1] or 0) if found else 0
        if not found or (found[1] and not 1 <= abs(ordinal) <= 53):
            raise field.broken(
                f"BYDAY has {quoted(text)}", f"BYDAY has {', '.join(WEEKDAY_CODES)}, ordinals from 1 to 53 before them."
            )
        if ordinal and frequency in (DAILY, WEEKLY):
            raise field.broken(
                f"BYDAY has {quoted(text)} with FREQ={frequency}",
                "RFC 5545 allows ordinals with MONTHLY and YEARLY only.",
            )
        chosen.append((ordinal, WEEKDAY_CODES.index(found[2])))
    return tuple(sorted(set(chosen)))


def _week_start(field: Field, code: str) -> int:
    if code not in WEEKDAY_CODES:
        raise field.broken(f"WKST is {quoted(code)}", f"WKST is one of {', '.join(WEEKDAY_CODES)}.")
    return WEEKDAY_CODES.index(code)


def _first_of_period(
    frequency: str, months: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, int], ...]]:
    """Return what a rule without any date means: the date of 1970-01-01, a Thursday, within its period."""
    if frequency == YEARLY:
        return months or (1,), (1,), ()
    if frequency == MONTHLY:
        return months, (1,), ()
    if frequency == WEEKLY:
        return months, (), _WEEKDAY_OF_THE_EPOCH
    return months, (), ()


def _alternatives(name: str, numbers: tuple[int, ...], spread: bool) -> list[str]:
    if not numbers:
        return [""]
    return [f";{name}={number}" for number in numbers] if spread else [f";{name}={','.join(map(str, numbers))}"]


def _weekday_alternatives(rule: DateRule) -> list[str]:
    if not rule.weekdays:
        return [""]
    every = [WEEKDAY_CODES[weekday] for ordinal, weekday in rule.weekdays if not ordinal]
    counted = [(ordinal, WEEKDAY_CODES[weekday]) for ordinal, weekday in rule.weekdays if ordinal]
    within_month = rule.frequency == MONTHLY or bool(rule.months)
    if rule.positions or rule.month_days or not within_month:
        return [f";BYDAY={','.join([*every, *(f'{ordinal}{code}' for ordinal, code in counted)])}"]
    plain = [f";BYDAY={','.join(every)}"] if every else []
    return plain + [f";BYDAY={code};BYSETPOS={ordinal}" for ordinal, code in counted]
