# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where media are on a host, from its mount table and its list of block devices."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass
from pathlib import PurePosixPath

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

BENEATH = ("/run/media", "/media", "/mnt")
"""Where people and desktops mount media; udisks(8), file-hierarchy(7)."""


@dataclass(frozen=True)
class Device:
    """A file system on a block device; ``mount_point`` is empty where it is not mounted."""

    path: str
    fs_type: str
    label: str
    size: int
    is_removable: bool
    mount_point: str

    def as_document(self) -> dict[str, t.Any]:
        """Return it as results show it."""
        return {"device": self.path, "fs_type": self.fs_type, "label": self.label, "size": self.size}


def devices_of(document: Mapping[str, t.Any]) -> tuple[Device, ...]:
    """Return the file systems in the output of ``lsblk --json --bytes``; partitions share what their disk is."""
    return tuple(_devices(document.get("blockdevices") or (), removable=False))


def places_to_look(mount_points: Iterable[str], devices: Sequence[Device], extra: Sequence[str]) -> tuple[str, ...]:
    """Return the mount points that may be media: removable devices, those below BENEATH, and ``extra`` ones."""
    removable = {device.mount_point for device in devices if device.is_removable and device.mount_point}
    beneath = {point for point in mount_points if any(_is_below(point, base) for base in BENEATH)}
    return tuple(dict.fromkeys([*extra, *sorted(removable | beneath)]))


def unmounted(devices: Sequence[Device]) -> tuple[Device, ...]:
    """Return removable file systems that a person would still have to mount."""
    return tuple(device for device in devices if device.is_removable and device.fs_type and not device.mount_point)


def _devices(entries: Iterable[Mapping[str, t.Any]], *, removable: bool) -> Iterable[Device]:
    for entry in entries:
        is_removable = removable or bool(entry.get("rm")) or bool(entry.get("hotplug"))
        yield Device(
            path=str(entry.get("path") or ""),
            fs_type=str(entry.get("fstype") or ""),
            label=str(entry.get("label") or ""),
            size=int(entry.get("size") or 0),
            is_removable=is_removable,
            mount_point=str(entry.get("mountpoint") or ""),
        )
        yield from _devices(entry.get("children") or (), removable=is_removable)


def _is_below(point: str, base: str) -> bool:
    return PurePosixPath(base) in PurePosixPath(point).parents
