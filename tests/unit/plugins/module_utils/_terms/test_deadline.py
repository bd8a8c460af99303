# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import DeadlineExceededError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils.conftest import FakeClock


def test_remaining_time_shrinks_and_never_goes_below_zero(clock: FakeClock) -> None:
    deadline = Deadline(10, clock)
    clock.advance(4)
    assert (deadline.elapsed, deadline.remaining, deadline.expired) == (4, 6, False)
    clock.advance(7)
    assert (deadline.elapsed, deadline.remaining, deadline.expired) == (11, 0, True)


def test_an_inner_deadline_never_outlasts_the_outer_one(clock: FakeClock) -> None:
    outer = Deadline(10, clock)
    clock.advance(7)
    assert (outer.within(60).seconds, outer.within(1).seconds) == (3, 1)


def test_a_pause_ends_with_the_deadline(clock: FakeClock) -> None:
    deadline = Deadline(10, clock)
    deadline.pause(4)
    deadline.pause(60)
    assert clock.slept == [4, 6]


def test_require_is_silent_while_time_is_left(clock: FakeClock) -> None:
    Deadline(1, clock).require("wait", on="node n1", seen="it was away", advice="Look at it.")


def test_require_says_what_was_waited_for(clock: FakeClock) -> None:
    deadline = Deadline(30, clock)
    clock.advance(30)
    with pytest.raises(DeadlineExceededError) as caught:
        deadline.require("wait for it", on="node n1", seen="it was away", advice="Look at it.")
    assert str(caught.value) == "Could not wait for it on node n1: after 30 s it was away. Look at it."
