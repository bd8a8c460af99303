# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.baseline import MOST_PARTS, broken_parts
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.readiness import Before, missing_of

NODE = "worker-0.site.example"
MONTHS_AGO, JUST_NOW, HEARTBEAT = "2026-03-01T00:00:00Z", "2026-11-21T21:59:50Z", "2026-11-21T22:00:00.500000Z"
Object = dict[str, t.Any]


def node(ready: str = "True", **conditions: str) -> Object:
    known = [{"type": "Ready", "status": ready, "message": "booting", "lastHeartbeatTime": HEARTBEAT}]
    known += [{"type": name, "status": status} for name, status in conditions.items()]
    return {"metadata": {"name": NODE}, "status": {"conditions": known}}


def pod(
    name: str = "agent-x7", *, since: str = MONTHS_AGO, ready: str = "False", waiting: str = "", **more: t.Any
) -> Object:
    """Return a pod of a DaemonSet; ``since`` is when its readiness changed last, empty where it never reported."""
    conditions = [{"type": "Ready", "status": ready, "lastTransitionTime": since}] if since else []
    owners = [{"kind": "DaemonSet", "name": "agent", "controller": True}]
    statuses = [{"state": {"waiting": {"reason": waiting}} if waiting else {}}]
    return {
        "metadata": {"namespace": "shop", "name": name, "ownerReferences": owners, **more},
        "status": {"phase": "Pending", "conditions": conditions, "containerStatuses": statuses},
    }


def static_pod(**changes: t.Any) -> Object:
    mirror = {"kubernetes.io/config.mirror": "x"}
    owners = [{"kind": "Node", "name": NODE, "controller": True}]
    return pod(f"cache-{NODE}", **{"annotations": mirror, "ownerReferences": owners, **changes})


@pytest.mark.parametrize(
    ("found", "pods", "broken"),
    [
        pytest.param(node(), [pod()], ["DaemonSet shop/agent"], id="not ready for months"),
        pytest.param(node(), [static_pod()], ["static pod shop/cache"], id="a static pod, without the node's name"),
        pytest.param(node(DiskPressure="True"), [], ["DiskPressure"], id="a condition"),
        pytest.param(node(), [pod(since=JUST_NOW)], [], id="it may only be starting"),
        pytest.param(
            node(), [pod(since=JUST_NOW, waiting="CrashLoopBackOff")], ["DaemonSet shop/agent"], id="it crashes again"
        ),
        pytest.param(node(), [pod(since=JUST_NOW, waiting="ImagePullBackOff")], [], id="an image is on its way"),
        pytest.param(node(), [pod(since="", creationTimestamp=MONTHS_AGO)], ["DaemonSet shop/agent"], id="never seen"),
        pytest.param(node(), [pod(since="")], [], id="of no known age"),
        pytest.param(node(), [pod(ready="True")], [], id="a good one"),
        pytest.param(node(), [pod(deletionTimestamp=JUST_NOW)], [], id="on its way out"),
        pytest.param(node("False"), [pod()], [], id="of a node that is not ready nothing is known"),
    ],
)
def test_what_is_broken_before_a_node_is_begun(found: Object, pods: list[Object], broken: list[str]) -> None:
    assert list(broken_parts(found, HEARTBEAT, pods)) == broken


def test_without_a_heartbeat_no_age_is_known() -> None:
    assert broken_parts(node(), "", [pod()]) == ()


def test_a_record_keeps_a_bounded_number_of_parts() -> None:
    many = [pod(ownerReferences=[{"kind": "DaemonSet", "name": f"d{n}", "controller": True}]) for n in range(1000)]
    assert len(broken_parts(node(DiskPressure="True"), HEARTBEAT, many)) == MOST_PARTS


def test_what_was_broken_does_not_count_afterwards_under_whatever_name_it_comes_back() -> None:
    broken = broken_parts(node(DiskPressure="True"), HEARTBEAT, [pod("agent-x7"), static_pod()])
    after = [pod("agent-k2"), static_pod()]
    assert missing_of(node(DiskPressure="True"), None, after, Before(broken=broken)) == []
    assert len(missing_of(node(DiskPressure="True"), None, after, Before())) == 2


def test_what_broke_meanwhile_does_count() -> None:
    other = pod("dns-1", ownerReferences=[{"kind": "DaemonSet", "name": "dns", "controller": True}])
    broken = broken_parts(node(), HEARTBEAT, [pod()])
    assert missing_of(node(MemoryPressure="True"), None, [pod(), other], Before(broken=broken)) == [
        "it has MemoryPressure",
        "1 of its 1 daemon and static pods are not ready: shop/dns-1",
    ]


def test_readiness_of_the_node_itself_is_never_left_out() -> None:
    assert missing_of(node("False"), None, [], Before(broken=("Ready",))) == ["it is not ready: booting"]
