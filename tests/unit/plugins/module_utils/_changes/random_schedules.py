# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Random schedules in the form of the enhancement, and the RRULE that says the same, written independently."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from datetime import datetime
from random import Random

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
CODES = dict(zip(DAYS, ("MO", "TU", "WE", "TH", "FR", "SA", "SU")))
ORDINALS = {"First": 1, "Second": 2, "Third": 3, "Fourth": 4, "Fifth": 5, "Last": -1}
MONTHS = [datetime(1970, month, 1).strftime("%B") for month in range(1, 13)]
DURATIONS = ("30s", "15m", "1h30m", "4h", "8h", "23h59m", "24h", "36h", "72h", "200h", "1000h")


@dataclass(frozen=True)
class Case:
    """A maintenance schedule and what selects its dates in the words of RFC 5545."""

    schedule: dict[str, t.Any]
    rrule: str


def random_case(random: Random) -> Case:
    """Return a schedule whose rule, exclusions and lengths are drawn by chance."""
    recurrence, rrule = random.choice(_STRUCTURED)(random)
    permit: dict[str, t.Any] = {"recurrence": recurrence}
    if random.random() < 0.8:
        permit["startTime"] = f"{random.randrange(24):02}:{random.choice((0, 15, 30, 59)):02}"
    if random.random() < 0.8:
        permit["duration"] = random.choice(DURATIONS)
    schedule: dict[str, t.Any] = {"permit": permit}
    if random.random() < 0.5:
        schedule["exclude"] = [_exclusion(random) for _turn in range(random.randint(1, 6))]
    return Case(schedule, rrule)


def _exclusion(random: Random) -> dict[str, str]:
    year, month, day = random.randint(2026, 2029), random.randint(1, 12), random.randint(1, 28)
    entry = {"fromDate": f"{year}-{month:02}-{day:02}"}
    if random.random() < 0.7:
        later = random.choice([(year, 12, 31), (year + 1, month, day), (year + random.randint(1, 3), 1, 1)])
        entry["untilDate"] = "{}-{:02}-{:02}".format(*max(later, (year, month, day + 1 if day < 28 else 29)))
    return entry if entry.get("untilDate", "9") > entry["fromDate"] and _exists(entry) else {"fromDate": "2027-01-01"}


def _exists(entry: dict[str, str]) -> bool:
    return not entry.get("untilDate", "").endswith("-02-29")


def _daily(random: Random) -> tuple[dict[str, t.Any], str]:
    interval = random.choice((1, 2, 3, 5, 7, 30, 365, 730))
    return {"frequency": "Daily", "daily": {"interval": interval}}, f"FREQ=DAILY;INTERVAL={interval}"


def _weekly(random: Random) -> tuple[dict[str, t.Any], str]:
    days, interval = random.sample(DAYS, random.randint(1, 7)), random.choice((1, 1, 2, 3, 26))
    weekly = {"daysOfWeek": days, "interval": interval}
    return {"frequency": "Weekly", "weekly": weekly}, f"FREQ=WEEKLY;INTERVAL={interval};BYDAY={_codes(days)}"


def _codes(days: t.Iterable[str]) -> str:
    return ",".join(CODES[day] for day in days)


def _by(random: Random) -> tuple[str, dict[str, t.Any], str]:
    if random.random() < 0.5:
        dates = random.sample(range(1, 32), random.randint(1, 6))
        return "Date", {"datesOfMonth": dates}, "BYMONTHDAY=" + ",".join(map(str, dates))
    days = [(random.choice(list(ORDINALS)), random.choice(DAYS)) for _turn in range(random.randint(1, 3))]
    listed = [{"weekOfMonth": ordinal, "dayOfWeek": day} for ordinal, day in days]
    return "Day", {"days": listed}, "BYDAY=" + ",".join(f"{ORDINALS[ordinal]}{CODES[day]}" for ordinal, day in days)


def _monthly(random: Random) -> tuple[dict[str, t.Any], str]:
    by, content, rrule = _by(random)
    interval = random.choice((1, 1, 2, 3, 7, 11))
    monthly = {"by": by, by.lower(): {**content, "interval": interval}}
    return {"frequency": "Monthly", "monthly": monthly}, f"FREQ=MONTHLY;INTERVAL={interval};{rrule}"


def _yearly(random: Random) -> tuple[dict[str, t.Any], str]:
    by, content, rrule = _by(random)
    month = random.randrange(12)
    yearly = {"by": by, by.lower(): {**content, "month": MONTHS[month]}}
    return {"frequency": "Yearly", "yearly": yearly}, f"FREQ=YEARLY;BYMONTH={month + 1};{rrule}"


_STRUCTURED = (_daily, _weekly, _monthly, _yearly)
