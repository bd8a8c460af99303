# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Removable media that are not mounted: mounted below a private folder, read-only, and unmounted again."""

from __future__ import annotations

import os
import typing as t
from collections.abc import Iterable
from pathlib import PurePosixPath

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import (
    ensure_private_directory,
    remove_empty_directory,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mounts import (
    MountError,
    WantedMount,
    ensure_mounted,
    ensure_unmounted,
    read_mounts,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.follow_job import bundle_jobs
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.media.media_lease import (
    LEASE,
    end_lease,
    renew_lease,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.media import (
    FILE_SYSTEMS,
    MEDIA,
    Device,
    devices_of,
    is_below,
    mount_options,
    mount_points_of,
    unmounted,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    FieldOpsError,
    MissingRequirementError,
)

_COLUMNS = "KNAME,TYPE,SIZE,RM,HOTPLUG,MOUNTPOINT"
_STEP_SECONDS = 60.0
_NOTHING, _AMBIVALENT = 2, 8
"""Exit statuses of blkid: no file system, and more than one on the same bytes. Source: blkid(8)."""


def block_devices(host: Host) -> tuple[Device, ...]:
    """Return the block devices of the host."""
    asked = ["lsblk", "--json", "--bytes", "--output", _COLUMNS]
    try:
        return devices_of(host.run(asked, deadline=_soon(host)).json())
    except (CommandError, MissingRequirementError):
        # A host without block devices of its own, such as a container, still has mount points.
        return ()


def mounted_by_us(host: Host) -> tuple[str, ...]:
    """Return where media are mounted by this collection."""
    return tuple(dict.fromkeys(one.mount_point for one in read_mounts(host) if is_below(one.mount_point, MEDIA)))


def mount_media(
    host: Host, devices: tuple[Device, ...], lifetime: int = LEASE, *, check_mode: bool
) -> list[dict[str, t.Any]]:
    """Mount removable ``devices`` and return those that could not be mounted, each with the problem.

    The host unmounts them in ``lifetime`` seconds, as a play that is killed does not.
    """
    left = []
    for device in unmounted(devices):
        fs_type, problem = _file_system(host, device)
        if fs_type and not problem:
            problem = _mounted(host, device, fs_type, lifetime, check_mode=check_mode)
        if problem:
            left.append(device.as_document(fs_type, problem))
    return left


def keep_media(host: Host, paths: Iterable[str]) -> None:
    """Mount those media of this collection again that hold ``paths``, or renew their leases."""
    places = mount_points_of(paths)
    for place in places:
        renew_lease(host, place, LEASE, _soon(host))
    missing = set(places).difference(mounted_by_us(host)) if places else set()
    if missing:
        mount_media(host, tuple(one for one in block_devices(host) if one.target in missing), check_mode=False)


def release_media(host: Host) -> tuple[str, ...]:
    """Unmount all that this collection has mounted, and return what is left.

    While a job stages a bundle on this host, these are all media: it may read from any of them.
    """
    places = mounted_by_us(host)
    if places and any(True for _job in bundle_jobs(host, _soon(host))):
        return places
    return unmount_media(host, places)


def unmount_media(host: Host, places: tuple[str, ...]) -> tuple[str, ...]:
    """Unmount ``places``, which this collection has mounted, and return those that are left, being in use."""
    left = []
    for place in places:
        try:
            ensure_unmounted(host, place, deadline=_soon(host))
        except MountError:
            left.append(place)
            continue
        _forget(host, place)
    return tuple(left)


def _file_system(host: Host, device: Device) -> tuple[str, str]:
    """Return the type of the file system by its signature, and why it is not mounted."""
    asked = ["blkid", "--probe", "--usages", "filesystem", "--match-tag", "TYPE", "--output", "value", device.path]
    try:
        found = host.run(asked, deadline=_soon(host), ok=(0, _NOTHING, _AMBIVALENT))
    except FieldOpsError as error:
        return "", error.seen
    fs_type = found.stdout.strip()
    if found.rc == _AMBIVALENT:
        return "", "it has the signatures of more than one file system"
    if fs_type and fs_type not in FILE_SYSTEMS:
        return fs_type, f"this file system is not supported, only {', '.join(FILE_SYSTEMS)}"
    return fs_type, ""


def _mounted(host: Host, device: Device, fs_type: str, lifetime: int, *, check_mode: bool) -> str:
    """Mount a device and return why that failed."""
    if check_mode:
        return "it is not mounted, and check mode does not mount it"
    if os.geteuid() != 0:
        return "it is not mounted, and only root can mount it"
    try:
        for path in (str(PurePosixPath(MEDIA).parent), MEDIA, device.target):
            ensure_private_directory(host.path(path))
        # First, because a play that is killed in between must not leave a mount without an end.
        renew_lease(host, device.target, lifetime, _soon(host))
        wanted = WantedMount(device.path, device.target, fs_type, mount_options(fs_type))
        ensure_mounted(host, wanted, deadline=_soon(host))
    except FieldOpsError as error:
        _forget(host, device.target)
        return f"it could not be mounted: {error.seen}"
    return ""


def _forget(host: Host, place: str) -> None:
    end_lease(host, place, _soon(host))
    for path in (place, MEDIA):
        remove_empty_directory(host.path(path))


def _soon(host: Host) -> Deadline:
    return Deadline(_STEP_SECONDS, host.clock)
