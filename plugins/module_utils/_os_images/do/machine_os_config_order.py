# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Applying what a pool is asked to have: its MachineConfig and its MachineOSConfig."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.pool_observation import (
    PoolObservation,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.machine_os_config import (
    MACHINE_OS_CONFIG,
    REBUILD_WORD,
    SUPERSEDED_BUILD,
    PoolImage,
    image_in_cluster,
    machine_config_document,
    machine_os_config_document,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.machine_os_config_builds import (
    REBUILD,
    current_build_uid,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import PART_OF, PART_OF_LABEL
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import MACHINE_CONFIG

Object = Mapping[str, t.Any]


def require_own(observation: PoolObservation, wanted: PoolImage, *, take_over: bool) -> None:
    """Raise InvalidInputError where ``wanted`` removes an order of others."""
    found = observation.machine_os_config
    if found is None or wanted.build is not None or take_over:
        return
    if (found["metadata"].get("labels") or {}).get(PART_OF_LABEL) != PART_OF:
        raise InvalidInputError(
            "remove the built OS image of a pool",
            on=f"MachineOSConfig {observation.name}",
            seen="another user created it",
            advice="Set take_over to delete it nevertheless. Its configuration is kept for a rollback.",
        )


def place_order(
    client: ClusterClient, observation: PoolObservation, wanted: PoolImage, params: Mapping[str, t.Any]
) -> bool:
    """Bring both objects of the pool into the wanted form; return whether something changed.

    Raise ApiError of status 409 where others own the fields.
    """
    changed = _place_config(client, observation, wanted)
    if wanted.build is None:
        return _delete_os_config(client, observation) or changed
    return _place_os_config(client, observation, wanted, params) or changed


def _place_config(client: ClusterClient, observation: PoolObservation, wanted: PoolImage) -> bool:
    before = observation.machine_config
    if not wanted.os_image_url:
        if before is None:
            return False
        metadata = before["metadata"]
        return client.delete(MACHINE_CONFIG, metadata["name"], uid=metadata["uid"])
    if before is not None and (before.get("spec") or {}).get("osImageURL") == wanted.os_image_url:
        return False
    client.apply(machine_config_document(observation.name, wanted.os_image_url))
    return True


def _place_os_config(
    client: ClusterClient, observation: PoolObservation, wanted: PoolImage, params: Mapping[str, t.Any]
) -> bool:
    before, order = observation.machine_os_config, wanted.build
    if order is None:
        return False
    word = params["rebuild"] or ""
    if before is None:
        client.apply(machine_os_config_document(observation.name, order, "", word))
        return True
    notes = before["metadata"].get("annotations") or {}
    known = str(notes.get(REBUILD_WORD, ""))
    if image_in_cluster(before, None).build != order:
        superseded = current_build_uid(before, observation.builds)
        client.apply(
            machine_os_config_document(observation.name, order, superseded, word or known), force=params["take_over"]
        )
        return True
    if word and word != known:
        # One patch: a build that is made again has the same name, and only its UID distinguishes it from the earlier
        # one.
        superseded = current_build_uid(before, observation.builds)
        asked = {REBUILD: "", REBUILD_WORD: word, SUPERSEDED_BUILD: superseded}
        client.patch(MACHINE_OS_CONFIG, observation.name, {"metadata": {"annotations": asked}})
        return True
    return False


def _delete_os_config(client: ClusterClient, observation: PoolObservation) -> bool:
    found = observation.machine_os_config
    if found is None or found["metadata"].get("deletionTimestamp"):
        return False
    return client.delete(MACHINE_OS_CONFIG, observation.name, uid=found["metadata"]["uid"])
