# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The proof of a boot image, one write or one check at a time."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.proof_reading import read_observation
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
    MACHINE_API,
    MACHINE_SET,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.errors import failed
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.machines import (
    GOES_FIRST,
    MACHINE,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.moves import (
    ProofMove,
    ProofObservation,
    ProofRequest,
    next_proof_move,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.note import (
    ANNOTATION,
    ProofNote,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.records import (
    CONFIG_MAP_NAME,
    ProofRecord,
    record_body,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.report import proof_data
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.own_namespace import create_in_own_namespace
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.reviews import who_am_i
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import NAMESPACE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CONFIG_MAP
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

PROOF_OPTIONS: t.Mapping[str, t.Mapping[str, t.Any]] = {
    "name": {"type": "str", "required": True},
    "state": {"type": "str", "choices": ["proved", "withdrawn"], "default": "proved"},
    "machine_timeout": {"type": "int", "default": 3600},
    "again": {"type": "bool", "default": False},
    "even_if_autoscaled": {"type": "bool", "default": False},
}
_CONFLICT = 409


def proof_step(client: ClusterClient, params: Mapping[str, t.Any]) -> Step:
    """Do the next thing towards the proof of a MachineSet, or towards its end, and say where it stands.

    Raise ProofRefusedError before anything is changed, ProofFailedError when everything is as it was before and the
    machine had not become ready, InvalidInputError for a MachineSet that is not there, ApiError.
    """
    observation, kept = read_observation(client, params["name"])
    request = _request(client, params, observation)
    move = next_proof_move(observation, request)
    try:
        wrote = _carry_out(client, observation, move, kept)
    except ApiError as error:
        # Another writer was faster: the next step reads and decides again.
        error.transient = error.transient or error.status == _CONFLICT
        raise
    objects = proof_data(observation, move)
    ended = move.finish and not client.dry_run
    if ended and move.note and not move.note.proved and not request.withdraw:
        raise failed(observation.resource.name, move.note.reason, {"changed": True, **objects})
    return Step(
        sentence=move.sentence,
        done=ended or move.settled,
        changed=wrote,
        objects=objects,
        actions=client.actions.as_data(),
        diff=_difference(observation, move) if wrote else None,
        next_delay=0.5 if wrote else 10.0,
    )


def _request(client: ClusterClient, params: Mapping[str, t.Any], observation: ProofObservation) -> ProofRequest:
    withdraw = params["state"] == "withdrawn"
    return ProofRequest(
        by="" if withdraw or observation.note else who_am_i(client).username,
        withdraw=withdraw,
        again=params["again"],
        patience=max(1, params["machine_timeout"]),
        even_if_autoscaled=params["even_if_autoscaled"],
    )


def _carry_out(
    client: ClusterClient, observation: ProofObservation, move: ProofMove, kept: Mapping[str, t.Any] | None
) -> bool:
    """Make the writes of ``move`` and return whether there were any."""
    if move.note is None:
        return False
    if move.finish:
        # First the record: who is killed in between records it once more.
        _record(client, kept, _record_of(observation, move.note))
        _patch(client, observation, {"metadata": {"annotations": {ANNOTATION: None}}})
        return True
    if move.mark:
        mark = {"metadata": {"annotations": {GOES_FIRST: "true"}}}
        client.patch(MACHINE, move.mark, mark, MACHINE_API)
    change: dict[str, t.Any] = {"metadata": {"annotations": {ANNOTATION: move.note.as_text()}}}
    if move.replicas is not None:
        change["spec"] = {"replicas": move.replicas}
    _patch(client, observation, change)
    return True


def _patch(client: ClusterClient, observation: ProofObservation, change: Mapping[str, t.Any]) -> None:
    resource = observation.resource
    client.patch(MACHINE_SET, resource.name, change, MACHINE_API, resource_version=resource.resource_version)


def _record(client: ClusterClient, kept: Mapping[str, t.Any] | None, record: ProofRecord) -> None:
    body = record_body(kept, record)
    if kept is None:
        content = {key: text for key, text in body["data"].items() if text is not None}
        create_in_own_namespace(client, CONFIG_MAP, {**body, "data": content})
        return
    version = str(kept["metadata"]["resourceVersion"])
    client.patch(CONFIG_MAP, CONFIG_MAP_NAME, body, NAMESPACE, resource_version=version)


def _record_of(observation: ProofObservation, note: ProofNote) -> ProofRecord:
    there = {one.name for one in observation.machines}
    restored = there == set(note.machines) and observation.resource.replicas == note.replicas
    return ProofRecord.of_note(observation.resource.name, note, restored=restored)


def _difference(observation: ProofObservation, move: ProofMove) -> dict[str, t.Any] | None:
    if move.replicas is None:
        return None
    return {"before": {"replicas": observation.resource.replicas}, "after": {"replicas": move.replicas}}
