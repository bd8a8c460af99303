# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The etcd operator's guard controller: sees to it that each control-plane node has its guard pod.

Copies library-go, pkg/operator/staticpod/controller/guard/guard_controller.go: a guard that a drain has evicted is made
again at once, and as it can run on its own node alone, it stays pending there and keeps the budget used up until the
node takes pods again. Where hosts run etcd (``asks_etcd``), a guard is ready while the member of its node answers, as
upstream; elsewhere while it runs. Not copied: that guards wait for etcd's own pod.
"""

from __future__ import annotations

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor
from ansible_collections.fieldops.openshift.tests.lab.hosted_api import ETCD_HEALTH_PORT
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.workloads import ETCD_NAMESPACE, etcd_guards

MASTER = "node-role.kubernetes.io/master"


class GuardController(Actor):
    """Acts on the namespace of etcd; guards run ``image`` and, with ``asks_etcd``, ask the etcd of their hosts."""

    def __init__(self, client: RestClient, image: str, *, asks_etcd: bool = False) -> None:
        super().__init__(client)
        self._image = image
        self._asks_etcd = asks_etcd

    def step(self) -> None:
        """Make what is missing, as soon as pods can be made there."""
        nodes = self.client.get("/api/v1/nodes", labelSelector=MASTER)["items"]
        addresses = {node["metadata"]["name"]: _address(node) for node in nodes}
        if self._asks_etcd and not all(addresses.values()):
            return
        wanted = etcd_guards(list(addresses), self._image)
        if not self.client.exists(f"/api/v1/namespaces/{ETCD_NAMESPACE}/serviceaccounts/default"):
            wanted = wanted[:1]
        for one in wanted:
            if not self.client.exists(self.client.path_of(one)):
                is_asking = self._asks_etcd and one["kind"] == "Pod"
                self.client.apply(_asking(one, addresses) if is_asking else one)


def _asking(guard: Json, addresses: dict[str, str]) -> Json:
    """Return a guard that is ready while the etcd of its node answers; upstream a proxy serves that with TLS."""
    address = addresses[guard["metadata"]["name"].removeprefix("etcd-guard-")]
    asked = {"host": address, "path": "/readyz", "port": ETCD_HEALTH_PORT, "scheme": "HTTP"}
    probe = {"httpGet": asked, "periodSeconds": 5, "timeoutSeconds": 5, "failureThreshold": 3}
    (container,) = guard["spec"]["containers"]
    return {**guard, "spec": {**guard["spec"], "containers": [{**container, "readinessProbe": probe}]}}


def _address(node: Json) -> str:
    known = node.get("status", {}).get("addresses") or []
    return str(next((one["address"] for one in known if one["type"] == "InternalIP"), ""))


def guards_left(client: RestClient) -> int:
    """Return how many guards may be evicted now."""
    path = f"/apis/policy/v1/namespaces/{ETCD_NAMESPACE}/poddisruptionbudgets/etcd-guard-pdb"
    left: int = client.get(path).get("status", {}).get("disruptionsAllowed", 0)
    return left
