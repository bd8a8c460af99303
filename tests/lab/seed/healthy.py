# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A whole healthy cluster as API objects, for tests that need no real nodes."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from weakref import WeakKeyDictionary

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


def plant(client: RestClient, objects: Iterable[Json], *, cleared: Collection[str] = ()) -> None:
    """Apply objects with their status, and delete all others of the collections that are ``cleared``.

    What is as this client planted it before is left alone: to apply a whole cluster takes most of a short test.
    """
    wanted = {client.path_of(one): one for one in objects}
    known = _PLANTED.setdefault(client, {})
    untouched: set[str] = set()
    for collection in {*cleared, *(path.rpartition("/")[0] for path in known.keys() & wanted.keys())}:
        items = client.get(collection)["items"]
        found = {f"{collection}/{one['metadata']['name']}": one["metadata"]["resourceVersion"] for one in items}
        same = {path for path, version in found.items() if known.get(path) == (_text(wanted.get(path)), version)}
        untouched |= same
        if collection in cleared:
            _delete(client, collection, found.keys() - same, are_all=not same)
    changed = {path: one for path, one in wanted.items() if path not in untouched}
    for path, version in _applied(client, changed).items():
        known[path] = (_text(wanted[path]), version)


_PLANTED: WeakKeyDictionary[RestClient, dict[str, tuple[str, str]]] = WeakKeyDictionary()
"""By client and path: what was planted, as text, and its resource version then."""


def _text(one: Json | None) -> str:
    return json.dumps(one, sort_keys=True)


def _delete(client: RestClient, collection: str, paths: Collection[str], *, are_all: bool) -> None:
    if are_all:
        client.delete(collection)
        return
    for path in paths:
        client.delete(path)


def _applied(client: RestClient, objects: Mapping[str, Json]) -> dict[str, str]:
    """Apply objects, and return their resource versions.

    Nodes are applied twice: the API taints a new node as not ready (admission plug-in TaintNodesByCondition), and where
    no controller manager runs nobody else would take that back.
    """
    nodes_of = {path: one for path, one in objects.items() if one["kind"] == "Node"}
    versions = {}
    for group in (objects, nodes_of):
        for path, applied in zip(group, client.apply_all(group.values()), strict=True):
            versions[path] = applied["metadata"]["resourceVersion"]
    return versions


def managed_nodes(role: str, count: int, version: str = "4.21.3") -> list[Json]:
    """Return ``count`` nodes of a role with their pool, its MachineConfigs and their MachineConfigNodes."""
    return [
        *machine_configs.machine_configs(role, version),
        machine_configs.machine_config_pool(role, count, version),
        *(nodes.node(role, number, version=version) for number in range(count)),
        *(machine_configs.machine_config_node(nodes.node_name(role, n), role, version) for n in range(count)),
    ]
