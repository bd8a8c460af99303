# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Which dates a recurrence selects, whatever notation it came in."""

from __future__ import annotations

from dataclasses import dataclass

DAILY = "DAILY"
WEEKLY = "WEEKLY"
MONTHLY = "MONTHLY"
YEARLY = "YEARLY"

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


@dataclass(frozen=True)
class DateRule:
    """A recurrence that starts on 1970-01-01 and selects whole dates, with the meanings of RFC 5545, section 3.3.10.

    ``frequency`` and ``interval`` say which days, weeks, months or years count at all. ``months`` are 1 to 12,
    ``month_days`` 1 to 31 or negative from the end of the month. ``weekdays`` are pairs of an ordinal, 0 for every one,
    and a weekday, Monday being 0. ``positions`` pick from the dates of each period. ``week_start`` is a weekday.
    """

    frequency: str
    interval: int = 1
    months: tuple[int, ...] = ()
    month_days: tuple[int, ...] = ()
    weekdays: tuple[tuple[int, int], ...] = ()
    positions: tuple[int, ...] = ()
    week_start: int = 0

    @property
    def counts_days_alone(self) -> bool:
        """Whether it selects every nth day, whatever the calendar says."""
        return self.frequency == DAILY and not (self.months or self.month_days or self.weekdays or self.positions)

    @property
    def counts_weeks_alone(self) -> bool:
        """Whether it selects weekdays of every nth week, whatever month it is."""
        return self.frequency == WEEKLY and not (self.months or self.positions)


EVERY_DAY = DateRule(DAILY)
