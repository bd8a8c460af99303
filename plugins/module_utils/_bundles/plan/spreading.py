# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which blob goes to which drive of a bundle on several drives."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import Descriptor
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest


@dataclass(frozen=True)
class Room:
    """A drive: ``free`` bytes for blobs, ``held`` bytes of this bundle that it has, and the ``unit`` of its files."""

    free: int
    held: int = 0
    unit: int = 1

    def taking(self, size: int) -> Room:
        """Return the drive with a file of ``size`` bytes more on it."""
        return replace(self, free=self.free - self._taken(size), held=self.held + size)

    def takes(self, size: int) -> bool:
        """Whether a file of ``size`` bytes fits."""
        return self._taken(size) <= self.free

    def _taken(self, size: int) -> int:
        return -(-size // self.unit) * self.unit


@dataclass(frozen=True)
class Spread:
    """The number of the drive for each blob, and the drives as they are then."""

    places: Mapping[Digest, int]
    rooms: Sequence[Room]


def spread(blobs: Iterable[Descriptor], rooms: Sequence[Room]) -> Spread | None:
    """Return which drive takes which blob; None if they do not fit, since a blob stays whole.

    Each goes to the drive that has least of the bundle and takes it, large ones first: drives of equal load need the
    smallest parity and are read at the same time by several nodes.
    """
    places: dict[Digest, int] = {}
    left = list(rooms)
    for blob in sorted(blobs, key=lambda one: (-one.size, one.digest)):
        fitting = [number for number, room in enumerate(left) if room.takes(blob.size)]
        if not fitting:
            return None
        chosen = min(fitting, key=lambda number: (left[number].held, number))
        left[chosen] = left[chosen].taking(blob.size)
        places[blob.digest] = chosen
    return Spread(places, left)
