# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.readiness import (
    Before,
    Expected,
    heartbeat_of,
    missing_of,
)

DAEMON = "machineconfiguration.openshift.io/"
BEFORE = Before("boot-1", "2026-11-21T22:00:00.500000Z")
OLD, NEW = "2026-11-21T21:59:50Z", "2026-11-21T22:03:00Z"
Object = dict[str, t.Any]


def node(boot: str = "boot-2", ready: str = "True", heartbeat: str = NEW, state: str = "", **conditions: str) -> Object:
    notes = {}
    if state:
        notes = {f"{DAEMON}currentConfig": "a", f"{DAEMON}desiredConfig": "a", f"{DAEMON}state": state}
    known = [{"type": "Ready", "status": ready, "message": "booting", "lastHeartbeatTime": heartbeat}]
    known += [{"type": name, "status": status} for name, status in conditions.items()]
    return {
        "metadata": {"name": "worker-0", "annotations": notes},
        "status": {"nodeInfo": {"bootID": boot}, "conditions": known},
    }


def pod(
    name: str = "dns", ready: str = "True", started: str = NEW, owner: str = "DaemonSet", **metadata: t.Any
) -> Object:
    owners = [{"kind": owner, "name": "o", "controller": True}]
    return {
        "metadata": {"namespace": "infra", "name": name, "ownerReferences": owners, **metadata},
        "status": {
            "phase": "Running",
            "conditions": [{"type": "Ready", "status": ready}],
            "containerStatuses": [{"state": {"running": {"startedAt": started}}}],
        },
    }


STATIC: dict[str, t.Any] = {"annotations": {"kubernetes.io/config.mirror": "x"}}


@pytest.mark.parametrize(
    ("found", "pods", "missing"),
    [
        pytest.param(node(), [pod()], [], id="back"),
        pytest.param(node("boot-1"), [pod()], ["its kubelet has reported no new boot"], id="the boot of before"),
        pytest.param(node(""), [], ["it has not reported a boot"], id="a node made anew"),
        pytest.param(node(ready="False"), [], ["it is not ready: booting"], id="not ready"),
        pytest.param(node(ready="Unknown"), [], ["it is not ready: booting"], id="lost"),
        pytest.param(node(heartbeat=OLD), [], ["it has not reported its state since"], id="a heartbeat of before"),
        pytest.param(node(DiskPressure="True"), [], ["it has DiskPressure"], id="under pressure"),
        pytest.param(node(MemoryPressure="False"), [], [], id="no pressure"),
        pytest.param(node(state="Done"), [], [], id="daemon done"),
        pytest.param(node(state="Working"), [], ["its machine-config daemon is Working"], id="daemon at work"),
        pytest.param(node(), [pod(ready="False")], ["1 of its 1 daemon and static pods"], id="a daemon not ready"),
        pytest.param(node(), [pod(started=OLD)], ["1 of its 1 daemon"], id="ready, says the status of before"),
        pytest.param(node(), [pod(ready="False", owner="Node", **STATIC)], ["1 of its 1"], id="a static pod not ready"),
        pytest.param(node(), [pod(ready="False", owner="ReplicaSet")], [], id="somebody's pod is no concern"),
        pytest.param(node(), [pod(ready="False", deletionTimestamp=NEW)], [], id="a daemon on its way out"),
    ],
)
def test_what_is_missing(found: Object, pods: list[Object], missing: list[str]) -> None:
    seen = missing_of(found, None, pods, BEFORE)
    assert len(seen) == len(missing)
    assert all(told.startswith(expected) for told, expected in zip(seen, missing))


def test_all_that_is_missing_is_told_at_once() -> None:
    found = node(ready="False", DiskPressure="True", state="Degraded")
    assert len(missing_of(found, None, [pod(ready="False")], BEFORE)) == 4


def test_of_many_pods_a_few_are_named() -> None:
    (told,) = missing_of(node(), None, [pod(f"p{number}", ready="False") for number in range(8)], BEFORE)
    assert told == (
        "8 of its 8 daemon and static pods are not ready: infra/p0, infra/p1, infra/p2, infra/p3, infra/p4 and 3 more"
    )


def test_without_a_reboot_to_prove_the_node_is_judged_as_it_is() -> None:
    assert missing_of(node("boot-1", heartbeat=OLD), None, [pod(started=OLD)], Before()) == []


def test_the_lease_is_a_heartbeat_too() -> None:
    lease = {"spec": {"renewTime": "2026-11-21T22:04:00.000000Z"}}
    assert heartbeat_of(node(), lease) == "2026-11-21T22:04:00.000000Z"
    assert heartbeat_of(node(), None) == NEW
    assert heartbeat_of({"metadata": {"name": "w"}}, None) == ""


@pytest.mark.parametrize(
    ("expected", "missing"),
    [
        (Expected("a"), []),
        (Expected("b"), ["it has configuration a and requires b"]),
        (
            Expected("a", "registry.example/os@sha256:1"),
            ["it has image none and requires registry.example/os@sha256:1"],
        ),
        (Expected(), []),
    ],
)
def test_a_daemon_that_is_done_with_something_else_is_not_enough(expected: Expected, missing: list[str]) -> None:
    assert missing_of(node(state="Done"), None, [], BEFORE, expected) == missing
