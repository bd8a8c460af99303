# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Timers masked and restored, bootc's mark for a reboot removed, and the record of what we staged."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileContentError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import (
    read_file,
    read_json,
    remove_file,
    write_json,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_keeping import (
    REBOOT_MARK,
    TIMERS,
    Record,
    is_ours_to_remove,
    lost_staging,
    ran_before,
    timers_to_mask,
    timers_to_restore,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import HostStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

RECORD = "/var/lib/fieldops/os-image.json"
BOOT_ID = "/proc/sys/kernel/random/boot_id"
COMMAND_SECONDS = 60.0


@dataclass(frozen=True)
class Repair:
    """What to restore besides the OS image itself; ``states`` are the timers as they are."""

    states: Mapping[str, str] = field(default_factory=dict)
    mask: tuple[str, ...] = ()
    restore: tuple[str, ...] = ()
    remove_mark: bool = False

    @property
    def is_needed(self) -> bool:
        """Whether there is anything to do."""
        return bool(self.mask or self.restore or self.remove_mark)

    def actions(self) -> list[dict[str, t.Any]]:
        """Return it as results show it."""
        masks = [{"action": "run", "argv": ["systemctl", "mask", "--now", name]} for name in self.mask]
        restores = [{"action": "run", "argv": ["systemctl", "unmask", name]} for name in self.restore]
        marks = [{"action": "remove", "path": REBOOT_MARK}] if self.remove_mark else []
        return [*masks, *restores, *marks]


def read_record(host: Host) -> Record:
    """Return what we keep on the host; a damaged record is as if never written."""
    try:
        return Record.from_document(read_json(host.path(RECORD)))
    except FileContentError:
        return Record()


def write_record(host: Host, record: Record) -> None:
    """Keep ``record``."""
    ensure_directory(host.path(RECORD).parent)
    write_json(host.path(RECORD), record.to_document())


def reboot_mark(host: Host) -> str | None:
    """Return the content of /run/reboot-required, None without one."""
    path = host.path(REBOOT_MARK)
    content = read_file(path, limit=65536) if path.exists() else None
    return content.decode("utf-8", "replace") if content is not None else None


def timer_states(host: Host, deadline: Deadline) -> dict[str, str]:
    """Return how the timers stand by ``systemctl is-enabled``; nothing where there is no systemctl."""
    found = {}
    for name in TIMERS:
        try:
            argv = ["systemctl", "is-enabled", name]
            ended = host.run(argv, deadline=deadline.within(COMMAND_SECONDS), ok=None)
        except MissingRequirementError:
            return {}
        found[name] = ended.stdout.strip() or "not-found"
    return found


def needed_repair(host: Host, options: Mapping[str, t.Any], deadline: Deadline) -> Repair:
    """Return what ``automatic_updates`` and ``reboot_marker`` of the module's ``options`` need now."""
    request = options["automatic_updates"]
    states = timer_states(host, deadline) if request != "untouched" else {}
    restore = timers_to_restore(states, read_record(host)) if request == "restored" else []
    return Repair(
        states=states,
        mask=tuple(timers_to_mask(states)) if request == "masked" else (),
        restore=tuple(restore),
        remove_mark=options["reboot_marker"] == "removed" and is_ours_to_remove(reboot_mark(host)),
    )


def keep_timers(host: Host, repair: Repair, deadline: Deadline) -> None:
    """Mask or restore the timers; how they were is written down before the first is masked."""
    record = read_record(host)
    if repair.mask:
        write_record(host, replace(record, timers={**{n: repair.states[n] for n in repair.mask}, **record.timers}))
    within = deadline.within(COMMAND_SECONDS)
    for name in repair.mask:
        host.run(["systemctl", "mask", "--now", name], deadline=within)
    for name in repair.restore:
        host.run(["systemctl", "unmask", name], deadline=within)
        if ran_before(record, name):
            host.run(["systemctl", "start", name], deadline=within)
    if repair.restore:
        rest = {name: state for name, state in record.timers.items() if name not in repair.restore}
        write_record(host, replace(record, timers=rest))


def remove_reboot_mark(host: Host) -> None:
    """Remove bootc's order to reboot, which kured would carry out without asking."""
    remove_file(host.path(REBOOT_MARK))


def boot_id(host: Host) -> str:
    """Return the identity of the present boot, random(4)."""
    return (read_file(host.path(BOOT_ID), limit=200) or b"").decode("ascii", "replace").strip()


def note_staging(host: Host, status: HostStatus) -> None:
    """Write down what is staged in which boot, so that the next run can detect if the shutdown lost it."""
    record, staged = read_record(host), status.staged
    present = boot_id(host)
    if staged is None or status.armed is not staged:
        wanted = replace(record, staged_digest=None, staged_boot=None, staged_at=None)
    elif (record.staged_digest, record.staged_boot) == (staged.digest, present):
        return
    else:
        at = timestamp(host.clock.utcnow())
        wanted = replace(record, staged_digest=staged.digest, staged_boot=present, staged_at=at)
    if wanted != record:
        write_record(host, wanted)


def explain_lost_staging(host: Host, status: HostStatus, deadline: Deadline) -> dict[str, t.Any] | None:
    """Return what became of an image staged in an earlier boot that is not booted, with what the journal says."""
    record = read_record(host)
    fate = lost_staging(record, status, boot_id(host))
    if fate is None:
        return None
    units = ("ostree-finalize-staged.service", "bootc-finalize-staged.service", "ostree-boot-complete.service")
    words = [word for unit in units for word in ("-u", unit)]
    try:
        argv = ["journalctl", "--no-pager", "--output=cat", "--lines=20", "--boot=-1", *words]
        said = host.run(argv, deadline=deadline.within(COMMAND_SECONDS), ok=None).stdout.strip()
    except MissingRequirementError:
        said = ""
    return {"digest": record.staged_digest, "staged_at": record.staged_at, "fate": fate, "journal": said[-2000:]}
