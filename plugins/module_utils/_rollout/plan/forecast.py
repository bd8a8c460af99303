# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The forecast of an update: when the release and each node start and end, by expected durations and change windows."""

from __future__ import annotations

import heapq
import itertools
import typing as t
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.space_forecast import (
    NOT_COMPARED,
    SpaceForecast,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate, Permission
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.time_lengths import describe_seconds

AskAt = Callable[[str, Estimate, datetime], Permission]


@dataclass(frozen=True)
class Step:
    """What is started with one permission: the release, or a node. Without ``pool``, it is a change of the cluster.

    ``beside`` is how many steps of the pool that follow one another may be in progress at the same time.
    """

    name: str
    pool: str
    estimate: Estimate
    beside: int = 1


@dataclass(frozen=True)
class ForecastStep:
    """When a step starts and ends; both are None from the first step on that never may. ``waits`` is why it waits."""

    step: Step
    starts: datetime | None = None
    ends: datetime | None = None
    waits: str = ""

    def as_data(self) -> dict[str, t.Any]:
        """Return it as module results show it."""
        return {
            "name": self.step.name,
            "pool": self.step.pool,
            "seconds": self.step.estimate.seconds,
            "estimate": self.step.estimate.words,
            "starts": _written(self.starts),
            "ends": _written(self.ends),
            "waits": self.waits,
            "sentence": self.sentence,
        }

    @property
    def sentence(self) -> str:
        """Return when it starts and ends and why, for a person; without a date at the end where that is the same."""
        if self.starts is None or self.ends is None:
            return f"{self.step.name}  never: {self.waits}"
        start, end = (one.astimezone(timezone.utc) for one in (self.starts, self.ends))
        until = f"{end:%H:%M:%S}" if end.date() == start.date() else f"{end:%Y-%m-%d %H:%M:%S}"
        why = [self.step.estimate.words, f"waits, because {self.waits}" if self.waits else ""]
        return f"{self.step.name}  {start:%Y-%m-%d %H:%M:%S} to {until} UTC: {'; '.join(filter(None, why))}"


@dataclass(frozen=True)
class Forecast:
    """The steps in order. ``held_back`` are the reasons why nodes are not taken, by name."""

    begins: datetime
    steps: tuple[ForecastStep, ...]
    held_back: dict[str, str]
    space: SpaceForecast = NOT_COMPARED

    @property
    def finishes(self) -> datetime | None:
        """When the last step ends; None if a step never may start."""
        ends = [one.ends for one in self.steps]
        return None if None in ends else max([self.begins, *filter(None, ends)])

    @property
    def interruptions(self) -> int:
        """How often a step waits for a window: after each, the playbook has to be run again."""
        return len({one.starts for one in self.steps if one.waits})

    @property
    def sentence(self) -> str:
        """Return the forecast as one line."""
        told = [f"{len(self.steps)} step{'' if len(self.steps) == 1 else 's'}"]
        if self.finishes:
            total = describe_seconds(round((self.finishes - self.begins).total_seconds()))
            runs = f"{self.interruptions + 1} runs" if self.interruptions else "one run"
            told.append(
                f"done at {self.finishes.astimezone(timezone.utc):%Y-%m-%d %H:%M:%S} UTC, after {total} in {runs}"
            )
        else:
            stuck = next(one for one in self.steps if one.starts is None)
            told.append(f"{stuck.step.name} never starts: {stuck.waits}")
        held = (f"{name} is held back: {why}" for name, why in self.held_back.items())
        return "; ".join([*told, *held, self.space.sentence])

    def as_data(self) -> dict[str, t.Any]:
        """Return it as module results show it."""
        return {
            "begins": _written(self.begins),
            "finishes": _written(self.finishes),
            "interruptions": self.interruptions,
            "steps": [one.as_data() for one in self.steps],
            "held_back": self.held_back,
            "space": self.space.as_data(),
            "sentence": self.sentence,
        }


def forecast(
    steps: Sequence[Step],
    begins: datetime,
    ask_at: AskAt,
    held_back: dict[str, str],
    space: SpaceForecast = NOT_COMPARED,
) -> Forecast:
    """Return when each step starts and ends, from ``begins`` on: pools one after another.

    ``ask_at`` returns whether a change that takes as long as an estimate may start at an instant, and when next.
    """
    return Forecast(begins, tuple(_played(steps, begins, ask_at)), held_back, space)


def _played(steps: Iterable[Step], begins: datetime, ask_at: AskAt) -> Iterator[ForecastStep]:
    now, stuck = begins, ""
    for (_pool, beside), members in itertools.groupby(steps, key=lambda step: (step.pool, step.beside)):
        places = [now] * beside
        for step in members:
            if stuck:
                yield ForecastStep(step, waits=stuck)
                continue
            starts, waits = _start_of(step, places[0], ask_at)
            ends = starts + timedelta(seconds=step.estimate.seconds) if starts else None
            if ends is None:
                stuck = f"it follows {step.name}"
            else:
                heapq.heapreplace(places, ends)
            yield ForecastStep(step, starts, ends, waits)
        now = max(places)


def _start_of(step: Step, now: datetime, ask_at: AskAt) -> tuple[datetime | None, str]:
    permission = ask_at(step.pool, step.estimate, now)
    if permission.permitted:
        return now, ""
    opens = instant_of(permission.next_permitted)
    if opens is None or opens <= now or not ask_at(step.pool, step.estimate, opens).permitted:
        return None, permission.sentence
    return opens, permission.sentence


def _written(instant: datetime | None) -> str:
    return instant.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ") if instant else ""
