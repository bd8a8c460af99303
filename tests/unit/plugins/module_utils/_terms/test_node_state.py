# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState

MCO = "machineconfiguration.openshift.io/"


def node(*, annotations: dict[str, str] | None = None, **status: t.Any) -> dict[str, t.Any]:
    """Return a Node as the API gives it, ready unless ``status`` says otherwise."""
    return {
        "metadata": {
            "name": "worker-1",
            "creationTimestamp": "2026-01-02T03:04:05Z",
            "labels": {"node-role.kubernetes.io/worker": "", "topology.kubernetes.io/zone": "hall-2"},
            "annotations": annotations or {},
        },
        "spec": {},
        "status": {"conditions": [{"type": "Ready", "status": "True"}], **status},
    }


def managed(**values: str) -> dict[str, str]:
    settled = {"currentConfig": "rendered-worker-a", "desiredConfig": "rendered-worker-a", "state": "Done"}
    return {MCO + name: value for name, value in {**settled, **values}.items()}


def test_a_node_as_the_kubelet_reports_it() -> None:
    info = {"bootID": "b-1", "kubeletVersion": "v1.36.3", "osImage": "Red Hat Enterprise Linux CoreOS 9.8"}
    state = NodeState.of(node(nodeInfo=info))
    assert (state.name, state.roles, state.zone, state.ready) == ("worker-1", ("worker",), "hall-2", True)
    assert (state.boot_id, state.kubelet_version, state.os_image) == tuple(info.values())
    assert (state.schedulable, state.pressures, state.is_managed) == (True, (), False)


def test_a_label_says_that_bootc_operator_decides_on_the_os_image() -> None:
    found = node()
    assert not NodeState.of(found).is_bootc_managed
    found["metadata"]["labels"]["bootc.dev/managed"] = ""
    assert NodeState.of(found).is_bootc_managed


@pytest.mark.parametrize("status", ["False", "Unknown"])
def test_only_a_true_condition_makes_a_node_ready(status: str) -> None:
    found = NodeState.of(node(conditions=[{"type": "Ready", "status": status, "message": "kubelet stopped"}]))
    assert (found.ready, found.ready_reason) == (False, "kubelet stopped")


def test_a_node_that_never_reported_is_not_ready() -> None:
    assert NodeState.of({"metadata": {"name": "new"}}).ready_reason == "the node has never reported its state"


def test_pressures_are_named() -> None:
    conditions = [{"type": "DiskPressure", "status": "True"}, {"type": "PIDPressure", "status": "False"}]
    assert NodeState.of(node(conditions=conditions)).pressures == ("DiskPressure",)


@pytest.mark.parametrize(
    ("changed", "updated"),
    [
        pytest.param({}, True, id="settled"),
        pytest.param({"desiredConfig": "rendered-worker-b"}, False, id="another configuration is desired"),
        pytest.param({"state": "Working"}, False, id="the daemon works"),
        pytest.param({"state": "Degraded"}, False, id="the daemon has failed"),
        pytest.param({"desiredImage": "quay.io/x@sha256:1"}, False, id="an image is desired"),
        pytest.param({"desiredImage": "i", "currentImage": "i"}, True, id="the image is there"),
        pytest.param({"currentConfig": "", "desiredConfig": ""}, False, id="nothing is known of it"),
    ],
)
def test_updated_means_done_with_configuration_and_image(changed: dict[str, str], updated: bool) -> None:
    assert NodeState.of(node(annotations=managed(**changed))).is_updated is updated
