# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The effect of a maintenance schedule, reported when it is written: a valid schedule may not be the intended one."""

from __future__ import annotations

import typing as t
from bisect import bisect_left
from dataclasses import dataclass
from itertools import takewhile

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import (
    Window,
    first_windows,
    windows_from,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import DAY, write_instant
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.maintenance_schedules import (
    MaintenanceSchedule,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policies import Policy
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import (
    SCHEDULE,
    LocalTime,
    no_local_time,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.time_lengths import describe_seconds

Cut = t.Tuple[Window, t.Tuple[Window, ...]]  # noqa: UP006  # evaluated by Python 3.9 as well
"""A window, and what exclusions leave of it."""

YEAR, HOUR = 365 * DAY, 3600
OBSERVATION = 2 * YEAR
"""A window that is further away is none, by the enhancement."""
NEXT = 5
SHORT_WINDOW = 60
MOST_CUTS = 20
RELEASE, FULL_SUPPORT, SKEW = 122 * DAY, 183 * DAY, 3 * 122 * DAY
"""A minor release comes every four months and has full support for six; kubelets may be three of them behind."""

NEVER_OPENS = "The schedule never opens: no date in the whole calendar is selected."


@dataclass(frozen=True)
class Outlook:
    """The windows of two years: ``hours`` of a month and ``gap`` in seconds are of them; ``cuts`` by exclusions."""

    windows: tuple[Window, ...]
    hours: float
    gap: int | None
    cuts: tuple[Cut, ...]
    warnings: tuple[str, ...]

    def as_data(self, local: LocalTime = no_local_time) -> dict[str, t.Any]:
        """Return the outlook as modules show it; ``local`` adds the local time to UTC."""
        return {
            "next_windows": [_shown(window, local) for window in self.windows],
            "hours_per_month": self.hours,
            "longest_gap": None if self.gap is None else describe_seconds(self.gap),
            "cut_by_exclusions": [
                {**_shown(window, local), "left": [_shown(piece, local) for piece in left]}
                for window, left in self.cuts
            ],
        }


def outlook(policy: Policy, now: int, work: Estimate) -> Outlook | None:
    """Return what the schedule of a policy comes to from ``now`` on, None for a policy without one.

    ``work`` is the longest of the site.
    """
    if policy.strategy != SCHEDULE:
        return None
    schedule = policy.schedule
    if schedule is None or schedule.is_empty:
        return Outlook((), 0.0, None, (), (f"{SCHEDULE} without a schedule never opens.",))
    timeline = schedule.timeline()
    windows = list(takewhile(lambda one: one.start < now + OBSERVATION, windows_from(timeline, now)))
    cuts = _cuts(schedule, windows, now) if schedule.exclusions else ()
    hours = sum(min(one.end or now + OBSERVATION, now + OBSERVATION) - one.start for one in windows) / 24 / HOUR
    gap = _longest_gap(windows, now)
    first = list(first_windows(timeline, now, NEXT))
    warnings = (*_of_windows(first, windows, schedule, work), *_of_gap(gap), *_of_tails(cuts))
    return Outlook(tuple(first), round(hours, 1), gap, cuts, warnings)


def _shown(window: Window, local: LocalTime) -> dict[str, t.Any]:
    ends = [
        write_instant(one) + local(one) if one is not None else "without an end" for one in (window.start, window.end)
    ]
    return {**window.as_data(), "words": f"{ends[0]} until {ends[1]}"}


def _longest_gap(windows: list[Window], now: int) -> int | None:
    """Return the longest time without a window within the two years; None where there is no window at all."""
    if not windows:
        return None
    ends = [now, *(one.end for one in windows if one.end is not None)]
    starts = [*(one.start for one in windows), *([] if windows[-1].end is None else [now + OBSERVATION])]
    return max(0, *(start - end for end, start in zip(ends, starts)))


def _cuts(schedule: MaintenanceSchedule, windows: list[Window], now: int) -> tuple[Cut, ...]:
    """Return the windows that exclusions cut within the two years, each with what is left of it."""
    horizon = now + OBSERVATION
    starts = [one.start for one in windows]
    found: list[Cut] = []
    for window in windows_from(MaintenanceSchedule(schedule.permit).timeline(), now):
        end = horizon if window.end is None else window.end
        if window.start >= horizon or end > horizon or len(found) == MOST_CUTS:
            break
        left = tuple(windows[bisect_left(starts, window.start) : bisect_left(starts, end)])
        if [(one.start, min(one.end or horizon, horizon)) for one in left] != [(window.start, end)]:
            found.append((window, left[:MOST_CUTS]))
    return tuple(found)


def _of_windows(
    first: list[Window], windows: list[Window], schedule: MaintenanceSchedule, work: Estimate
) -> t.Iterator[str]:
    if not first:
        yield NEVER_OPENS if schedule.permit and not schedule.exclusions else "The schedule never opens again."
        return
    if not windows:
        yield f"The next window is more than two years away: {write_instant(first[0].start)}."
        return
    if any(one.end is None for one in windows):
        yield "The schedule is open without an end." + ("" if schedule.permit else " It only excludes dates.")
        return
    longest = max(one.end - one.start for one in windows if one.end is not None)
    permit = schedule.permit
    if permit and permit.duration < SHORT_WINDOW:
        yield f"The windows are {permit.duration} s long: most controllers cannot detect them in time."
    elif longest < work.seconds:
        yield f"No window is as long as the work: {work.words}, and the longest lasts {describe_seconds(longest)}."


def _of_gap(gap: int | None) -> t.Iterator[str]:
    if gap is None or gap <= RELEASE:
        return
    length = f"There is a gap of {describe_seconds(gap)} without a window"
    if gap > SKEW:
        yield f"{length}: kubelets may fall more than three minor releases behind, which is not supported."
    elif gap > FULL_SUPPORT:
        yield f"{length}: a minor release has full support for six months."
    else:
        yield f"{length}: a minor release comes every four months."


def _of_tails(cuts: t.Iterable[Cut]) -> t.Iterator[str]:
    for window, left in cuts:
        for piece in left:
            if window.end is not None and piece.end == window.end and piece.start > window.start:
                stretch = f"{write_instant(piece.start)} until {write_instant(window.end)}"
                yield f"An exclusion leaves only the end of the window of {write_instant(window.start)}: {stretch}."
