# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the machine-config operator keeps: rendered MachineConfigs, pools, MachineConfigNodes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from urllib.parse import quote

from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.conditions import condition

API_VERSION = "machineconfiguration.openshift.io/v1"
COMPONENT_REPOSITORY = "quay.io/openshift-release-dev/ocp-v4.0-art-dev"
ROLE_LABEL = "machineconfiguration.openshift.io/role"
REQUIRED_LABEL = "operator.machineconfiguration.openshift.io/required-for-upgrade"
NODE_STEPS = (
    "UpdatePrepared",
    "UpdateExecuted",
    "UpdatePostActionComplete",
    "UpdateComplete",
    "Resumed",
    "Drained",
    "AppliedFilesAndOS",
    "Cordoned",
    "RebootedNode",
    "Uncordoned",
    "NodeDegraded",
    "PinnedImageSetsDegraded",
    "PinnedImageSetsProgressing",
)


def rendered_name(pool: str, version: str = "4.21.3") -> str:
    """Return ``rendered-POOL-HASH``, made up from the version, always the same."""
    return f"rendered-{pool}-{hashlib.md5(f'{pool} {version}'.encode(), usedforsecurity=False).hexdigest()}"


def machine_configs(pool: str, version: str = "4.21.3") -> list[Json]:
    """Return the pool's base MachineConfig, with the role's label, and the one rendered from it."""
    base = _base(pool)
    spec = {
        "baseOSExtensionsContainerImage": "",
        "osImageURL": f"{COMPONENT_REPOSITORY}@sha256:{hashlib.sha256(version.encode()).hexdigest()}",
        "config": {"ignition": {"version": "3.5.0"}, "storage": {"files": [_file(version)]}},
        "kernelArguments": [],
        "extensions": [],
        "fips": False,
        "kernelType": "default",
    }
    return [
        _machine_config(base, {"labels": {ROLE_LABEL: base.partition("-")[2]}}, {**spec, "osImageURL": ""}),
        _machine_config(rendered_name(pool, version), {"annotations": {_RELEASE: version}}, spec),
    ]


def machine_config_pool(pool: str, machines: int, version: str = "4.21.3", *, paused: bool = False) -> Json:
    """Return a pool whose machines are all updated; an update of the cluster requires that of the masters.

    Sources: machine-config-operator, pkg/controller/node/status.go, calculateStatus; manifests of the pools.
    """
    labels = {f"pools.operator.machineconfiguration.openshift.io/{pool}": ""}
    labels |= {REQUIRED_LABEL: ""} if pool == "master" else {}
    rendered = rendered_name(pool, version)
    source = [{"apiVersion": API_VERSION, "kind": "MachineConfig", "name": _base(pool)}]
    updated = f"All nodes are updated with MachineConfig {rendered}"
    counts = dict.fromkeys(("machineCount", "readyMachineCount", "updatedMachineCount"), machines)
    pinned = {**counts, "availableMachineCount": machines, "unavailableMachineCount": 0}
    return {
        "apiVersion": API_VERSION,
        "kind": "MachineConfigPool",
        "metadata": {"name": pool, "labels": labels},
        "spec": {
            "configuration": {"name": rendered, "source": source},
            "machineConfigSelector": _selector(pool),
            "nodeSelector": {"matchLabels": {f"node-role.kubernetes.io/{pool}": ""}},
            "paused": paused,
        },
        "status": {
            "configuration": {"name": rendered, "source": source},
            "conditions": [
                condition("RenderDegraded", False, ""),
                condition("NodeDegraded", False, ""),
                condition("Degraded", False, ""),
                condition("Updated", True, "", updated),
                condition("Updating", False, ""),
                condition("PinnedImageSetsDegraded", False, ""),
            ],
            "certExpirys": [],
            "observedGeneration": 1,
            **counts,
            "unavailableMachineCount": 0,
            "degradedMachineCount": 0,
            "poolSynchronizersStatus": [{"poolSynchronizerType": "PinnedImageSets", **pinned}],
        },
    }


def machine_config_node(node: str, pool: str, version: str = "4.21.3") -> Json:
    """Return the MachineConfigNode of an updated node.

    Source: machine-config-operator, pkg/upgrademonitor/upgrade_monitor.go.
    """
    rendered = rendered_name(pool, version)
    not_yet = {step: f"This node has not yet entered the {step} phase" for step in NODE_STEPS}
    steps = [condition(step, False, "NotYetOccurred", message) for step, message in not_yet.items()]
    return {
        "apiVersion": API_VERSION,
        "kind": "MachineConfigNode",
        "metadata": {"name": node},
        "spec": {"configVersion": {"desired": rendered}, "node": {"name": node}, "pool": {"name": pool}},
        "status": {
            "conditions": [
                condition("Updated", True, "Updated", f"Node {node} Updated"),
                *steps,
            ],
            "configVersion": {"current": rendered, "desired": rendered},
            "observedGeneration": 1,
        },
    }


def machine_config_with_file(name: str, role: str, path: str, content: str) -> Json:
    """Return a MachineConfig of a user's, such as ``50-chrony``: one file for all nodes of a role."""
    file = {"path": path, "mode": 0o644, "overwrite": True, "contents": {"source": f"data:,{quote(content)}"}}
    config = {"ignition": {"version": "3.2.0"}, "storage": {"files": [file]}}
    return _machine_config(name, {"labels": {ROLE_LABEL: role}}, {"config": config})


def machine_config_with_os(name: str, role: str, image: str) -> Json:
    """Return a MachineConfig by which all nodes of a role boot another OS image, named with its digest."""
    spec = {"osImageURL": image, "config": {"ignition": {"version": "3.2.0"}}}
    return _machine_config(name, {"labels": {ROLE_LABEL: role}}, spec)


def pinned_image_set(name: str, pool: str, images: Iterable[str]) -> Json:
    """Return a PinnedImageSet for the nodes of a pool."""
    return {
        "apiVersion": API_VERSION,
        "kind": "PinnedImageSet",
        "metadata": {"name": name, "labels": {ROLE_LABEL: pool}},
        "spec": {"pinnedImages": [{"name": image} for image in images]},
    }


def _base(pool: str) -> str:
    """A custom pool has the workers'."""
    return "00-master" if pool == "master" else "00-worker"


_RELEASE = "machineconfiguration.openshift.io/release-image-version"


def _selector(pool: str) -> Json:
    """A custom pool takes the workers' configurations and its own; an admission policy demands the former."""
    if pool in ("master", "worker"):
        return {"matchLabels": {ROLE_LABEL: pool}}
    return {"matchExpressions": [{"key": ROLE_LABEL, "operator": "In", "values": ["worker", pool]}]}


def _machine_config(name: str, metadata: Json, spec: Json) -> Json:
    return {"apiVersion": API_VERSION, "kind": "MachineConfig", "metadata": {"name": name, **metadata}, "spec": spec}


def _file(version: str) -> Json:
    contents = {"source": f"data:,{version}", "compression": ""}
    return {"path": "/etc/lab-release", "mode": 420, "overwrite": True, "contents": contents}
