# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Nodes as API objects: what a kubelet and a machine-config daemon at rest have written on them."""

from __future__ import annotations

import hashlib
import uuid

from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.conditions import SETTLED, condition
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import rendered_name

DAEMON = "machineconfiguration.openshift.io"
CONTROL_PLANE_TAINT = {"key": "node-role.kubernetes.io/master", "effect": "NoSchedule"}
KUBELET_CONDITIONS = {
    "MemoryPressure": (False, "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
    "DiskPressure": (False, "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    "PIDPressure": (False, "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
    "Ready": (True, "KubeletReady", "kubelet is posting ready status"),
}


def node_name(role: str, number: int) -> str:
    """Return ``master-0``, ``worker-3``: the names that the installer gives on bare metal."""
    return f"{role}-{number}"


def node(role: str, number: int, *, pool: str = "", version: str = "4.21.3", ready: bool = True) -> Json:
    """Return a Node of a role that is in ``pool`` (its role's, unless named); all but masters are workers too."""
    name = node_name(role, number)
    address = f"198.51.100.{(10 if role == 'master' else 50) + number % 200}"
    conditions = [
        {**condition(kind, ready if kind == "Ready" else status, reason, message), "lastHeartbeatTime": SETTLED}
        for kind, (status, reason, message) in KUBELET_CONDITIONS.items()
    ]
    capacity = {"cpu": "8", "memory": "32Gi", "pods": "250", "ephemeral-storage": "120Gi"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "labels": node_labels(role, number, pool),
            "annotations": daemon_annotations(pool or role, version),
        },
        "spec": {"taints": [CONTROL_PLANE_TAINT] if role == "master" else []},
        "status": {
            "addresses": [{"type": "InternalIP", "address": address}, {"type": "Hostname", "address": name}],
            "conditions": conditions,
            "capacity": capacity,
            "allocatable": capacity,
            "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
            "nodeInfo": _node_info(name, version),
        },
    }


def node_labels(role: str, number: int, pool: str = "") -> dict[str, str]:
    """Return the labels of a node; nodes of one role are spread over three zones."""
    own = pool or role
    roles = ["master", "control-plane"] if role == "master" else ["worker", *([own] if own != "worker" else [])]
    return {
        "kubernetes.io/hostname": node_name(role, number),
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "topology.kubernetes.io/zone": f"zone-{number % 3}",
        "node.openshift.io/os_id": "rhel",
        **{f"node-role.kubernetes.io/{name}": "" for name in roles},
    }


def daemon_annotations(pool: str, version: str = "4.21.3") -> dict[str, str]:
    """Return what the machine-config daemon writes on a node that is up to date.

    Source: machine-config-operator, pkg/daemon/constants/constants.go.
    """
    rendered = rendered_name(pool, version)
    return {
        f"{DAEMON}/currentConfig": rendered,
        f"{DAEMON}/desiredConfig": rendered,
        f"{DAEMON}/state": "Done",
        f"{DAEMON}/reason": "",
        f"{DAEMON}/desiredDrain": f"uncordon-{rendered}",
        f"{DAEMON}/lastAppliedDrain": f"uncordon-{rendered}",
        f"{DAEMON}/controlPlaneTopology": "HighlyAvailable",
    }


def _node_info(name: str, version: str) -> Json:
    identity = uuid.UUID(hashlib.md5(name.encode(), usedforsecurity=False).hexdigest())
    return {
        "architecture": "amd64",
        "bootID": str(uuid.uuid5(identity, "boot 1")),
        "containerRuntimeVersion": "cri-o://1.34.2",
        "kernelVersion": "5.14.0-570.12.1.el9_6.x86_64",
        "kubeProxyVersion": "",
        "kubeletVersion": "v1.34.2",
        "machineID": identity.hex,
        "operatingSystem": "linux",
        "osImage": f"Red Hat Enterprise Linux CoreOS {version}",
        "systemUUID": str(identity),
    }
