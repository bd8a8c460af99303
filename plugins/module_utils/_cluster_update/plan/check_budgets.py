# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which disruption budgets would hold a drain up forever?

Source: Kubernetes, pkg/controller/disruption and pkg/registry/core/pod/storage/eviction.go: what a budget wants is in
its status, and a pod that two budgets select can never be evicted.
"""

from __future__ import annotations

import typing as t
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import (
    Finding,
    fault,
    notice,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.pod_owner import (
    is_finished,
    is_mirror,
    owner_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.label_selector import selects
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    POD_DISRUPTION_BUDGET,
    ObjectKind,
)

Object = Mapping[str, t.Any]


def budget_findings(budgets: Sequence[Object], pods: Sequence[Object]) -> Iterator[Finding]:
    """Yield the budgets that never let a pod go, those that let none go now, and pods that two of them select."""
    for budget in budgets:
        yield from _own_findings(budget)
    yield from _overlaps(budgets, pods)


def _own_findings(budget: Object) -> Iterator[Finding]:
    status = budget.get("status") or {}
    expected, desired = status.get("expectedPods") or 0, status.get("desiredHealthy") or 0
    if not expected or status.get("disruptionsAllowed"):
        return
    name, space = budget["metadata"]["name"], budget["metadata"]["namespace"]
    if desired >= expected:
        seen = f"requires {desired} of {expected} healthy pods, so no pod can be evicted"
        advice = (
            "Permit one unavailable pod, run an additional pod, or move the pods manually while their node is drained."
        )
        yield fault("budget_impossible", POD_DISRUPTION_BUDGET, name, seen, advice, space)
        return
    seen = f"has {status.get('currentHealthy') or 0} healthy pods and requires {desired}, so no pod can be evicted now"
    advice = "Start its pods. A drain waits until then."
    yield notice("budget_exhausted", POD_DISRUPTION_BUDGET, name, seen, advice, space)


def _overlaps(budgets: Sequence[Object], pods: Sequence[Object]) -> Iterator[Finding]:
    by_space: dict[str, list[Object]] = defaultdict(list)
    for budget in budgets:
        by_space[budget["metadata"]["namespace"]].append(budget)
    told = set()
    for pod in pods:
        space = pod["metadata"]["namespace"]
        if len(by_space.get(space, ())) < 2 or is_finished(pod) or is_mirror(pod):
            continue
        labels = pod["metadata"].get("labels") or {}
        names = [one["metadata"]["name"] for one in by_space[space] if selects(_selector(one), labels)]
        owner = owner_of(pod)
        if len(names) > 1 and (owner, tuple(names)) not in told:
            told.add((owner, tuple(names)))
            seen = (
                f"is under {len(names)} budgets ({', '.join(sorted(names))}), and the Eviction API always rejects "
                "its eviction"
            )
            advice = "Remove all of these budgets except one, or change their selectors."
            yield fault("budget_overlap", ObjectKind("", owner[0]), owner[1], seen, advice, space)


def _selector(budget: Object) -> Object | None:
    found: Object | None = (budget.get("spec") or {}).get("selector")
    return found
