# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The next thing to do in the proof of a boot image: one machine more, and when it is ready or has failed, one less.

Every move can be the last one of a run that is killed: what is noted on the MachineSet leads on from there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.exclusions import governed_elsewhere
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
    MachineResource,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.errors import refused
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.machines import (
    MachineSeen,
    standing,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.note import (
    ANNOTATION,
    GROWING,
    SHRINKING,
    ProofNote,
    read_note,
    template_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.proof.records import ProofRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of, micro_time
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState

AUTOSCALED = "machine.openshift.io/cluster-api-autoscaler-node-group-max-size"


@dataclass(frozen=True)
class ProofRequest:
    """What is requested: a proof or its end, for how many seconds a machine may take, and by whom."""

    by: str = ""
    withdraw: bool = False
    again: bool = False
    patience: float = 3600.0
    even_if_autoscaled: bool = False


@dataclass(frozen=True)
class ProofObservation:
    """What was read: the MachineSet, its machines with the new one's node, the record of an earlier proof, the time."""

    resource: MachineResource
    machines: tuple[MachineSeen, ...]
    instant: datetime
    node: NodeState | None = None
    record: ProofRecord | None = None

    @property
    def note(self) -> ProofNote | None:
        """What a proof that is in progress has noted; raise MalformedError where it cannot be read."""
        text = self.resource.annotations.get(ANNOTATION)
        return read_note(text) if text else None


@dataclass(frozen=True)
class ProofMove:
    """``note`` and ``replicas`` are what is written, ``mark`` the machine to be removed first; or nothing, a wait.

    With ``finish`` the proof is recorded and its note removed; with ``settled`` there is nothing more to do.
    """

    sentence: str
    note: ProofNote | None = None
    replicas: int | None = None
    mark: str = ""
    finish: bool = False
    settled: bool = False


def newcomer(note: ProofNote, machines: tuple[MachineSeen, ...]) -> MachineSeen | None:
    """Return the machine that the proof is about: the oldest of those that were not there before."""
    named = [one for one in machines if one.name == note.machine]
    fresh = [one for one in machines if one.name not in note.machines and not one.being_deleted]
    return next(iter([*named, *fresh]), None)


def next_proof_move(observation: ProofObservation, request: ProofRequest) -> ProofMove:
    """Return what to do now; raise ProofRefusedError where no machine may be added, MalformedError."""
    note = observation.note
    if note is None:
        return _before(observation, request)
    return _while_growing(observation, request, note) if note.phase == GROWING else _while_shrinking(observation, note)


def _before(observation: ProofObservation, request: ProofRequest) -> ProofMove:
    name, record = observation.resource.name, observation.record
    if request.withdraw:
        return ProofMove("no proof is in progress", settled=True)
    template = template_digest(observation.resource.provider)
    if record is not None and record.proved and record.template == template and not request.again:
        return ProofMove(f"machine {record.machine} proved it at {record.ended}", settled=True)
    _check(observation, request)
    replicas, there = observation.resource.replicas or 0, [one for one in observation.machines if not one.being_deleted]
    if len(there) != replicas or len(observation.machines) != replicas:
        leaving = len(observation.machines) - len(there)
        return ProofMove(
            f"waits until {name} has settled: it has {len(there)} of {replicas} machines, {leaving} more are leaving"
        )
    note = ProofNote(
        began=micro_time(observation.instant),
        by=request.by,
        template=template,
        replicas=replicas,
        machines=tuple(one.name for one in observation.machines),
    )
    return ProofMove(f"adds a machine to {name}, which has {replicas}", note, replicas + 1)


def _check(observation: ProofObservation, request: ProofRequest) -> None:
    """Raise ProofRefusedError where another writer would undo the change, or where there is nothing to prove."""
    resource = observation.resource
    elsewhere = governed_elsewhere(resource)
    if elsewhere:
        raise refused(
            resource.name, elsewhere[1], "Add a machine at the object that manages it, or prove another MachineSet."
        )
    if resource.flaw:
        raise refused(resource.name, resource.flaw, "Prove another MachineSet.")
    if AUTOSCALED in resource.annotations and not request.even_if_autoscaled:
        raise refused(
            resource.name,
            "the autoscaler scales it as well, and could remove the machine before it is ready",
            "Pause it with fieldops.openshift.machine_scaling_pause first, or set even_if_autoscaled.",
        )


def _while_growing(observation: ProofObservation, request: ProofRequest, note: ProofNote) -> ProofMove:
    machine = newcomer(note, observation.machines)
    none_yet = f"waits for a new machine of {observation.resource.name}"
    ready, words = standing(machine, observation.node) if machine else (False, none_yet)
    if ready:
        return _end(observation, note, machine, "", proved=True)
    if request.withdraw:
        return _end(observation, note, machine, f"it was withdrawn; {words}")
    if machine and machine.error:
        return _end(observation, note, machine, f"machine {machine.name} failed: {machine.error}")
    if observation.resource.replicas != note.replicas + 1:
        return _end(
            observation, note, machine, f"it was scaled to {observation.resource.replicas} in the meantime; {words}"
        )
    began = instant_of(note.began)
    if began is None or (observation.instant - began).total_seconds() > request.patience:
        return _end(observation, note, machine, f"no node was ready after {request.patience:.0f} s: {words}")
    return ProofMove(words)


def _end(
    observation: ProofObservation, note: ProofNote, machine: MachineSeen | None, reason: str, *, proved: bool = False
) -> ProofMove:
    """Return the move that removes the machine; a size that others have set since then is kept."""
    kept = observation.resource.replicas != note.replicas + 1
    name = machine.name if machine else ""
    ended = replace(
        note,
        phase=SHRINKING,
        machine=name,
        node=machine.node if machine else "",
        proved=proved,
        reason=reason,
        ended=micro_time(observation.instant),
        kept=kept,
    )
    words = reason or f"machine {name} is proved"
    if kept:
        return ProofMove(f"{words}; keeps the size that another user set", ended)
    return ProofMove(f"{words}; scales back to {note.replicas} machines", ended, note.replicas, name)


def _while_shrinking(observation: ProofObservation, note: ProofNote) -> ProofMove:
    left = next((one for one in observation.machines if one.name == note.machine), None)
    if left is not None and not note.kept:
        return ProofMove(f"waits until machine {left.name} is removed, it is {left.phase or 'new'}")
    if observation.node is not None and not note.kept:
        return ProofMove(f"waits until node {observation.node.name} is removed")
    return ProofMove(_verdict(note), note, finish=True)


def _verdict(note: ProofNote) -> str:
    return f"machine {note.machine} became ready" if note.proved else f"not proved: {note.reason}"
