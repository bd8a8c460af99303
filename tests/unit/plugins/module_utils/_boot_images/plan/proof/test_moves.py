# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A proof from one machine more to one machine less, and what may come between."""

from __future__ import annotations

import typing as t
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import MalformedError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
    MachineResource,
    resource_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.errors import (
    ProofRefusedError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.machines import MachineSeen
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.moves import (
    AUTOSCALED,
    ProofMove,
    ProofObservation,
    ProofRequest,
    next_proof_move,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.note import (
    ANNOTATION,
    SHRINKING,
    ProofNote,
    read_note,
    template_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.records import ProofRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import micro_time
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState

NOW = datetime(2026, 11, 21, 21, 10, tzinfo=timezone.utc)
PROVIDER = {"ami": {"id": "ami-1"}}
TEMPLATE = template_digest(PROVIDER)
OLD = (MachineSeen("w-a", "2026-01-01T00:00:00Z", "Running", "node-a"), MachineSeen("w-b", phase="Running"))
NEW = MachineSeen("w-new", "2026-11-21T21:00:10Z", "Provisioning")
RUNNING = replace(NEW, phase="Running", node="node-new")
NOTE = ProofNote(micro_time(NOW - timedelta(seconds=60)), "technician", TEMPLATE, 2, ("w-a", "w-b"))
PROVED = replace(NOTE, phase=SHRINKING, machine="w-new", node="node-new", proved=True, ended=micro_time(NOW))
REQUEST = ProofRequest("technician", patience=600)


def resource(replicas: int = 2, note: ProofNote | None = None, **further: t.Any) -> MachineResource:
    """Return a MachineSet of ``replicas`` machines."""
    metadata = {"name": "w", "resourceVersion": "7", **further}
    if note:
        metadata["annotations"] = {**further.get("annotations", {}), ANNOTATION: note.as_text()}
    template = {"spec": {"providerSpec": {"value": PROVIDER}}}
    return resource_of(
        {"kind": "MachineSet", "metadata": metadata, "spec": {"replicas": replicas, "template": template}}
    )


def node(notes: t.Mapping[str, str] | None = None, *, ready: bool = True) -> NodeState:
    """Return the new machine's node; ``notes`` are annotations of the machine-config daemon."""
    keys = {f"machineconfiguration.openshift.io/{name}": one for name, one in (notes or {}).items()}
    condition = {"type": "Ready", "status": str(ready), "message": "CNI is not ready"}
    return NodeState.of({"metadata": {"name": "node-new", "annotations": keys}, "status": {"conditions": [condition]}})


def move(
    found: MachineResource, *machines: MachineSeen, asked: ProofRequest = REQUEST, **observation: t.Any
) -> ProofMove:
    """Return the next move."""
    return next_proof_move(ProofObservation(found, machines, NOW, **observation), asked)


def test_it_begins_with_one_machine_more_and_notes_what_to_go_back_to() -> None:
    found = move(resource(), *OLD)
    assert found.replicas == 3
    assert found.note == ProofNote(micro_time(NOW), "technician", TEMPLATE, 2, ("w-a", "w-b"))
    assert read_note(found.note.as_text()) == found.note


DONE = {"state": "Done", "currentConfig": "rendered-1", "desiredConfig": "rendered-1"}
WORKING = {**DONE, "state": "Working", "desiredConfig": "rendered-2"}
WAITS: dict[str, tuple[tuple[MachineSeen, ...], NodeState | None, str]] = {
    "no machine yet": ((), None, "waits for a new machine of w"),
    "it is made": ((NEW,), None, "machine w-new is Provisioning"),
    "it says nothing yet": ((replace(NEW, phase=""),), None, "machine w-new is new"),
    "its node has not come": ((RUNNING,), None, "machine w-new is waiting for its node node-new"),
    "its node is not ready": ((RUNNING,), node(ready=False), "is not ready: CNI is not ready"),
    "its daemon works": ((RUNNING,), node(WORKING), "its machine-config daemon is Working, not Done"),
    "a machine that leaves is not the one": ((replace(NEW, being_deleted=True),), None, "waits for a new machine of w"),
}


@pytest.mark.parametrize(("fresh", "its_node", "sentence"), WAITS.values(), ids=WAITS)
def test_it_waits(fresh: tuple[MachineSeen, ...], its_node: NodeState | None, sentence: str) -> None:
    found = move(resource(3, NOTE), *OLD, *fresh, node=its_node)
    assert sentence in found.sentence
    assert (found.note, found.settled) == (None, False)


ENDS: dict[str, tuple[MachineResource, MachineSeen | None, NodeState | None, ProofRequest, bool, str]] = {
    "ready": (resource(3, NOTE), RUNNING, node(DONE), REQUEST, True, ""),
    "ready where no daemon runs": (resource(3, NOTE), RUNNING, node(), REQUEST, True, ""),
    "failed": (
        resource(3, NOTE),
        replace(NEW, phase="Failed", error="InsufficientResources: no capacity"),
        None,
        REQUEST,
        False,
        "machine w-new failed: InsufficientResources: no capacity",
    ),
    "too late": (
        resource(3, NOTE),
        RUNNING,
        node(ready=False),
        ProofRequest(patience=59),
        False,
        "no node was ready after 59 s: node node-new of machine w-new is not ready",
    ),
    "never made": (resource(3, NOTE), None, None, ProofRequest(patience=59), False, "waits for a new machine"),
    "withdrawn": (resource(3, NOTE), NEW, None, ProofRequest(withdraw=True), False, "it was withdrawn"),
}


@pytest.mark.parametrize(("found", "fresh", "its_node", "asked", "proved", "reason"), ENDS.values(), ids=ENDS)
def test_it_goes_back(
    found: MachineResource,
    fresh: MachineSeen | None,
    its_node: NodeState | None,
    asked: ProofRequest,
    proved: bool,
    reason: str,
) -> None:
    ended = move(found, *OLD, *((fresh,) if fresh else ()), node=its_node, asked=asked)
    assert ended.note is not None
    assert (ended.replicas, ended.mark) == (2, "w-new" if fresh else "")
    assert (ended.note.phase, ended.note.proved) == (SHRINKING, proved)
    assert reason in ended.note.reason


@pytest.mark.parametrize("replicas", [2, 4, 6])
def test_a_size_that_somebody_else_has_set_meanwhile_stays(replicas: int) -> None:
    ended = move(resource(replicas, NOTE), *OLD, NEW)
    assert ended.note is not None
    assert (ended.replicas, ended.mark, ended.note.kept) == (None, "", True)
    assert f"it was scaled to {replicas} in the meantime" in ended.sentence
    assert move(resource(replicas, ended.note), *OLD, NEW).finish, "and their machines are not waited for"


LEAVING: dict[str, tuple[tuple[MachineSeen, ...], NodeState | None, bool, str]] = {
    "the machine is there": ((RUNNING,), node(), False, "waits until machine w-new is removed, it is Running"),
    "its node is there": ((), node(), False, "waits until node node-new is removed"),
    "all is gone": ((), None, True, "machine w-new became ready"),
}


@pytest.mark.parametrize(("fresh", "its_node", "finish", "sentence"), LEAVING.values(), ids=LEAVING)
def test_it_ends_when_machine_and_node_are_gone(
    fresh: tuple[MachineSeen, ...], its_node: NodeState | None, finish: bool, sentence: str
) -> None:
    found = move(resource(2, PROVED), *OLD, *fresh, node=its_node)
    assert (found.finish, found.sentence) == (finish, sentence)


RECORD = ProofRecord("w", TEMPLATE, proved=True, machine="w-old", ended="2026-11-20T20:00:00.000000Z")
RECORDS: dict[str, tuple[ProofRecord, ProofRequest, bool]] = {
    "proved before": (RECORD, REQUEST, True),
    "proved with another template": (replace(RECORD, template="sha256:0"), REQUEST, False),
    "failed before": (replace(RECORD, proved=False), REQUEST, False),
    "proved, but once more": (RECORD, ProofRequest(again=True), False),
}


@pytest.mark.parametrize(("record", "asked", "settled"), RECORDS.values(), ids=RECORDS)
def test_what_is_proved_is_not_proved_again(record: ProofRecord, asked: ProofRequest, settled: bool) -> None:
    assert move(resource(), *OLD, record=record, asked=asked).settled is settled


@pytest.mark.parametrize(
    "machines", [OLD[:1], (OLD[0], replace(OLD[1], being_deleted=True)), (*OLD, replace(NEW, being_deleted=True))]
)
def test_it_begins_only_at_rest(machines: tuple[MachineSeen, ...]) -> None:
    found = move(resource(), *machines)
    assert found.sentence.startswith("waits until w has settled")
    assert found.note is None


def test_nothing_is_withdrawn_where_nothing_goes_on() -> None:
    assert move(resource(), *OLD, asked=ProofRequest(withdraw=True)).settled


REFUSED: dict[str, tuple[MachineResource, str]] = {
    "owned": (resource(ownerReferences=[{"kind": "MachineDeployment", "name": "d"}]), "MachineDeployment/d owns it"),
    "Hive's": (resource(labels={"hive.openshift.io/managed": "true"}), "Hive manages it from a hub"),
    "autoscaled": (resource(annotations={AUTOSCALED: "6"}), "the autoscaler scales it"),
    "being deleted": (resource(deletionTimestamp="2026-11-21T21:00:00Z"), "it is being deleted"),
    "without a template": (replace(resource(), provider=None, flaw="it has no providerSpec.value"), "no providerSpec"),
    "on its way to the Cluster API": (replace(resource(), authority="Migrating"), "authority is changing"),
    "governed by the Cluster API": (
        replace(resource(), authority="ClusterAPI"),
        "it mirrors an object of the Cluster API",
    ),
}


@pytest.mark.parametrize(("found", "seen"), REFUSED.values(), ids=REFUSED)
def test_refused(found: MachineResource, seen: str) -> None:
    with pytest.raises(ProofRefusedError) as refusal:
        move(found, *OLD)
    assert seen in refusal.value.seen


def test_an_autoscaled_one_is_proved_if_that_is_said() -> None:
    asked = replace(REQUEST, even_if_autoscaled=True)
    assert move(resource(annotations={AUTOSCALED: "6"}), *OLD, asked=asked).replicas == 3


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "null",
        '"x"',
        '{"schemaVersion": "2"}',
        '{"schemaVersion": "1"}',
        NOTE.as_text().replace('"growing"', '"flying"'),
        NOTE.as_text().replace('"replicas": 2', '"replicas": "2"'),
        NOTE.as_text().replace('["w-a", "w-b"]', "[1]"),
        NOTE.as_text().replace('"technician"', "{}"),
        "[" * 100_000,
    ],
)
def test_a_damaged_note_is_an_error_that_says_what_to_do(text: str) -> None:
    with pytest.raises(MalformedError) as refusal:
        read_note(text)
    assert "remove the annotation" in refusal.value.advice
