# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""From the arguments of the bundle's module to one step of its work."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_sources import RelaySourceSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.leftovers import ReclaimOrder
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.remove_bundle import ensure_removed
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.pace import Pace
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.stage_step import ensure_staged
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.staging_order import (
    StagingOrder,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_presence import is_relaying
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

STEP_SECONDS = 60.0
"""How long one step may take; the work itself is a job."""


def bundle_step(host: Host, params: Mapping[str, t.Any], *, check_mode: bool) -> Step:
    """Take one step towards the state that the module's ``params`` ask for."""
    deadline = Deadline(STEP_SECONDS, host.clock)
    digest = Digest.parse(params["index_digest"])
    if params["state"] == "absent":
        changed = ensure_removed(host, digest, check_mode=check_mode, deadline=deadline)
        actions = ({"action": "remove", "bundle": str(digest)},) if changed else ()
        diff = {"before": {"bundle": str(digest)}, "after": {"bundle": None}} if changed else None
        return Step(f"bundle {digest.short} is not on this node", True, changed, actions=actions, diff=diff)
    order = StagingOrder(
        digest=digest,
        images=tuple(params["images"]),
        sources=tuple(RelaySourceSpec(one["url"], one["ca"], one["token"]) for one in params["sources"]),
        src=params["src"],
        parts=tuple(params["parts"]),
    )
    state = ensure_staged(
        host,
        order,
        keep_free_percent=params["keep_free_percent"],
        reclaim=ReclaimOrder.of(params["reclaim"]),
        check_mode=check_mode,
        deadline=deadline,
        patience=params["stall_timeout"],
        pace=Pace.of(params),
        start=params["start"],
    )
    return replace(state, objects={**state.objects, "relaying": is_relaying(host, digest, deadline)})
