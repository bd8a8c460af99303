# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A whole healthy cluster as API objects, for tests that need no real nodes."""

from __future__ import annotations

from collections.abc import Iterable

from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed import cluster, machine_configs, nodes


def healthy_cluster(
    version: str = "4.21.3", *, control_plane: int = 3, workers: int = 2, platform: str = "BareMetal"
) -> list[Json]:
    """Return every object that a cluster of this size and version shows when it is at rest.

    As in OpenShift, control-plane nodes are workers too where there are no others.
    """
    infrastructure = cluster.infrastructure(platform, control_plane=control_plane, workers=workers)
    whole = [cluster.cluster_version(version), infrastructure, *cluster.cluster_operators(version)]
    return [*whole, *managed_nodes("master", control_plane, version), *managed_nodes("worker", workers, version)]


def plant(client: RestClient, objects: Iterable[Json]) -> None:
    """Apply objects with their status.

    Nodes are applied twice: the API taints a new node as not ready (admission plug-in TaintNodesByCondition), and where
    no controller manager runs nobody else would take that back.
    """
    planted = list(objects)
    client.apply_all(planted)
    client.apply_all(one for one in planted if one["kind"] == "Node")


def managed_nodes(role: str, count: int, version: str = "4.21.3") -> list[Json]:
    """Return ``count`` nodes of a role with their pool, its MachineConfigs and their MachineConfigNodes."""
    return [
        *machine_configs.machine_configs(role, version),
        machine_configs.machine_config_pool(role, count, version),
        *(nodes.node(role, number, version=version) for number in range(count)),
        *(machine_configs.machine_config_node(nodes.node_name(role, n), role, version) for n in range(count)),
    ]
