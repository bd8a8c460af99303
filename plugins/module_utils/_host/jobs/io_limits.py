# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How fast a job may read and write: a limit in addition to its shares, which only count while others use the disk
too."""

from __future__ import annotations

from dataclasses import dataclass

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class IoLimits:
    """Megabytes a second of the disk that holds ``path``, as the host knows it; 0 stands for no limit.

    systemd finds the disk and sets io.max of the unit's control group. Source: systemd.resource-control(5).
    """

    path: str
    read: int = 0
    write: int = 0

    def properties(self) -> dict[str, str]:
        """Return the properties of a unit that is held to these limits."""
        limits = {"IOReadBandwidthMax": self.read, "IOWriteBandwidthMax": self.write}
        return {name: f"{self.path} {limit * MEGABYTE}" for name, limit in limits.items() if limit > 0}
