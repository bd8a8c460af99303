# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a cluster with a machine-config operator is given so that its nodes list the slots.

It owns storage.conf, so nothing on the node may change that. Sources: machineconfiguration.openshift.io
MachineConfig and ContainerRuntimeConfig; Ignition 3.2, ``storage.files``.
"""

from __future__ import annotations

import base64
import typing as t
from collections.abc import Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_conf import with_slots
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import SLOT_PATHS
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_units import tmpfiles_text

API = "machineconfiguration.openshift.io/v1"
NAME = "fieldops-image-stores"
TMPFILES = "/etc/tmpfiles.d/fieldops-image-stores.conf"
PART_OF = {"app.kubernetes.io/part-of": "fieldops-openshift"}


def machine_config(pool: str, storage_conf: str) -> dict[str, t.Any]:
    """Return the MachineConfig that makes the slots and lists them in a pool's present ``storage_conf``.

    For releases whose ContainerRuntimeConfig knows no additional stores. A pool reboots for it, so it is applied right
    before an update, which reboots in any case.
    """
    conf = with_slots(storage_conf, "storage.conf")
    files = [_file("/etc/containers/storage.conf", conf), _file(TMPFILES, tmpfiles_text())]
    return _of_pool(pool, {"ignition": {"version": "3.2.0"}, "storage": {"files": files}})


def slots_machine_config(pool: str) -> dict[str, t.Any]:
    """Return the MachineConfig that only makes the slots, to go with a ContainerRuntimeConfig."""
    return _of_pool(pool, {"ignition": {"version": "3.2.0"}, "storage": {"files": [_file(TMPFILES, tmpfiles_text())]}})


def container_runtime_config(pool: str) -> dict[str, t.Any]:
    """Return the ContainerRuntimeConfig that lists the slots, for releases that have ``additionalImageStores``."""
    return {
        "apiVersion": API,
        "kind": "ContainerRuntimeConfig",
        "metadata": {"name": f"{NAME}-{pool}", "labels": dict(PART_OF)},
        "spec": {
            "machineConfigPoolSelector": {
                "matchLabels": {f"pools.operator.machineconfiguration.openshift.io/{pool}": ""}
            },
            "containerRuntimeConfig": {"additionalImageStores": [{"path": path} for path in SLOT_PATHS]},
        },
    }


def documents(pool: str, storage_conf: str) -> Sequence[dict[str, t.Any]]:
    """Return both methods for one pool: the MachineConfig alone, or the other two together."""
    return (machine_config(pool, storage_conf), slots_machine_config(pool), container_runtime_config(pool))


def _of_pool(pool: str, config: dict[str, t.Any]) -> dict[str, t.Any]:
    labels = {"machineconfiguration.openshift.io/role": pool, **PART_OF}
    return {
        "apiVersion": API,
        "kind": "MachineConfig",
        "metadata": {"name": f"99-{pool}-{NAME}", "labels": labels},
        "spec": {"config": config},
    }


def _file(path: str, text: str) -> dict[str, t.Any]:
    encoded = base64.b64encode(text.encode()).decode()
    source = f"data:text/plain;charset=utf-8;base64,{encoded}"
    return {"path": path, "mode": 0o644, "overwrite": True, "contents": {"source": source}}
