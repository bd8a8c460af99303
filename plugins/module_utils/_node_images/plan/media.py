# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where media are on a host, and how those that are not mounted are: from its mount table and its block devices.

Labels and other content of a medium are not used. Names of devices are the kernel's.
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.json_document import Document

MEDIA = "/run/fieldops-openshift/media"
"""Where this collection mounts media, each below the kernel's name of its device."""

BENEATH = ("/run/media", "/media", "/mnt")
"""Where users and desktops mount media; udisks(8), file-hierarchy(7)."""

MOST_DEVICES = 32

FILE_SYSTEMS: t.Final = {
    "exfat": ("errors=remount-ro",),
    # The journal stays as it is, and what the medium wants done on an error, which may be a panic, does not count.
    "ext4": ("noload", "errors=remount-ro"),
    "iso9660": (),
    "vfat": ("errors=remount-ro",),
    # Copies of one medium have the same identifier.
    "xfs": ("norecovery", "nouuid"),
}
"""File systems that are mounted, with options of their own. Sources: ext4(5), xfs(5), mount(8), kernel exfat/vfat."""

_ALWAYS = ("ro", "nosuid", "nodev", "noexec")
_TYPES = ("disk", "part", "rom", "loop")
_KERNEL_NAME = re.compile(r"[a-z][a-z0-9]*")


@dataclass(frozen=True)
class Device:
    """A block device; ``name`` is the kernel's, ``mount_points`` is empty where neither it nor a part is mounted."""

    name: str
    kind: str
    size: int
    is_removable: bool
    mount_points: tuple[str, ...]

    @property
    def path(self) -> str:
        """Return its device file."""
        return f"/dev/{self.name}"

    @property
    def target(self) -> str:
        """Return its mount point below MEDIA."""
        return f"{MEDIA}/{self.name}"

    def as_document(self, fs_type: str, problem: str) -> dict[str, t.Any]:
        """Return it as results show it."""
        return {"device": self.path, "fs_type": fs_type, "size": self.size, "problem": problem}


def devices_of(document: object) -> tuple[Device, ...]:
    """Return the devices in the output of ``lsblk --json --bytes``; partitions share what their disk is.

    Raise InvalidInputError for output of another form.
    """
    return tuple(_devices(Document(document, "output of lsblk"), "blockdevices", removable=False))


def places_to_look(
    mount_points: Iterable[str], devices: Sequence[Device], extra: Sequence[str], beneath: Iterable[str] = BENEATH
) -> tuple[str, ...]:
    """Return the mount points that may be media: removable devices, those below ``beneath``, and ``extra`` ones."""
    bases = (*beneath, MEDIA)
    removable = {point for device in devices if device.is_removable for point in device.mount_points}
    found = {point for point in mount_points if any(is_below(point, base) for base in bases)}
    return tuple(dict.fromkeys([*extra, *sorted(removable | found)]))


def unmounted(devices: Sequence[Device]) -> tuple[Device, ...]:
    """Return the removable devices of which nothing is mounted, and which may have a file system."""
    return tuple(
        device
        for device in devices
        if device.is_removable
        and device.size
        and device.kind in _TYPES
        and not device.mount_points
        and _KERNEL_NAME.fullmatch(device.name)
    )[:MOST_DEVICES]


def mount_points_of(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the mount points below MEDIA on which ``paths`` are."""
    inside = (PurePosixPath(path).relative_to(MEDIA) for path in paths if is_below(path, MEDIA))
    return tuple(dict.fromkeys(f"{MEDIA}/{path.parts[0]}" for path in inside))


def mount_options(fs_type: str) -> tuple[str, ...]:
    """Return the options with which a medium with one of FILE_SYSTEMS is mounted."""
    return (*_ALWAYS, *FILE_SYSTEMS[fs_type])


def is_below(point: str, base: str) -> bool:
    """Whether ``point`` is below ``base``."""
    return PurePosixPath(base) in PurePosixPath(point).parents


def _devices(parent: Document, key: str, *, removable: bool) -> Iterable[Device]:
    listed = parent.get(key)
    for one in listed.entries() if listed is not None else ():
        entry = one.as_a(dict)
        is_removable = removable or bool(entry.get("rm")) or bool(entry.get("hotplug"))
        parts = tuple(_devices(one, "children", removable=is_removable))
        points = [entry.get("mountpoint"), *(point for part in parts for point in part.mount_points)]
        yield Device(
            name=str(entry.get("kname") or ""),
            kind=str(entry.get("type") or ""),
            size=_size(one),
            is_removable=is_removable,
            mount_points=tuple(dict.fromkeys(str(point) for point in points if point)),
        )
        yield from parts


def _size(entry: Document) -> int:
    """Return a size, which lsblk before util-linux 2.33 writes as a string."""
    size = str(entry.as_a(dict).get("size") or 0)
    if not (size.isascii() and size.isdigit()):
        raise entry.broken(f"its size is {size[:40]!r}")
    return int(size[:20])
