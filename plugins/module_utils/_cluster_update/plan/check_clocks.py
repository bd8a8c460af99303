# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Do the clocks of the nodes go with that of the API server?

A kubelet stamps its Lease by its own clock every ten seconds. Certificates, Leases and etcd rely on clocks that agree.
Source: k8s.io/component-helpers, apimachinery/lease/controller.go.
"""

from __future__ import annotations

import typing as t
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import Finding, fault
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import NODE

LEASE_NAMESPACE = "kube-node-lease"
_STAMPED_WITHIN = 20
"""Seconds that a stamp may be old though the clock is right: a renewal each ten, and one of them may be lost."""


def clock_findings(
    leases: Sequence[Mapping[str, t.Any]], ready_nodes: Collection[str], now: datetime, limit: int
) -> Iterator[Finding]:
    """Yield the nodes that are ready and whose clock is more than ``limit`` seconds off ``now``, the API server's."""
    advice = "Check chronyd on the node and its time server."
    for lease in leases:
        name = str(lease["metadata"]["name"])
        stamp = instant_of(str((lease.get("spec") or {}).get("renewTime") or ""))
        if name not in ready_nodes or stamp is None:
            continue
        ahead = (stamp - now).total_seconds()
        if ahead > limit:
            yield fault("clock_skew", NODE, name, f"its clock is {ahead:.0f} s ahead of the API server's", advice)
        elif -ahead > limit + _STAMPED_WITHIN:
            seen = f"its clock is up to {-ahead:.0f} s behind the API server's, or its kubelet has stopped reporting"
            yield fault("clock_skew", NODE, name, seen, advice)
