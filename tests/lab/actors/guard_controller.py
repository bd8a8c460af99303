# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The etcd operator's guard controller: sees to it that each control-plane node has its guard pod.

Copies library-go, pkg/operator/staticpod/controller/guard/guard_controller.go: a guard that a drain has evicted is made
again at once, and as it can run on its own node alone, it stays pending there and keeps the budget used up until the
node takes pods again. Not copied: that guards wait for etcd's own pod.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.tests.lab.actors.actor import Actor
from ansible_collections.fieldops.openshift.tests.lab.seed.workloads import ETCD_NAMESPACE, etcd_guards

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient

MASTER = "node-role.kubernetes.io/master"


class GuardController(Actor):
    """Acts on the namespace of etcd; guards run ``image``."""

    def __init__(self, client: RestClient, image: str) -> None:
        super().__init__(client)
        self._image = image

    def step(self) -> None:
        """Make what is missing, as soon as pods can be made there."""
        nodes = self.client.get("/api/v1/nodes", labelSelector=MASTER)["items"]
        wanted = etcd_guards([node["metadata"]["name"] for node in nodes], self._image)
        if not self.client.exists(f"/api/v1/namespaces/{ETCD_NAMESPACE}/serviceaccounts/default"):
            wanted = wanted[:1]
        for one in wanted:
            if not self.client.exists(self.client.path_of(one)):
                self.client.apply(one)


def guards_left(client: RestClient) -> int:
    """Return how many guards may be evicted now."""
    path = f"/apis/policy/v1/namespaces/{ETCD_NAMESPACE}/poddisruptionbudgets/etcd-guard-pdb"
    left: int = client.get(path).get("status", {}).get("disruptionsAllowed", 0)
    return left
