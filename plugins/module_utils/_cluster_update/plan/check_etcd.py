# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Is etcd well enough to lose a member for a while?

Source: cluster-etcd-operator, whose controllers report as conditions and node statuses of ``Etcd cluster``.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterator, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.kinds import ETCD
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import (
    Finding,
    fault,
    notice,
    unsettled,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import conditions_of

ETCD_NAME = "cluster"
_AVAILABLE = "EtcdMembersAvailable"


def etcd_findings(etcd: Mapping[str, t.Any] | None) -> Iterator[Finding]:
    """Yield the doubts about etcd; None is a cluster without an object for etcd."""
    if etcd is None:
        return
    for name, condition in sorted(conditions_of(etcd).items()):
        said = condition.message or condition.reason or "no reason is given"
        if name.endswith("Degraded") and condition.is_true:
            advice = "Repair etcd before any control plane node is changed: see 'oc get etcd cluster -o yaml'."
            yield fault("etcd_degraded", ETCD, ETCD_NAME, f"reports {name}: {said}", advice)
        elif name == _AVAILABLE and not condition.is_true:
            advice = "Restore the named member. Without a quorum, the API stops."
            yield fault("etcd_unavailable", ETCD, ETCD_NAME, f"members are missing: {said}", advice)
        elif name.endswith("Progressing") and condition.is_true:
            yield unsettled("etcd_progressing", ETCD, ETCD_NAME, f"reports {name}: {said}", "Wait for it to end.")
    yield from _revision_findings(etcd.get("status") or {})


def _revision_findings(status: Mapping[str, t.Any]) -> Iterator[Finding]:
    members = status.get("nodeStatuses") or []
    latest = status.get("latestAvailableRevision") or 0
    behind = [one["nodeName"] for one in members if (one.get("currentRevision") or 0) < latest]
    if behind:
        seen = f"is changing to revision {latest} on {', '.join(sorted(behind))}"
        yield unsettled("etcd_progressing", ETCD, ETCD_NAME, seen, "Wait until every member has this revision.")
    if members and len(members) % 2 == 0:
        seen = f"has {len(members)} members, and tolerates no more failures than with {len(members) - 1}"
        yield notice("etcd_even", ETCD, ETCD_NAME, seen, "Restore an odd number of control plane nodes.")
