# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A store mounted by its unit, which verifies the file first, and taken away again."""

from __future__ import annotations

from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file, write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mounts import ensure_unmounted
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageStoreError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import (
    SLOT_PATHS,
    StoreRecord,
    slot_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_units import (
    UNITS,
    checksum_file,
    mount_unit,
    unit_files,
    verify_unit,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import WrongContentError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import DeadlineExceededError

SELINUX = "/sys/fs/selinux/enforce"
PATIENCE = 20.0
"""Seconds that one step waits for the verification of a store, which takes a minute for the store of a release."""


def write_units(
    host: Host, number: int, record: StoreRecord, records: Mapping[int, StoreRecord], deadline: Deadline
) -> bool:
    """Write the units of a slot, let systemd know them, and return whether any file is new."""
    base = slot_of(records, record.store.base) if record.store.base else None
    files = unit_files(number, record, base, selinux=host.path(SELINUX).exists())
    changed = False
    for path, text in files.items():
        changed = write_file(host.path(path), text) or changed
    # systemd reads an unknown unit when it is queried for it. A reload costs far more than this query.
    if not _are_known(host, number, deadline):
        _systemctl(host, "daemon-reload", deadline=deadline)
    return changed


def mount_store(host: Host, number: int, record: StoreRecord, deadline: Deadline) -> bool:
    """Start the unit, which verifies the file and mounts it, and return whether it has done so in the time of a step.

    If not, it continues, and the next step waits for it. Raises WrongContentError when the bytes are not those of the
    index, ImageStoreError when this kernel does not mount them.
    """
    is_mounted = _start(host, number, deadline)
    if is_mounted is False and _was_refused(host, number, deadline):
        _systemctl(host, "reset-failed", mount_unit(number), verify_unit(number), deadline=deadline, ok=None)
        is_mounted = _start(host, number, deadline)
    if is_mounted is False:
        raise _not_mounted(host, number, record, deadline)
    return bool(is_mounted)


def enable_store(host: Host, number: int, deadline: Deadline) -> None:
    """Let the store be mounted at every boot, which is when systemd reads what it wants then."""
    # With a root, systemctl makes the links by itself. Else systemd reads all of its units again, for some tenths of a
    # second, or, with --no-reload, says of every one of them that it should.
    _systemctl(host, "--root=/", "enable", mount_unit(number), deadline=deadline)


def unmount_store(host: Host, number: int, deadline: Deadline) -> None:
    """Take the mount and its units away; the file stays. Raises MountError, CommandError."""
    unit = mount_unit(number)
    if host.path(f"{UNITS}/{unit}").exists():
        _systemctl(host, "--root=/", "disable", unit, deadline=deadline)
        _systemctl(host, "stop", unit, verify_unit(number), deadline=deadline, ok=None)
    ensure_unmounted(host, SLOT_PATHS[number - 1], deadline=deadline)
    for path in (f"{UNITS}/{unit}", f"{UNITS}/{verify_unit(number)}", checksum_file(number)):
        remove_file(host.path(path))
    _systemctl(host, "daemon-reload", deadline=deadline)
    _systemctl(host, "reset-failed", unit, verify_unit(number), deadline=deadline, ok=None)


def _not_mounted(
    host: Host, number: int, record: StoreRecord, deadline: Deadline
) -> ImageStoreError | WrongContentError:
    if _state(host, verify_unit(number), deadline) == "failed":
        return WrongContentError(
            "mount the image store",
            on=record.file,
            seen=f"its content does not match the accepted index: {_journal(host, verify_unit(number), deadline)}",
            advice="The file was removed. Run this again to download it, and check the disk of the node (dmesg).",
        )
    return ImageStoreError(
        "mount the image store",
        on=f"{record.file} as {record.store.filesystem}, {record.store.compression}",
        seen=_journal(host, mount_unit(number), deadline),
        advice="Create a store in another format, or load the images.",
    )


def _start(host: Host, number: int, deadline: Deadline) -> bool | None:
    """Wait for the unit, which the last step may have started; return whether it is active, None while unknown."""
    try:
        asked = ["systemctl", "start", mount_unit(number)]
        return host.run(asked, deadline=deadline.within(PATIENCE), ok=None).rc == 0
    except DeadlineExceededError:
        # This ended the waiting, not the work: that is systemd's.
        return None


def _was_refused(host: Host, number: int, deadline: Deadline) -> bool:
    """Whether systemd did not even try, because it was asked too often within seconds."""
    asked = ["systemctl", "show", "--property=Result", "--", mount_unit(number), verify_unit(number)]
    return "Result=start-limit-hit" in host.run(asked, deadline=deadline, ok=None).stdout.splitlines()


def _state(host: Host, unit: str, deadline: Deadline) -> str:
    asked = ["systemctl", "show", "--property=ActiveState", "--value", "--", unit]
    return host.run(asked, deadline=deadline, ok=None).stdout.strip()


def _are_known(host: Host, number: int, deadline: Deadline) -> bool:
    """Whether systemd has the units as they are in the files now."""
    units = (mount_unit(number), verify_unit(number))
    asked = ["systemctl", "show", "--property=LoadState,NeedDaemonReload,FragmentPath", "--", *units]
    said = host.run(asked, deadline=deadline, ok=None).stdout.splitlines()
    wanted = [*["LoadState=loaded", "NeedDaemonReload=no"] * 2, *(f"FragmentPath={UNITS}/{unit}" for unit in units)]
    return sorted(line for line in said if line) == sorted(wanted)


def _journal(host: Host, unit: str, deadline: Deadline) -> str:
    asked = ["journalctl", "--no-pager", "--quiet", "--output=cat", "--lines=6", f"--unit={unit}"]
    said = host.run(asked, deadline=deadline, ok=None).stdout.split("\n")
    return "; ".join(line.strip() for line in said if line.strip())[-600:] or f"{unit} failed"


def _systemctl(host: Host, *words: str, deadline: Deadline, ok: tuple[int, ...] | None = (0,)) -> None:
    host.run(["systemctl", *words], deadline=deadline, ok=ok)
