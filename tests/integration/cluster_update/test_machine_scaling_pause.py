# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Holding what adds, removes or replaces machines, on the real API server; interrupted, and by many hands."""

from __future__ import annotations

import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.differences import meaningful
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.machine_automation import (
    read_automation,
    set_automation,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.errors import PauseRecordError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.pause_record import ANNOTATION
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.autoscaling import (
    CLUSTER_AUTOSCALER,
    HEALTH_CHECKS,
    MACHINE_AUTOSCALERS,
    MACHINES,
    NODE_HEALTH_CHECKS,
    cluster_autoscaler,
    health_check,
    machine_autoscaler,
    machine_set,
    node_health_check,
)
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.conftest import Connect
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

PAUSE = {"state": "paused", "reason": "update 4711"}
RESTORE = {"state": "restored", "reason": ""}
MACHINE_SETS = f"/apis/machine.openshift.io/v1beta1/namespaces/{MACHINES}/machinesets"
HELD = "cluster.x-k8s.io/paused"
LISTED = (MACHINE_AUTOSCALERS, HEALTH_CHECKS, NODE_HEALTH_CHECKS)


@pytest.fixture
def machines(site: ApiServer) -> RestClient:
    """A cluster of five nodes with an autoscaler, two of its node groups, and health checks, some of them paused."""
    client = site.rest
    for path in (CLUSTER_AUTOSCALER.rpartition("/")[0], MACHINE_SETS, *LISTED):
        client.delete(path)
    client.apply(cluster_autoscaler(scaleDown={"enabled": True, "unneededTime": "5m"}))
    client.apply_all([machine_set("a", 3), machine_set("b", 0)])
    client.apply_all([machine_autoscaler("a", 1, 6), machine_autoscaler("b", 0, 4)])
    client.apply_all([health_check("worker"), health_check("infra", {HELD: "by somebody"})])
    client.apply_all([node_health_check("worker"), node_health_check("infra", "a backup")])
    return client


def state(client: RestClient) -> list[Json]:
    """Return all of it as people see it, without what the server counts."""
    objects = [client.get(CLUSTER_AUTOSCALER)]
    for path in LISTED:
        objects += client.get(path)["items"]
    return [meaningful(one) for one in objects]


def spec(client: RestClient, name: str) -> tuple[int, int]:
    found = client.get(f"{MACHINE_AUTOSCALERS}/{name}")["spec"]
    return found["minReplicas"], found["maxReplicas"]


def test_all_of_it_is_held_and_let_go_exactly_as_it_was(machines: RestClient, connect: Connect) -> None:
    before = state(machines)
    with connect() as door:
        held = set_automation(door, PAUSE)
        again = set_automation(door, PAUSE)
        autoscaler = machines.get(CLUSTER_AUTOSCALER)["spec"]
        sizes = (spec(machines, "a"), spec(machines, "b"))
        restored = set_automation(door, RESTORE)
        twice = set_automation(door, RESTORE)
    assert autoscaler == {
        "scaleDown": {"enabled": False, "unneededTime": "5m"},
        "resourceLimits": {"maxNodesTotal": 5},
    }
    assert sizes == ((3, 3), (0, 1))
    assert [held.changed, again.changed, restored.changed, twice.changed] == [True, False, True, False]
    assert len(held.actions or ()) == 7
    assert all(one["paused"] and one["reason"] == "update 4711" for one in again.objects["objects"])
    assert state(machines) == before
    assert restored.objects["left"] == []


def test_what_somebody_else_paused_stays_paused(machines: RestClient, connect: Connect) -> None:
    with connect() as door:
        set_automation(door, PAUSE)
        set_automation(door, RESTORE)
    annotations = machines.get(f"{HEALTH_CHECKS}/infra")["metadata"]["annotations"]
    assert annotations == {HELD: "by somebody"}
    assert "annotations" not in machines.get(f"{HEALTH_CHECKS}/worker")["metadata"]


@pytest.mark.parametrize("writes", range(1, 7))
def test_a_run_that_was_killed_is_gone_on_with(
    machines: RestClient, connect: Connect, writes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state(machines)
    for asked in (PAUSE, RESTORE):
        with connect() as door:
            die_after(door, writes, monkeypatch)
            with pytest.raises(KeyboardInterrupt):
                set_automation(door, asked)
        with connect() as door:
            assert set_automation(door, asked).changed
    assert state(machines) == before


def die_after(door: t.Any, writes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the process end right before a later write, as a kill does."""
    left = [writes]
    patch = door.patch

    def _patch(*words: t.Any, **options: t.Any) -> t.Any:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return patch(*words, **options)

    monkeypatch.setattr(door, "patch", _patch)


def test_what_somebody_changes_meanwhile_is_theirs(machines: RestClient, connect: Connect) -> None:
    with connect() as door:
        set_automation(door, PAUSE)
        machines.merge(f"{MACHINE_AUTOSCALERS}/a", {"spec": {"maxReplicas": 9}})
        restored = set_automation(door, RESTORE)
    assert spec(machines, "a") == (1, 9)
    assert restored.objects["left"] == [
        {"kind": "MachineAutoscaler", "namespace": MACHINES, "name": "a", "fields": ["spec.maxReplicas"]}
    ]


def test_what_comes_during_the_pause_is_held_by_the_next_run(machines: RestClient, connect: Connect) -> None:
    with connect() as door:
        set_automation(door, PAUSE)
        machines.apply(machine_set("c", 2))
        machines.apply(machine_autoscaler("c", 1, 3))
        held = set_automation(door, PAUSE)
        assert [one["name"] for one in held.actions or ()][-1] == "c"
        set_automation(door, RESTORE)
    assert spec(machines, "c") == (1, 3)


def test_an_autoscaler_without_its_target_is_left(machines: RestClient, connect: Connect) -> None:
    machines.delete(f"{MACHINE_SETS}/b")
    with connect() as door:
        held = set_automation(door, PAUSE)
    loose = [one["name"] for one in held.objects["objects"] if not one["paused"]]
    assert loose == ["b"]
    assert spec(machines, "b") == (0, 4)


def test_a_change_between_reading_and_writing_is_seen(
    machines: RestClient, connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    with connect() as door:
        listed = door.list_objects

        def _list(kind: t.Any, *words: t.Any, **options: t.Any) -> t.Any:
            found = listed(kind, *words, **options)
            if kind.kind == "MachineAutoscaler":
                machines.merge(f"{MACHINE_AUTOSCALERS}/a", {"spec": {"maxReplicas": 8}})
            return found

        monkeypatch.setattr(door, "list_objects", _list)
        set_automation(door, PAUSE)
        monkeypatch.undo()
        set_automation(door, RESTORE)
    assert spec(machines, "a") == (1, 8)


def test_check_mode_changes_nothing(machines: RestClient, connect: Connect) -> None:
    before = state(machines)
    with connect(dry_run=True) as door:
        held = set_automation(door, PAUSE)
    assert held.changed
    assert held.diff is not None
    assert all(one["dry_run"] for one in held.actions or ())
    assert state(machines) == before


@pytest.mark.usefixtures("machines")
def test_the_info_says_who_holds_what_since_when(connect: Connect) -> None:
    with connect() as door:
        assert read_automation(door)["paused"] is False
        set_automation(door, PAUSE)
        seen = read_automation(door)
    (one,) = [one for one in seen["objects"] if one["name"] == "a"]
    assert seen["paused"] is True
    assert one["by"]
    assert one["fields"] == [
        {"path": "spec.minReplicas", "was": 1, "paused": 3},
        {"path": "spec.maxReplicas", "was": 6, "paused": 3},
    ]


RECORD = {"schemaVersion": 1, "by": "x", "at": "2026-11-21T08:00:00Z", "reason": ""}


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        pytest.param("{", "not a document", id="no JSON"),
        pytest.param(json.dumps({**RECORD, "schemaVersion": 2, "fields": []}), "not a document", id="another version"),
        pytest.param(json.dumps({**RECORD, "fields": "all"}), "no list", id="no list"),
        pytest.param(
            json.dumps({**RECORD, "fields": [{"path": ["spec", "scaleTargetRef"], "was": None, "paused": None}]}),
            "never paused",
            id="a field that is not ours to write",
        ),
    ],
)
def test_nothing_is_restored_from_a_record_that_cannot_be_ours(
    machines: RestClient, connect: Connect, text: str, seen: str
) -> None:
    machines.merge(f"{MACHINE_AUTOSCALERS}/a", {"metadata": {"annotations": {ANNOTATION: text}}})
    with connect() as door, pytest.raises(PauseRecordError, match=seen):
        set_automation(door, RESTORE)
    assert spec(machines, "a") == (1, 6)


@pytest.mark.usefixtures("machines")
def test_requests_grow_with_objects_and_pages_only(site: ApiServer, connect: Connect) -> None:
    with connect() as door:
        set_automation(door, PAUSE)
        mark = site.audit.mark()
        set_automation(door, PAUSE)
        asked = [one for one in site.audit.requests(mark) if one.resource]
    # Four kinds, the nodes, and who we are; targets are read only while their autoscaler is not held.
    assert len(asked) == 6
