# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the guard of modules answers, on a real API server."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.changes_info import look_at_changes
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.guard import UNGOVERNED, ChangeGuard
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate, Permission
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import (
    CONFIG_MAPS,
    NAMESPACE,
    Json,
    assignments,
    client_of,
    closed_now,
    open_now,
)
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

POOLS = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools"
OPEN, CLOSED = "Permissive", "Restrictive"
LONG = Estimate(9000.0, "worker-1 took 2h 30m")


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as running:
        plant(running.rest, healthy_cluster("4.21.3", control_plane=3, workers=2))
        running.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
        yield running


@pytest.fixture
def site(server: ApiServer) -> ApiServer:
    """The cluster without any change management."""
    for name in ("change-assignments", "change-overrides"):
        if server.rest.exists(f"{CONFIG_MAPS}/{name}"):
            server.rest.delete(f"{CONFIG_MAPS}/{name}")
    return server


def ask(site: ApiServer, pool: str, known: Estimate | None = None, **option: t.Any) -> Permission:
    return ChangeGuard.of(client_of(site), option).ask(pool, known or Estimate())


@pytest.mark.parametrize(
    ("pool", "permitted", "resource"),
    [
        ("worker", True, "MachineConfigPool worker"),
        ("master", False, "MachineConfigPool master"),
        ("", False, "ClusterVersion version"),
    ],
)
def test_each_resource_has_its_own_answer(site: ApiServer, pool: str, permitted: bool, resource: str) -> None:
    site.rest.apply(assignments(master=CLOSED, worker=OPEN))
    answer = ask(site, pool)
    assert (answer.permitted, answer.resource) == (permitted, resource)


def test_a_cluster_that_keeps_nothing_permits(site: ApiServer) -> None:
    assert ask(site, "worker").permitted


@pytest.mark.parametrize("pool", ["", "master", "worker"])
def test_the_stanza_of_the_run_decides_in_place_of_what_the_cluster_keeps(site: ApiServer, pool: str) -> None:
    site.rest.apply(assignments(master=OPEN, worker=OPEN))
    assert not ask(site, pool, stanza={"strategy": "Restrictive"}).permitted


@pytest.mark.parametrize(
    ("option", "estimate", "permitted", "words"),
    [
        ({}, Estimate(), True, ""),
        ({"estimate": 60}, Estimate(), True, "it may take 1m"),
        ({"estimate": 60}, LONG, False, "worker-1 took 2h 30m, and change of MachineConfigPool worker is"),
        ({"estimate": 9000}, Estimate(), False, "it may take 2h 30m, and change of MachineConfigPool worker is"),
    ],
    ids=["unknown", "fits", "too long by its own time", "too long by the site's estimate"],
)
def test_a_window_is_to_last_as_long_as_the_change(
    site: ApiServer, option: Json, estimate: Estimate, permitted: bool, words: str
) -> None:
    policies = {"nights": open_now()}
    stanza = {"strategy": "ByPolicy", "byPolicy": {"name": "nights"}}
    answer = ask(site, "worker", estimate, stanza=stanza, policies=policies, **option)
    assert answer.permitted is permitted
    assert words in answer.sentence
    # Tomorrow's window: that of today is open already, and too short.
    assert bool(answer.next_permitted) is not permitted


def test_windows_that_are_never_as_long_as_the_change_are_an_error(site: ApiServer) -> None:
    stanza = {"strategy": "ByPolicy", "byPolicy": {"name": "nights"}}
    with pytest.raises(PolicyError, match="it may take 6h, and the longest window within two years lasts 3h"):
        ask(site, "worker", stanza=stanza, policies={"nights": open_now()}, estimate=6 * 3600)


def test_an_emergency_stop_is_in_force_over_the_stanza_of_the_run(site: ApiServer) -> None:
    site.rest.apply(assignments(worker=OPEN))
    kept = assignments()
    kept["metadata"]["name"] = "change-overrides"
    stop = {"overrides": [{"strategy": CLOSED, "by": "me", "reason": "nodes do not come back"}]}
    kept["data"]["MachineConfigPool.worker"] = json.dumps(stop)
    site.rest.apply(kept)
    assert "nodes do not come back" in ask(site, "worker", stanza={"strategy": "Permissive"}).sentence


def test_guard_and_calendar_give_the_same_answer(site: ApiServer) -> None:
    option: Json = {
        "policies": {"nights": closed_now(), "days": open_now()},
        "stanza": {"strategy": "ByPolicy", "byPolicy": {"name": "nights"}},
        "assignments": {"MachineConfigPool.worker": {"strategy": "ByPolicy", "byPolicy": {"name": "days"}}},
        "governed": False,
        "estimate": 60,
        "clock_limit": 30,
    }
    shown = {
        "kind": None,
        "name": None,
        "namespace": None,
        "windows": 3,
        "time_zone": "",
        "overrides": None,
        "calendar_days": 7,
        "calendar_title": "",
    }
    report = look_at_changes(client_of(site), {**shown, "guard": option})[0]
    answers = {one["name"]: one["permitted"] for one in report["resources"]}
    asked = {pool or "version": ask(site, pool, **option).permitted for pool in ("", "master", "worker")}
    assert answers == asked == {"version": False, "master": False, "worker": True}
    assert "the maintenance schedule of policy days is open" in report["calendar"]["text"]


def test_a_closed_window_says_when_it_opens(site: ApiServer) -> None:
    stanza = {"strategy": "ByPolicy", "byPolicy": {"name": "nights"}}
    answer = ask(site, "worker", stanza=stanza, policies={"nights": closed_now()})
    assert not answer.permitted
    assert answer.next_permitted in answer.sentence


def test_without_pools_the_cluster_version_answers_for_the_nodes(site: ApiServer) -> None:
    site.rest.apply(assignments(master=CLOSED))
    pools = [site.rest.get(f"{POOLS}/{name}") for name in ("master", "worker")]
    for one in pools:
        site.rest.delete(f"{POOLS}/{one['metadata']['name']}")
    try:
        answer = ask(site, "worker")
    finally:
        for one in pools:
            one["metadata"] = {key: one["metadata"][key] for key in ("name", "labels") if key in one["metadata"]}
            site.rest.apply(one)
    assert (answer.permitted, answer.resource) == (False, "ClusterVersion version")


def test_a_cluster_without_operators_is_restricted_by_a_stanza_alone() -> None:
    with ApiServer() as plain:
        assert ask(plain, "worker").sentence == UNGOVERNED
        assert not ask(plain, "worker", stanza={"strategy": "Restrictive"}).permitted
