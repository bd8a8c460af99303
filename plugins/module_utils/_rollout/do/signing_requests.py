# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reading a node's pending certificate requests, and granting those that prove themselves."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.claim import CLAIM_OPTION, Claim
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.lock import renew_lock
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.node_write import read_node
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.read_readiness import (
    read_node_lease,
    read_pending,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.readiness import Before, kubelet_missing
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.signing_requests import PendingRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CERTIFICATE_SIGNING_REQUEST,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

CERTIFICATE_OPTIONS: dict[str, dict[str, t.Any]] = {
    "name": {"type": "str", "required": True},
    "boot_id": {"type": "str", "default": ""},
    "heartbeat": {"type": "str", "default": ""},
    "rollout": CLAIM_OPTION,
}


def certificate_step(client: ClusterClient, options: Mapping[str, t.Any]) -> Step:
    """Grant the requests of a node that prove themselves; raise NoSuchNodeError.

    A request counts as proven when the node itself has asked, as the API knows it, for only its own name and
    the addresses of its Node object. Requests of a bootstrap identity always wait for a person.
    """
    claim = Claim.of(options["rollout"])
    if claim:
        renew_lock(client, claim.holder)
    node = read_node(client, options["name"])
    found = read_pending(client, node)
    granted = [one for one in found if not one.obstacle]
    for one in granted:
        _approve(client, one.name)
    before = Before(options["boot_id"], options["heartbeat"])
    missing = kubelet_missing(node, read_node_lease(client, options["name"]), before)
    return _step(options["name"], granted, [one for one in found if one.obstacle], missing)


def _step(
    node: str, approved: Sequence[PendingRequest], pending: Sequence[PendingRequest], missing: Sequence[str]
) -> Step:
    """Return where the node stands: granted now, left for a person, and what keeps the kubelet from being back."""
    waiting = [f"{one.name} requires manual approval: {one.obstacle}" for one in pending]
    granted = [f"{one.name} was approved" for one in approved]
    objects = {"approved": [one.as_data() for one in approved], "pending": [one.as_data() for one in pending]}
    return Step(
        f"{node}: {'; '.join([*granted, *waiting, *missing]) or 'its kubelet has its certificates'}",
        done=not (missing or pending or approved),
        changed=bool(approved),
        objects=objects,
        diff={"before": _conditions(approved, None), "after": _conditions(approved, "Approved")},
        next_delay=3.0,
    )


def _conditions(approved: Sequence[PendingRequest], condition: str | None) -> dict[str, str | None]:
    return {one.name: condition for one in approved}


def _approve(client: ClusterClient, name: str) -> None:
    now = timestamp(client.clock.utcnow())
    said = {
        "type": "Approved",
        "status": "True",
        "reason": "FieldOpsNodeProof",
        "message": "The node requested it for its own name and the addresses of its Node object",
        "lastUpdateTime": now,
    }
    body = {"status": {"conditions": [said]}}
    client.patch(CERTIFICATE_SIGNING_REQUEST, name, body, subresource="approval")
