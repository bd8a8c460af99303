# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An actor is told of changes instead of asking for them, and is kept by no watch from looking or from ending."""

from __future__ import annotations

import time
import typing as t
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.actors.actor import PERIOD_SECONDS, RESYNC_SECONDS, Actor
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_daemon import MachineConfigDaemon
from ansible_collections.fieldops.openshift.tests.lab.actors.other_operators import OtherOperators
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

CONFIG_MAPS = "/api/v1/namespaces/default/configmaps"
LONG_SECONDS = 600.0
IDLE_SECONDS = 3.0


class Counter(Actor):
    """Counts its steps, and asks nothing in them."""

    watched: t.Sequence[str] = (CONFIG_MAPS,)
    steps = 0

    def step(self) -> None:
        self.steps += 1


class PatientCounter(Counter):
    """Takes a step only when it is told to."""

    resync_seconds = LONG_SECONDS


class Poller(Counter):
    """Watches nothing."""

    watched = ()


@pytest.fixture(scope="module")
def own_server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as server:
        plant(server.rest, healthy_cluster("4.21.3"))
        yield server


def touch(server: ApiServer, name: str) -> None:
    server.rest.apply({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": "default"}})


def test_a_change_calls_for_a_step_and_nothing_else_does(own_server: ApiServer) -> None:
    touch(own_server, "present")
    with PatientCounter(own_server.rest) as counter:
        before = settled(counter)
        touch(own_server, "made")
        wait_for(lambda: counter.steps > before)
        before = settled(counter)
        own_server.rest.delete(f"{CONFIG_MAPS}/made")
        wait_for(lambda: counter.steps > before)


def test_a_change_while_the_server_was_away_calls_for_a_step(own_server: ApiServer) -> None:
    with PatientCounter(own_server.rest) as counter:
        before = settled(counter)
        own_server.stop()
        own_server.start()
        wait_for(lambda: counter.steps > before)


def test_an_actor_that_watches_nothing_looks_again_and_again(own_server: ApiServer) -> None:
    with Poller(own_server.rest) as counter:
        wait_for(lambda: counter.steps > 10)


def test_a_server_that_hangs_keeps_no_actor_from_looking_or_from_ending(own_server: ApiServer) -> None:
    with Counter(own_server.rest) as counter:
        settled(counter)
        own_server.freeze()
        try:
            before = counter.steps
            wait_for(lambda: counter.steps > before + 1)
            counter.__exit__()
        finally:
            own_server.thaw()
    assert not counter._thread.is_alive()


def test_actors_at_rest_ask_nearly_nothing(own_server: ApiServer) -> None:
    client = own_server.rest
    with MachineConfigDaemon(client, lambda _: None), OtherOperators(client, [(20, "etcd")]):
        requests_in(own_server, IDLE_SECONDS)  # what they do when they begin
        asked = requests_in(own_server, IDLE_SECONDS)
    reads_in_a_step = 1 + 1
    assert len(asked) <= reads_in_a_step * (IDLE_SECONDS / RESYNC_SECONDS + 1)


def requests_in(server: ApiServer, seconds: float) -> list[str]:
    """Return which resources the lab's own client asked for within some seconds."""
    mark = server.audit.mark()
    time.sleep(seconds)
    return [one.resource for one in server.audit.requests(mark, own=True) if one.resource]


def settled(counter: Counter) -> int:
    """Return the steps once those are taken that the start of a watch calls for."""
    wait_for(lambda: counter.steps > 0)
    before = -1
    while before != counter.steps:
        before = counter.steps
        time.sleep(5 * PERIOD_SECONDS)
    return before
