# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Would PinnedImageSets let the daemons of an update find their OS images, and would they ever be complete?

Both releases count: before the release the daemons of the running one process the sets, then those of the target.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterator, Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import (
    Finding,
    fault,
    notice,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.os_image_lookup import (
    OsImageLookup,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CLUSTER_VERSION,
    MACHINE_CONFIG_POOL,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.prefetch_limits import PrefetchLimits

_NAME = "version"
_BY_NODE = "Use the pin method node, which makes each node serve the OS image to itself."


def pinned_image_set_findings(running: str, target: str, sets: Sequence[Mapping[str, t.Any]]) -> Iterator[Finding]:
    """Yield what prevents the pin method pinned_image_set from release ``running`` to ``target``.

    ``sets`` are all PinnedImageSets of the cluster.
    """
    if OsImageLookup.of(target) is OsImageLookup.REGISTRY:
        seen = (
            f"the machine-config daemon of {target} pulls the OS image from a registry, even if PinnedImageSets list it"
        )
        yield fault("pinned_image_sets_unused", CLUSTER_VERSION, _NAME, seen, _BY_NODE)
        return
    limits = {version: PrefetchLimits.of(version) for version in (running, target)}
    if limits[running] is None:
        seen = f"{running} has no PinnedImageSets: they are created with {target}, after its control plane is updated"
        advice = "Serve the bundle on the control plane nodes: run the phase images."
        yield notice("pinned_image_sets_later", CLUSTER_VERSION, _NAME, seen, advice)
    beyond = {pool: seen for one in limits.values() if one is not None for pool, seen in one.beyond(sets).items()}
    for pool, seen in sorted(beyond.items()):
        advice = f"Remove other sets that are not needed. {_BY_NODE}"
        yield fault("pinned_image_sets_beyond_limit", MACHINE_CONFIG_POOL, pool, seen, advice)
