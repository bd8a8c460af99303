# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long it is waited before the next attempt."""

from __future__ import annotations

import random
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.backoff import Backoff
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

BACKOFF = Backoff(first=1.0, longest=4.0)


class Highest(random.Random):
    """Always the upper bound of what may be drawn."""

    def uniform(self, a: float, b: float) -> float:
        return max(a, b)


@pytest.mark.parametrize("rng", [None, Highest()], ids=["without-jitter", "highest-jitter"])
def test_the_pause_doubles_up_to_the_longest(rng: random.Random | None) -> None:
    assert [BACKOFF.pause(failures, rng=rng) for failures in (1, 2, 3, 4, 10**9)] == [1.0, 2.0, 4.0, 4.0, 4.0]


def test_jitter_covers_everything_from_nothing_to_the_bound() -> None:
    rng = random.SystemRandom()
    pauses = [BACKOFF.pause(1, rng=rng) for _again in range(200)]
    assert 0 <= min(pauses) < 0.1
    assert 0.9 < max(pauses) <= 1


@pytest.mark.parametrize(("asked", "pause"), [(30.0, 31.0), (0.0, 1.0), (None, 1.0)])
def test_what_the_server_asks_for_is_waited_in_full(asked: float | None, pause: float) -> None:
    assert BACKOFF.pause(1, asked=asked) == BACKOFF.pause(1, asked=asked, rng=Highest()) == pause


def test_the_wait_is_the_pause(clock: t.Any) -> None:
    assert BACKOFF.wait(2, Deadline(60, clock), asked=3.0)
    assert clock.slept == [5.0]


@pytest.mark.parametrize(
    ("asked", "remaining"), [(30.0, 31.0), (None, 1.0), (None, 0.0)], ids=["retry-after", "back-off", "no-time-left"]
)
def test_a_pause_that_outlasts_the_deadline_is_not_begun(asked: float | None, remaining: float, clock: t.Any) -> None:
    assert not BACKOFF.wait(1, Deadline(remaining, clock), asked=asked)
    assert clock.slept == []


@pytest.mark.parametrize(("first", "longest"), [(-1.0, 4.0), (5.0, 4.0)])
def test_pauses_without_sense_are_refused(first: float, longest: float) -> None:
    with pytest.raises(InvalidInputError):
        Backoff(first=first, longest=longest)
