# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The OS images that were built for pools in image mode."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import MACHINE_OS_CONFIG


def read_built_images(client: ClusterClient) -> dict[str, str]:
    """Return by pool the image that its nodes must have; a pool that is not in image mode has none.

    A MachineOSConfig is named after its pool (its own validation rule). Source: machine-config-operator,
    pkg/controller/common/layered_node_state.go, SetDesiredStateFromMachineOSConfig.
    """
    found = client.list_objects(MACHINE_OS_CONFIG, missing_ok=True)
    images = {one["metadata"]["name"]: (one.get("status") or {}).get("currentImagePullSpec") for one in found}
    return {pool: str(image) for pool, image in images.items() if image}
