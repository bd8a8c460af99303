# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which releases a cluster has left behind, so that no node needs their images any more."""

from __future__ import annotations

from collections.abc import Collection

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.version_state import (
    VersionState,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pool_state import PoolState


def left_behind(version: VersionState, pools: Collection[PoolState]) -> tuple[str, ...]:
    """Return the images of earlier releases in the history, each once, the newest first.

    There are none while an update is in progress, or while nodes of any pool, such as a paused one, run an earlier
    configuration: they still need images of the release that it came with. Nor are there any of a cluster without
    pools, of whose nodes nothing is known.
    """
    if not version.history or not pools:
        return ()
    newest = version.history[0]
    is_there = newest.state == "Completed" and newest.image == version.desired_image and "@" in newest.image
    if not is_there or not all(pool.updated and not pool.degraded for pool in pools):
        return ()
    present = _digest_of(newest.image)
    earlier = dict.fromkeys(entry.image for entry in version.history[1:])
    return tuple(image for image in earlier if "@" in image and _digest_of(image) != present)


def _digest_of(image: str) -> str:
    return image.rpartition("@")[2]
