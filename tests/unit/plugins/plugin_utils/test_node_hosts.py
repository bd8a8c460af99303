# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Nodes as hosts: their groups, and the variables that plays use."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.plugin_utils._node_hosts import NodeHost, hosts_of

CONFIG = "machineconfiguration.openshift.io/"
DONE = {f"{CONFIG}currentConfig": "rendered-worker-a", f"{CONFIG}desiredConfig": "rendered-worker-a"}
DONE[f"{CONFIG}state"] = "Done"


def node(name: str = "worker-0", role: str = "worker", **changes: t.Any) -> dict[str, t.Any]:
    labels = {f"node-role.kubernetes.io/{role}": "", "topology.kubernetes.io/zone": "zone-1"}
    metadata = {"name": name, "labels": labels, "annotations": DONE}
    status = {
        "addresses": [{"type": "Hostname", "address": name}, {"type": "InternalIP", "address": "192.0.2.7"}],
        "conditions": [{"type": "Ready", "status": "True"}],
        "nodeInfo": {"architecture": "amd64", "osImage": "Red Hat Enterprise Linux CoreOS 9.6"},
    }
    made: dict[str, t.Any] = {"metadata": metadata, "spec": {}, "status": status}
    for part, fields in changes.items():
        made[part] = {**made[part], **fields}
    return made


def pool(name: str = "worker", config: str = "rendered-worker-a") -> dict[str, t.Any]:
    selector = {"matchLabels": {f"node-role.kubernetes.io/{name}": ""}}
    return {"metadata": {"name": name}, "spec": {"nodeSelector": selector, "configuration": {"name": config}}}


def only(*nodes: dict[str, t.Any], pools: t.Sequence[dict[str, t.Any]] = (pool(),), types: t.Any = ()) -> NodeHost:
    (host,) = hosts_of(nodes, pools, types)
    return host


def test_a_node_at_rest() -> None:
    host = only(node())
    assert host.groups == ("nodes", "pool_worker", "role_worker", "zone_zone-1")
    assert host.variables["node_pool"] == "worker"
    assert host.variables["node_os_image"] == "Red Hat Enterprise Linux CoreOS 9.6"
    assert host.variables["node_pending_change"] is False


@pytest.mark.parametrize(
    ("found", "pools"),
    [
        pytest.param(node(), [pool(config="rendered-worker-b")], id="its pool wants another configuration"),
        pytest.param(
            node(metadata={"annotations": {**DONE, f"{CONFIG}desiredConfig": "rendered-worker-b"}}),
            [pool()],
            id="its daemon has been told",
        ),
        pytest.param(
            node(metadata={"annotations": {**DONE, f"{CONFIG}state": "Working"}}), [pool()], id="its daemon is at it"
        ),
        pytest.param(
            node(metadata={"annotations": {**DONE, f"{CONFIG}desiredImage": "quay.io/x@sha256:0"}}),
            [pool()],
            id="another image",
        ),
    ],
)
def test_a_pending_change(found: dict[str, t.Any], pools: list[dict[str, t.Any]]) -> None:
    assert "pending_change" in only(found, pools=pools).groups


def test_without_a_machine_config_daemon_no_change_is_known() -> None:
    host = only(node(metadata={"annotations": {}}), pools=[])
    assert "pending_change" not in host.groups
    assert "pool_worker" in host.groups


@pytest.mark.parametrize(
    ("changes", "group"),
    [
        pytest.param({"spec": {"unschedulable": True}}, "unschedulable", id="cordoned"),
        pytest.param({"status": {"conditions": []}}, "not_ready", id="never heard of"),
    ],
)
def test_what_speaks_for_itself(changes: dict[str, t.Any], group: str) -> None:
    assert group in only(node(**changes)).groups


@pytest.mark.parametrize(
    ("types", "address"),
    [
        pytest.param(["InternalIP", "Hostname"], "192.0.2.7", id="the first type"),
        pytest.param(["ExternalIP", "Hostname"], "worker-0", id="the first that there is"),
        pytest.param(["ExternalIP"], None, id="none of them"),
        pytest.param([], None, id="none wanted"),
    ],
)
def test_the_address(types: list[str], address: str | None) -> None:
    assert only(node(), types=types).variables.get("ansible_host") == address


def test_hosts_come_in_the_order_of_their_names() -> None:
    hosts = hosts_of([node("worker-1"), node("master-0", "master"), node("worker-0")], [pool(), pool("master")], ())
    assert [host.name for host in hosts] == ["master-0", "worker-0", "worker-1"]
