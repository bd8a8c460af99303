# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""All that decides over the OS image of one pool, read from the cluster at once."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.own_namespace import create_in_own_namespace
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_mode_history import (
    ImageHistory,
    begun,
    history_document,
    history_name,
    history_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.machine_os_config import (
    MACHINE_OS_BUILD,
    MACHINE_OS_CONFIG,
    config_name,
    image_in_cluster,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    InvalidInputError,
    MissingRequirementError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import NAMESPACE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CONFIG_MAP,
    MACHINE_CONFIG,
    MACHINE_CONFIG_POOL,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

Object = Mapping[str, t.Any]


@dataclass(frozen=True)
class PoolObservation:
    """The objects of one pool; ``machine_config`` is ours, ``rendered`` the one that the pool must have."""

    pool: Object
    machine_os_config: Object | None
    machine_config: Object | None
    rendered: Object | None
    builds: Sequence[Object]
    history: ImageHistory
    history_version: str | None

    @property
    def name(self) -> str:
        """The pool's name."""
        return str(self.pool["metadata"]["name"])

    @property
    def rendered_name(self) -> str:
        """The name of the configuration that the pool must have."""
        return str(((self.pool.get("spec") or {}).get("configuration") or {}).get("name") or "")


def require_image_mode(client: ClusterClient) -> None:
    """Raise MissingRequirementError on a cluster that builds no OS images."""
    if not client.serves(MACHINE_OS_CONFIG):
        raise MissingRequirementError(
            "assign an OS image to a pool",
            on=client.access.server,
            seen="the cluster does not serve MachineOSConfig v1, which requires OpenShift 4.18.21, or 4.19 or later",
            advice="Update the cluster first. On hosts without a machine-config daemon, use os_image.",
        )


def read_observation(client: ClusterClient, pool: str) -> PoolObservation:
    """Read everything about ``pool``; raise InvalidInputError when there is none or another object has its image."""
    found = client.get(MACHINE_CONFIG_POOL, pool)
    if found is None:
        raise InvalidInputError(
            "assign an OS image to a pool",
            on=f"pool: {pool}",
            seen="the cluster has no MachineConfigPool of this name",
            advice="List the pools with 'oc get machineconfigpools'.",
        )
    configs = client.list_objects(MACHINE_OS_CONFIG)
    foreign = [one["metadata"]["name"] for one in configs if _pool_of(one) == pool and one["metadata"]["name"] != pool]
    if foreign:
        raise InvalidInputError(
            "assign an OS image to a pool",
            on=f"pool {pool}",
            seen=f"MachineOSConfig {foreign[0]} is for this pool",
            advice="Delete it first. The API requires that it has the name of the pool.",
        )
    rendered = ((found.get("spec") or {}).get("configuration") or {}).get("name")
    kept = client.get(CONFIG_MAP, history_name(pool), NAMESPACE)
    return PoolObservation(
        pool=found,
        machine_os_config=next((one for one in configs if one["metadata"]["name"] == pool), None),
        machine_config=client.get(MACHINE_CONFIG, config_name(pool)),
        rendered=client.get(MACHINE_CONFIG, rendered) if rendered else None,
        builds=client.list_objects(MACHINE_OS_BUILD),
        history=history_of(kept, pool),
        history_version=kept["metadata"]["resourceVersion"] if kept else None,
    )


def begun_history(observation: PoolObservation, client: ClusterClient) -> ImageHistory:
    """Return the history of the observation, which begins with what the cluster has where none is kept yet."""
    if observation.history.current:
        return observation.history
    found = image_in_cluster(observation.machine_os_config, observation.machine_config)
    built = ((observation.machine_os_config or {}).get("status") or {}).get("currentImagePullSpec")
    image = built or ((observation.rendered or {}).get("spec") or {}).get("osImageURL")
    return begun(found, str(image or ""), timestamp(client.clock.utcnow()))


def write_history(client: ClusterClient, observation: PoolObservation, history: ImageHistory) -> bool:
    """Write ``history`` where it differs from what was read; return whether it did.

    What the cluster has is written down no earlier than something else is requested. Raise ApiError of status 409 when
    others wrote since then: the next step reads again.
    """
    if history == observation.history or (observation.history_version is None and len(history.revisions) == 1):
        return False
    body = history_document(history, observation.name)
    if observation.history_version is not None:
        body["metadata"]["resourceVersion"] = observation.history_version
        client.apply(body, force=True)
        return True
    create_in_own_namespace(client, CONFIG_MAP, body)
    return True


def _pool_of(machine_os_config: Object) -> str:
    return str(((machine_os_config.get("spec") or {}).get("machineConfigPool") or {}).get("name") or "")
