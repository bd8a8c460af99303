# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Remove the content of releases that the cluster has left behind from a node."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.leftovers import ReclaimOrder, plan_on
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.loading.container_runtime import (
    remove_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.remove_bundle import ensure_removed
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ReclaimError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.reclaim import ReclaimPlan
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

AT_ONCE = 10
"""How many images CRI-O removes in one command."""

ENOUGH_SECONDS = 40.0
"""After this time, a step removes no further images."""


def reclaim_step(host: Host, order: ReclaimOrder, *, check_mode: bool, deadline: Deadline) -> Step:
    """Take one step: remove what may be removed, until the time for a step is over.

    Raises ReclaimError for an image that CRI-O keeps although nothing needs it, and what ``plan_on`` raises.
    """
    plan = plan_on(host, order, deadline)
    shown = {"reclaim": plan.as_document()}
    sentence = plan.sentence or "holds nothing of earlier releases"
    if plan.is_empty or not order.carry_out:
        return Step(sentence, done=True, objects=shown)
    if check_mode:
        return Step(sentence, True, True, shown, _actions(plan), _diff(plan))
    said = _remove(host, plan, deadline)
    left = plan_on(host, order, deadline)
    _require_less(plan, left, said)
    # Their indexes say which images are of the release: they go last.
    if not left.images:
        for bundle in left.bundles:
            ensure_removed(host, bundle.index_digest, check_mode=False, deadline=deadline)
        left = ReclaimPlan()
    return Step(sentence, left.is_empty, True, shown, _actions(plan, left), _diff(plan, left), next_delay=1.0)


def _remove(host: Host, plan: ReclaimPlan, deadline: Deadline) -> str:
    """Remove the images of ``plan`` in its order for as long as there is time; return its errors."""
    names = [name for one in plan.images for name in one.image.names]
    until = deadline.within(ENOUGH_SECONDS)
    said = ""
    for begin in range(0, len(names), AT_ONCE):
        if until.expired:
            break
        said = remove_images(host, names[begin : begin + AT_ONCE], deadline) or said
    return said


def _require_less(plan: ReclaimPlan, left: ReclaimPlan, said: str) -> None:
    if left.images and len(left.images) >= len(plan.images):
        names = [name for one in left.images for name in one.image.names]
        raise ReclaimError(
            "remove images of releases left behind",
            on=", ".join(names[:3]),
            seen=f"nothing uses them, but CRI-O did not remove {len(names)}: {said or 'no reason was reported'}",
            advice="Check the journal of crio on the node, then run it again.",
        )


def _actions(plan: ReclaimPlan, left: ReclaimPlan | None = None) -> tuple[dict[str, t.Any], ...]:
    before, after = _left_behind(plan), _left_behind(left or ReclaimPlan())
    images = [one for one in before["images"] if one not in after["images"]]
    bundles = [one for one in before["bundles"] if one not in after["bundles"]]
    removed = ({"action": "remove", "bundle": one} for one in bundles)
    return (*([{"action": "remove", "images": images}] if images else []), *removed)


def _diff(plan: ReclaimPlan, left: ReclaimPlan | None = None) -> dict[str, t.Any]:
    return {"before": _left_behind(plan), "after": _left_behind(left or ReclaimPlan())}


def _left_behind(plan: ReclaimPlan) -> dict[str, list[str]]:
    images = [name for one in plan.images for name in one.image.names]
    return {"images": images, "bundles": [one.folder for one in plan.bundles]}
