# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""File systems mounted and unmounted on a host, requested as a state and read back from the kernel."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mountinfo import (
    Mount,
    mount_at,
    mount_of,
    parse_mountinfo,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

DEEPEST_STACK = 32
"""Stacked mounts at one place that ``ensure_unmounted`` removes before it fails."""


class MountError(FieldOpsError):
    """A file system could not be mounted or unmounted."""

    kind = "mount"


@dataclass(frozen=True)
class WantedMount:
    """What should be seen at ``target``: a device, an image file (through a loop device) or, with "bind", a directory.

    Paths are the host's own, absolute and without links. Unless "rw" is among ``options``, the mount is read-only.
    """

    source: str
    target: str
    fs_type: str = ""
    options: tuple[str, ...] = ("ro", "nosuid", "nodev")

    @property
    def is_read_only(self) -> bool:
        """Whether writing must be refused."""
        return "rw" not in self.options

    def argv(self) -> list[str]:
        """Return the mount(8) command; "ro" comes first so that no moment is writable."""
        mode = "ro" if self.is_read_only else "rw"
        options = [mode, *(option for option in self.options if option not in ("ro", "rw"))]
        kind = ["--types", self.fs_type] if self.fs_type else []
        return ["mount", *kind, "--options", ",".join(options), "--", self.source, self.target]


def read_mounts(host: Host) -> tuple[Mount, ...]:
    """Return the host's mount table; in a helper pod that of the host's process 1."""
    table = Path("/proc/1/mountinfo" if host.is_mounted else "/proc/self/mountinfo")
    return parse_mountinfo(read_file(table) or b"")


def ensure_mounted(host: Host, wanted: WantedMount, *, deadline: Deadline) -> bool:
    """Make ``wanted`` what is seen at its target and return whether that changed anything.

    Something else mounted there is a MountError. The target directory must exist. Raises MountError, and what
    ``Host.run`` raises.
    """
    mounts = read_mounts(host)
    there = mount_at(wanted.target, mounts)
    if there and _shows(host, there, wanted, mounts, deadline):
        return False
    if there:
        raise _conflict(there, wanted)
    _command(host, wanted.argv(), f"mount {wanted.source}", wanted.target, deadline)
    mounts = read_mounts(host)
    now = mount_at(wanted.target, mounts)
    if not now or not _shows(host, now, wanted, mounts, deadline):
        raise MountError(
            f"mount {wanted.source}",
            on=wanted.target,
            seen=f"mount reported success, but the kernel shows {_described(now) if now else 'nothing there'}",
            advice=f"Run findmnt {wanted.target} on that host. Another program may mount there as well.",
        )
    return True


def ensure_unmounted(host: Host, target: str, *, deadline: Deadline) -> bool:
    """Take away every mount at ``target`` and return whether there was any; raises MountError when it is in use."""
    for attempt in range(DEEPEST_STACK):
        if not mount_at(target, read_mounts(host)):
            return attempt > 0
        _command(host, ["umount", "--", target], "unmount", target, deadline)
    raise MountError(
        "unmount",
        on=target,
        seen=f"it is still a mount point after {DEEPEST_STACK} successful unmounts",
        advice=f"Check what mounts it again (findmnt {target}, systemctl list-units --type=mount).",
    )


def _shows(host: Host, mount: Mount, wanted: WantedMount, mounts: tuple[Mount, ...], deadline: Deadline) -> bool:
    if mount.is_read_only != wanted.is_read_only:
        return False
    if "bind" in wanted.options:
        return _is_bind_of(mount, wanted.source, mounts)
    return wanted.source in (mount.source, _loop_file(host, mount.source, deadline))


def _is_bind_of(mount: Mount, source: str, mounts: tuple[Mount, ...]) -> bool:
    origin = mount_of(source, mounts)
    if origin is None:
        return False
    root = PurePosixPath(origin.root) / PurePosixPath(source).relative_to(origin.mount_point)
    return (mount.device, PurePosixPath(mount.root)) == (origin.device, root)


def _loop_file(host: Host, source: str, deadline: Deadline) -> str:
    if not source.startswith("/dev/loop"):
        return ""
    asked = ["losetup", "--noheadings", "--output", "BACK-FILE", source]
    return host.run(asked, deadline=deadline, ok=None).stdout.strip()


def _conflict(mount: Mount, wanted: WantedMount) -> MountError:
    return MountError(
        f"mount {wanted.source} {'read-only' if wanted.is_read_only else 'writable'}",
        on=wanted.target,
        seen=f"{_described(mount)} is mounted there",
        advice=f"Unmount it first if it is not needed: umount {wanted.target}.",
    )


def _described(mount: Mount) -> str:
    return f"{mount.source} ({mount.fs_type}, {'read-only' if mount.is_read_only else 'writable'})"


def _command(host: Host, argv: list[str], attempted: str, target: str, deadline: Deadline) -> None:
    try:
        host.run(argv, deadline=deadline)
    except CommandError as error:
        raise MountError(
            attempted,
            on=f"{target} of {host}",
            seen=error.stderr or f"status {error.rc}",
            advice=f"Check what blocks it: findmnt {target}; fuser -vm {target}; dmesg.",
            partial=error.partial,
        ) from error
