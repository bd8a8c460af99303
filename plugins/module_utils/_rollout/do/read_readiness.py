# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads what the return of a node is judged by."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.claim import CLAIM_OPTION, Claim
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.lock import renew_lock
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.node_write import read_node
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.baseline import broken_parts
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.gates import GATE_OPTION, Gate
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.guards import missing_guards
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.readiness import (
    Before,
    Expected,
    heartbeat_of,
    missing_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.signing_requests import (
    IGNORE,
    REPORT,
    WAIT,
    PendingRequest,
    pending_requests,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import NodeRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import GUARD_SELECTOR
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CERTIFICATE_SIGNING_REQUEST,
    LEASE,
    POD,
    ObjectKind,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

LEASES = "kube-node-lease"


READINESS_OPTIONS: dict[str, dict[str, t.Any]] = {
    "name": {"type": "str", "required": True},
    "boot_id": {"type": "str", "default": ""},
    "heartbeat": {"type": "str", "default": ""},
    "config": {"type": "str", "default": ""},
    "image": {"type": "str", "default": ""},
    "guard_pods": {"type": "bool", "default": False},
    "csrs": {"type": "str", "choices": [IGNORE, REPORT, WAIT], "default": IGNORE},
    "gates": GATE_OPTION,
    "rollout": CLAIM_OPTION,
}


@dataclass(frozen=True)
class NodeReadiness:
    """A node as it was seen, what is missing until it is back, and its pending certificate requests.

    ``broken_before`` was broken when the rollout started the node, and is not required.
    """

    state: NodeState
    heartbeat: str
    missing: list[str]
    pending: list[PendingRequest] = field(default_factory=list)
    broken_before: tuple[str, ...] = ()

    @property
    def ready(self) -> bool:
        """Whether nothing is missing."""
        return not self.missing

    @property
    def sentence(self) -> str:
        """Where the node stands, in plain words."""
        if not self.ready:
            return f"{self.state.name}: {'; '.join(self.missing)}"
        told = f" ({len(self.pending)} of its certificate requests are pending)" if self.pending else ""
        broken = f"; already broken before: {', '.join(self.broken_before)}" if self.broken_before else ""
        return f"{self.state.name} is back{told}{broken}"

    def as_data(self) -> dict[str, t.Any]:
        """Return the values that the module returns."""
        state = self.state
        return {
            "ready": self.ready,
            "missing": self.missing,
            "broken_before": list(self.broken_before),
            "boot_id": state.boot_id,
            "heartbeat": self.heartbeat,
            "kubelet_version": state.kubelet_version,
            "os_image": state.os_image,
            "current_config": state.current_config,
            "current_image": state.current_image,
            "schedulable": state.schedulable,
            "csrs": [one.as_data() for one in self.pending],
        }


def readiness_step(client: ClusterClient, options: Mapping[str, t.Any]) -> Step:
    """Look at a node as the options of node_ready_info say; within a rollout renew the lock first.

    Raise NoSuchNodeError, and UnusableGateError for a gate that cannot be evaluated.
    """
    claim = Claim.of(options["rollout"])
    if claim:
        renew_lock(client, claim.holder)
    node = read_node(client, options["name"])
    lease = read_node_lease(client, options["name"])
    broken = _broken_before(node, claim)
    before = Before(options["boot_id"], options["heartbeat"], broken)
    expected = Expected(options["config"], options["image"])
    missing = read_missing(client, node, lease, before, expected)
    if options["guard_pods"]:
        missing += read_missing_guards(client, options["name"])
    pending = read_pending(client, node) if options["csrs"] != IGNORE else []
    if options["csrs"] == WAIT:
        missing += [f"its certificate request {one.name} is pending" for one in pending]
    # A gate costs a request, and what it asks about often comes back only after the node itself.
    if not missing:
        missing = [words for option in options["gates"] if (words := _judge(client, Gate.of(option)))]
    seen = NodeReadiness(NodeState.of(node), heartbeat_of(node, lease), missing, pending, broken)
    return Step(seen.sentence, seen.ready, objects=seen.as_data(), next_delay=2.0)


def read_missing(
    client: ClusterClient,
    node: Mapping[str, t.Any],
    lease: Mapping[str, t.Any] | None,
    before: Before,
    expected: Expected,
) -> list[str]:
    """Return what keeps a Node object from being back, its pods included, but for its guards."""
    return missing_of(node, lease, _pods_on(client, node), before, expected)


def read_broken(client: ClusterClient, node: Mapping[str, t.Any]) -> tuple[str, ...]:
    """Return what is broken already on a Node object that has not started; see ``broken_parts``."""
    lease = read_node_lease(client, node["metadata"]["name"])
    return broken_parts(node, heartbeat_of(node, lease), _pods_on(client, node))


def read_missing_guards(client: ClusterClient, name: str) -> list[str]:
    """Return which guards of the control plane a node lacks."""
    return missing_guards(name, client.list_objects(POD, labels=GUARD_SELECTOR))


def read_pending(client: ClusterClient, node: Mapping[str, t.Any]) -> list[PendingRequest]:
    """Return the certificate requests about a Node object that wait for an answer."""
    listed = (node.get("status") or {}).get("addresses") or []
    addresses = [str(one.get("address", "")) for one in listed]
    return pending_requests(node["metadata"]["name"], addresses, client.list_objects(CERTIFICATE_SIGNING_REQUEST))


def read_node_lease(client: ClusterClient, name: str) -> Mapping[str, t.Any] | None:
    """Return the Lease by which the node's kubelet says every few seconds that it lives."""
    return client.get(LEASE, name, LEASES)


def _broken_before(node: Mapping[str, t.Any], claim: Claim | None) -> tuple[str, ...]:
    record = NodeRecord.of(node)
    return record.broken if record and record.rollout == (claim.id if claim else "") else ()


def _pods_on(client: ClusterClient, node: Mapping[str, t.Any]) -> list[dict[str, t.Any]]:
    return client.list_objects(POD, fields=f"spec.nodeName={node['metadata']['name']}")


def _judge(client: ClusterClient, gate: Gate) -> str:
    kind = ObjectKind(gate.api_version, gate.kind)
    if gate.name:
        return gate.judge(client.get(kind, gate.name, gate.namespace))
    return gate.judge({"items": client.list_objects(kind, gate.namespace, labels=gate.label_selector)})
