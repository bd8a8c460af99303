# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""When an attempt is repeated, and when not."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import Answer
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.retries import persist
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

GRANTED = Answer(status=200, body={})
REFUSED = Answer(status=403, reason="Forbidden")
AWAY = Answer(status=None, reason="ConnectionRefused", transient=True)


def server(*answers: Answer) -> t.Callable[[float], Answer]:
    remaining = list(answers)
    return lambda _left: remaining.pop(0)


@pytest.mark.parametrize(
    ("answers", "pauses"),
    [
        pytest.param([GRANTED], [], id="granted"),
        pytest.param([REFUSED], [], id="refused"),
        pytest.param([AWAY, AWAY, AWAY, GRANTED], [0.5, 1.0, 2.0], id="away three times"),
        pytest.param([AWAY, REFUSED, GRANTED], [0.5, 1.0], id="away, then started without its roles"),
        pytest.param([Answer(429, retry_after=3.0, transient=True), GRANTED], [3.5], id="asked to wait"),
        pytest.param([Answer(429, retry_after=0.0, transient=True), GRANTED], [0.5], id="asked not to wait"),
    ],
)
def test_attempts_go_on_while_the_failure_is_transient(
    answers: list[Answer], pauses: list[float], clock: t.Any
) -> None:
    assert persist(server(*answers), Deadline(30, clock)) == answers[-1]
    assert clock.slept == pauses


def test_a_refusal_that_lasts_after_an_outage_is_one(clock: t.Any) -> None:
    answers = [AWAY, *[REFUSED] * 20]
    assert persist(server(*answers), Deadline(180, clock)) == REFUSED
    assert 25 <= clock.elapsed <= 35


@pytest.mark.parametrize(
    "reached",
    [Answer(503, transient=True), Answer(None, reason="ConnectionBroken", transient=True)],
    ids=["answered", "broken on the way"],
)
def test_what_may_have_reached_the_server_is_not_sent_again_where_that_matters(reached: Answer, clock: t.Any) -> None:
    assert persist(server(AWAY, REFUSED, AWAY, reached, GRANTED), Deadline(30, clock), unsent=True) == reached


def test_pauses_grow_to_five_seconds_and_no_more(clock: t.Any) -> None:
    persist(server(*[AWAY] * 7, GRANTED), Deadline(30, clock))
    assert clock.slept == [0.5, 1.0, 2.0, 4.0, 5.0, 5.0, 5.0]


def test_the_last_answer_within_the_deadline_is_returned(clock: t.Any) -> None:
    assert persist(lambda _left: AWAY, Deadline(10, clock)) == AWAY
    assert clock.elapsed < 10


def test_a_wait_beyond_the_deadline_is_not_begun(clock: t.Any) -> None:
    busy = Answer(429, retry_after=60.0, transient=True)
    assert persist(server(busy), Deadline(30, clock)) == busy
    assert clock.slept == []


def test_each_attempt_knows_what_time_is_left(clock: t.Any) -> None:
    given: list[float] = []

    def send(left: float) -> Answer:
        given.append(left)
        clock.advance(2)
        return AWAY

    persist(send, Deadline(6, clock))
    assert given == [6.0, 3.5, 0.5]


def test_once_is_once(clock: t.Any) -> None:
    assert persist(server(AWAY), Deadline(30, clock), once=True) == AWAY
