# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long the machine-config daemon takes to see to PinnedImageSets whose images a node holds already.

Computed, because the limits are compiled in and each of its rounds takes two minutes. Copies
machine-config-operator, pkg/daemon/pinned_image_set.go (sync, syncMachineConfigPool, prefetchImageSets, scheduleWork,
prefetchWorker, imageCache) for a node on which every image is present; ``limits_of_upstream`` reads what the pinned
version has compiled in. Kinder than upstream in that nothing but these limits takes time.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.go import OPERATOR, module_directory
from ansible_collections.fieldops.openshift.tests.lab.rest import Json

MANAGER = "pkg/daemon/pinned_image_set.go"


@dataclass(frozen=True)
class Limits:
    """``timeout`` of a round and the pause after each image are in seconds; the rest are counts."""

    cached: int = 256
    timeout: float = 120.0
    pause: float = 1.0
    workers: int = 1
    """On a control-plane node."""
    queued: int = 10


def limits_of_upstream() -> Limits:
    """Return what the pinned machine-config daemon has compiled in for a control-plane node."""
    root = module_directory(OPERATOR, "machine-config-operator")
    manager, start = root / MANAGER, root / "cmd/machine-config-daemon/start.go"
    return Limits(
        cached=_number(manager, r"p\.cache = newImageCache\((\d+)\)"),
        timeout=60.0 * _number(start, r"prefetchTimeout := (\d+) \* time\.Minute"),
        pause=float(_number(manager, r"defaultPrefetchThrottleDuration = (\d+) \* time\.Second")),
        workers=_number(manager, r"defaultControlPlaneWorkers += (\d+)"),
        queued=2 * _number(manager, r"defaultPrefetchWorkers += (\d+)"),
    )


class Prefetching:
    """What a daemon remembers from round to round; a new one remembers nothing, as after each restart."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._cache: OrderedDict[str, None] = OrderedDict()

    def rounds(self, sets: Sequence[Json], at_most: int = 60) -> int | None:
        """Return after how many rounds every set is complete; None if that never comes."""
        return next((number for number in range(1, at_most + 1) if self._round(sets)), None)

    def _round(self, sets: Sequence[Json]) -> bool:
        for one in sets:
            for image in _images(one):  # whether there is space is looked up for each image by itself
                self._knows(image)
        taken = 0
        for one in sets:
            if self._knows(one["metadata"]["uid"]):
                continue
            for image in _images(one):
                if self._elapsed(taken) >= self._limits.timeout:
                    return False
                if not self._knows(image):
                    self._remember(image)
                    taken += 1
        for one in sets:
            self._remember(one["metadata"]["uid"])
        return True

    def _elapsed(self, taken: int) -> float:
        """Return when the next image can be put into the queue, after so many in this round."""
        limits = self._limits
        return max(0, taken - limits.queued) // limits.workers * limits.pause

    def _knows(self, key: str) -> bool:
        known = key in self._cache
        if known:
            self._cache.move_to_end(key)
        return known

    def _remember(self, key: str) -> None:
        self._cache[key] = None
        self._cache.move_to_end(key)
        if len(self._cache) > self._limits.cached:
            self._cache.popitem(last=False)


def _images(pinned_image_set: Json) -> list[str]:
    return [one["name"] for one in pinned_image_set["spec"]["pinnedImages"]]


def _number(file: Path, pattern: str) -> int:
    found = re.search(pattern, file.read_text())
    assert found, f"{pattern} is not in {file}"
    return int(found[1])
