# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Reading a node's pending certificate requests, and granting those that prove themselves."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.claim import CLAIM_OPTION, Claim
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.lock import renew_lock
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
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

if t.TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient

CERTIFICATE_OPTIONS: dict[str, dict[str, t.Any]] = {
    "name": {"type": "str", "required": True},
    "boot_id": {"type": "str", "default": ""},
    "heartbeat": {"type": "str", "default": ""},
    "rollout": CLAIM_OPTION,
}


@dataclass(frozen=True)
class CertificateReport:
    """What a step came to: granted now, left for a person, and what keeps the kubelet from being back."""

    node: str
    approved: Sequence[PendingRequest] = ()
    pending: Sequence[PendingRequest] = ()
    missing: Sequence[str] = field(default=())

    @property
    def done(self) -> bool:
        """Whether the kubelet is back and nothing waits for an answer."""
        return not (self.missing or self.pending or self.approved)

    @property
    def sentence(self) -> str:
        """Where the node stands, in plain words."""
        waiting = [f"{one.name} waits for a person: {one.obstacle}" for one in self.pending]
        granted = [f"{one.name} was approved" for one in self.approved]
        return f"{self.node}: {'; '.join([*granted, *waiting, *self.missing]) or 'its kubelet has its certificates'}"


def certificate_step(client: ClusterClient, options: Mapping[str, t.Any]) -> CertificateReport:
    """Grant the requests of a node that prove themselves; raise NoSuchNodeError.

    A request counts as proven when the node itself has asked, as the API knows it, for nothing but its own name and
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
    return CertificateReport(options["name"], granted, [one for one in found if one.obstacle], missing)


def _approve(client: ClusterClient, name: str) -> None:
    now = timestamp(client.clock.utcnow())
    said = {
        "type": "Approved",
        "status": "True",
        "reason": "FieldOpsNodeProof",
        "message": "The node itself asks for its own name and the addresses of its Node object",
        "lastUpdateTime": now,
    }
    body = {"status": {"conditions": [said]}}
    client.patch(CERTIFICATE_SIGNING_REQUEST, name, body, subresource="approval")
