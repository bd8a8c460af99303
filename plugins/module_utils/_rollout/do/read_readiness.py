# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Reads what the return of a node is judged by."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.claim import Claim
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.lock import renew_lock
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.node_write import read_node
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.guards import GUARD_LABEL, missing_guards
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.readiness import (
    Before,
    heartbeat_of,
    missing_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import LEASE, POD

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient

LEASES = "kube-node-lease"


@dataclass(frozen=True)
class NodeReadiness:
    """A node as it was seen, and what is missing until it is back."""

    state: NodeState
    heartbeat: str
    missing: list[str]

    @property
    def ready(self) -> bool:
        """Whether nothing is missing."""
        return not self.missing

    @property
    def sentence(self) -> str:
        """Where the node stands, in plain words."""
        return f"{self.state.name} is back" if self.ready else f"{self.state.name}: {'; '.join(self.missing)}"

    def as_data(self) -> dict[str, t.Any]:
        """Return the values that the module returns."""
        state = self.state
        return {
            "ready": self.ready,
            "missing": self.missing,
            "boot_id": state.boot_id,
            "heartbeat": self.heartbeat,
            "kubelet_version": state.kubelet_version,
            "os_image": state.os_image,
            "schedulable": state.schedulable,
        }


def readiness_step(client: ClusterClient, options: Mapping[str, t.Any]) -> NodeReadiness:
    """Look at a node as the options of node_ready_info say; within a rollout renew the lock first."""
    claim = Claim.of(options["rollout"])
    if claim:
        renew_lock(client, claim.holder)
    before = Before(options["boot_id"], options["heartbeat"])
    return read_readiness(client, options["name"], before, with_guards=options["guards"])


def read_readiness(client: ClusterClient, name: str, before: Before, *, with_guards: bool = False) -> NodeReadiness:
    """Look at a node once, ``with_guards`` at the guards of its static pods as well; raise NoSuchNodeError."""
    node = read_node(client, name)
    lease = read_node_lease(client, name)
    pods = client.list_objects(POD, fields=f"spec.nodeName={name}")
    missing = missing_of(node, lease, pods, before)
    if with_guards:
        missing += missing_guards(name, client.list_objects(POD, labels=GUARD_LABEL))
    return NodeReadiness(NodeState.of(node), heartbeat_of(node, lease), missing)


def read_node_lease(client: ClusterClient, name: str) -> Mapping[str, t.Any] | None:
    """Return the Lease by which the node's kubelet says every few seconds that it lives."""
    return client.get(LEASE, name, LEASES)
