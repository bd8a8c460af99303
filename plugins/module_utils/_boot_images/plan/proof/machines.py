# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Machines as a proof sees them.

Source: openshift/api, machine/v1beta1/types_machine.go; machine-api-operator, pkg/controller/machine/controller.go
(phases) and pkg/controller/machineset/delete_policy.go (which machine goes first).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.observed import (
    Object,
    as_list,
    as_mapping,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind

MACHINE = ObjectKind("machine.openshift.io/v1beta1", "Machine")
GOES_FIRST = "machine.openshift.io/delete-machine"
"""A machine with this annotation is the first to be removed when its MachineSet shrinks, whatever its policy."""


@dataclass(frozen=True)
class MachineSeen:
    """One machine; ``error`` is final to the machine API, which never tries such a machine again."""

    name: str
    created: str = ""
    phase: str = ""
    node: str = ""
    error: str = ""
    being_deleted: bool = False


def machines_of(found: Iterable[Object], machine_set: str) -> tuple[MachineSeen, ...]:
    """Return the machines that ``machine_set`` owns, the oldest first."""
    owned = [one for one in found if _is_owned(one, machine_set)]
    return tuple(sorted(map(_seen, owned), key=lambda one: (one.created, one.name)))


def standing(machine: MachineSeen, node: NodeState | None) -> tuple[bool, str]:
    """Return whether a machine has become a node that is ready for work, and in words where it stands."""
    if not machine.node:
        return False, f"machine {machine.name} is {machine.phase or 'new'}"
    if node is None:
        return False, f"machine {machine.name} is waiting for its node {machine.node}"
    if not node.ready:
        return False, f"node {node.name} of machine {machine.name} is not ready: {node.ready_reason}"
    if node.is_managed and not node.is_updated:
        state = node.daemon_state or "unknown"
        return False, f"node {node.name} is ready, its machine-config daemon is {state}, not Done"
    return True, f"node {node.name} of machine {machine.name} is ready"


def _seen(found: Object) -> MachineSeen:
    metadata, status = as_mapping(found.get("metadata")), as_mapping(found.get("status"))
    phase = str(status.get("phase") or "")
    reason, message = str(status.get("errorReason") or ""), str(status.get("errorMessage") or "")
    error = ": ".join(part for part in (reason, message) if part)
    return MachineSeen(
        name=str(metadata.get("name") or ""),
        created=str(metadata.get("creationTimestamp") or ""),
        phase=phase,
        node=str(as_mapping(status.get("nodeRef")).get("name") or ""),
        error=(error or "its phase is Failed") if phase == "Failed" or error else "",
        being_deleted="deletionTimestamp" in metadata,
    )


def _is_owned(found: Object, machine_set: str) -> bool:
    owners = as_list(as_mapping(found.get("metadata")).get("ownerReferences"))
    return any(
        isinstance(one, dict) and one.get("kind") == "MachineSet" and one.get("name") == machine_set for one in owners
    )
