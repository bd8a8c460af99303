# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How many images of PinnedImageSets the machine-config daemon of a release is sure to complete on a node. Pure.

It looks at the images of all sets of its node one after another, also at those that are there: one a second for each
worker, of which a control-plane node has one and others five. What a round does not reach the next one does, as long as
the daemon remembers what it has seen. Beyond that images push one another out, and it may never come to an end. Each
restart forgets everything.

Source: machine-config-operator ``pkg/daemon/pinned_image_set.go`` (newImageCache, scheduleWork, prefetchWorker) and
``cmd/machine-config-daemon/start.go`` (prefetchTimeout): 256 places and rounds of 2 minutes in release-4.19 to 4.21,
1024 and 5 minutes from release-4.22 (commit 5b8fde116, OCPBUGS-77140). The API is served by default from 4.19.12
(openshift/api ``features/features.go``, FeatureGatePinnedImages).
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import POOL_ROLE_LABEL
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import ReleaseVersion

Object = Mapping[str, t.Any]

_SERVED_FROM = ReleaseVersion(4, 19, 12)
_MORE_FROM = (4, 22)
_OWN_POOLS = ("master", "arbiter", "worker")


def is_custom_pool(pool: str) -> bool:
    """Whether nodes of ``pool`` belong to pool worker as well, whose sets count for them too.

    Source: machine-config-operator ``pkg/helpers`` GetPoolsForNode.
    """
    return pool not in _OWN_POOLS


def pool_of_set(pinned_image_set: Object) -> str:
    """Return the pool that a PinnedImageSet is meant for."""
    return str((pinned_image_set["metadata"].get("labels") or {}).get(POOL_ROLE_LABEL, ""))


def images_of_set(pinned_image_set: Object) -> list[str]:
    """Return the names of the images of a PinnedImageSet."""
    return [str(one["name"]) for one in (pinned_image_set.get("spec") or {}).get("pinnedImages") or ()]


@dataclass(frozen=True)
class PrefetchLimits:
    """The limits of a release: ``remembered`` are images and sets together."""

    version: str
    remembered: int = 256

    @classmethod
    def of(cls, version: str) -> PrefetchLimits | None:
        """Return the limits of the daemon of ``version``; None where the release does not serve PinnedImageSets."""
        release = ReleaseVersion.parse(version)
        if release is None or release < _SERVED_FROM:
            return None
        return cls(version, 1024) if (release.major, release.minor) >= _MORE_FROM else cls(version)

    def beyond(self, sets: Iterable[Object]) -> dict[str, str]:
        """Return the pools, each with what was seen, whose ``sets`` are more than a daemon is sure to complete."""
        by_pool: dict[str, list[Object]] = {}
        for one in sets:
            by_pool.setdefault(pool_of_set(one), []).append(one)
        found = {}
        for pool, own in sorted(by_pool.items()):
            counted = [*own, *(by_pool.get("worker", ()) if is_custom_pool(pool) else ())]
            images = {name for one in counted for name in images_of_set(one)}
            if len(images) + len(counted) > self.remembered:
                found[pool] = (
                    f"its nodes would have to keep {len(images)} images of {len(counted)} PinnedImageSets, and a "
                    f"machine-config daemon of {self.version} remembers {self.remembered} images and sets"
                )
        return found
