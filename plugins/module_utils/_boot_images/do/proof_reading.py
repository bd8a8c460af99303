# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads what a proof is about: the MachineSet, its machines, the new one's node, and the record of earlier proofs."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
    MACHINE_API,
    MACHINE_SET,
    resource_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.observed import as_mapping
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.machines import (
    MACHINE,
    machines_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.moves import (
    ProofObservation,
    newcomer,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.records import (
    CONFIG_MAP_NAME,
    read_records,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import NAMESPACE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CONFIG_MAP, NODE


def read_observation(client: ClusterClient, name: str) -> tuple[ProofObservation, Mapping[str, t.Any] | None]:
    """Return all that decides about the proof of MachineSet ``name``, and the ConfigMap of records, None without one.

    Raise InvalidInputError where there is no such MachineSet, MalformedError where its note cannot be read.
    """
    found = _machine_set(client, name)
    machines = machines_of(client.list_objects(MACHINE, MACHINE_API, labels=_labels(found)), name)
    kept = client.get(CONFIG_MAP, CONFIG_MAP_NAME, NAMESPACE)
    observation = ProofObservation(
        resource_of(found), machines, client.clock.utcnow(), record=read_records(kept).get(name)
    )
    note = observation.note
    if note is None:
        return observation, kept
    machine = newcomer(note, machines)
    name_of_node = (machine.node if machine else "") or note.node
    node = client.get(NODE, name_of_node) if name_of_node else None
    state = NodeState.of(node) if node is not None else None
    return ProofObservation(observation.resource, machines, observation.instant, state, observation.record), kept


def _labels(found: Mapping[str, t.Any]) -> str:
    """Return the selector of a MachineSet, which its machines match, empty for one of another form."""
    wanted = as_mapping(as_mapping(as_mapping(found.get("spec")).get("selector")).get("matchLabels"))
    return ",".join(f"{key}={value}" for key, value in wanted.items())


def _machine_set(client: ClusterClient, name: str) -> Mapping[str, t.Any]:
    found = client.get(MACHINE_SET, name, MACHINE_API, missing_ok=True)
    if found is None:
        raise InvalidInputError(
            "prove a boot image",
            on="name",
            seen=f"there is no MachineSet {name[:100]} in {MACHINE_API}",
            advice="List the MachineSets with fieldops.openshift.boot_image_info.",
        )
    return {"kind": MACHINE_SET.kind, **found}
