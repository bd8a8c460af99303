# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Rebooting the host that the module runs on, once, so that the answer leaves before the host does."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file, read_json, write_json
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import RebootRefusedError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

UNIT = "fieldops-reboot"
DELAY_SECONDS = 2
_COMMAND_SECONDS = 20.0
BOOT_ID = "/proc/sys/kernel/random/boot_id"

SOFT_MARK = "/run/fieldops-openshift/soft-reboot.json"
"""Outlives a soft reboot, as all of /run does, and no other."""

REBOOT_OPTIONS: dict[str, dict[str, t.Any]] = {
    "boot_id": {"type": "str", "required": True},
    "soft": {"type": "bool", "default": False},
    "request": {"type": "str"},
    "host_root": {"type": "path", "default": "/"},
}


def reboot_step(options: Mapping[str, t.Any], clock: Clock, *, check_mode: bool) -> Step:
    """Do what the options of node_reboot ask for; see ``reboot_once`` and ``soft_reboot_once``."""
    host = Host(clock, Path(options["host_root"]))
    if options["soft"]:
        return soft_reboot_once(host, options["boot_id"], options["request"], check_mode=check_mode)
    return reboot_once(host, options["boot_id"], check_mode=check_mode)


def reboot_once(host: Host, boot_id: str, *, check_mode: bool) -> Step:
    """Ask for a reboot if the host is still in the boot ``boot_id``; return at once.

    A host that prepared a soft reboot does a full one nevertheless (systemd, docs/ENVIRONMENT.md,
    SYSTEMCTL_SKIP_AUTO_SOFT_REBOOT). Raise RebootRefusedError when the present boot cannot be read.
    """
    present = read_boot_id(host)
    if present != boot_id:
        return boot_step(present, rebooted=True, requested=False)
    deadline = Deadline(_COMMAND_SECONDS, host.clock)
    if _is_going_down(host, deadline):
        return boot_step(present, rebooted=False, requested=False)
    argv = _request()
    if not check_mode and not _asked(host, argv, deadline):
        return boot_step(present, rebooted=False, requested=False)
    return boot_step(present, rebooted=False, requested=True, argv=argv)


def soft_reboot_once(host: Host, boot_id: str, request: str, *, check_mode: bool) -> Step:
    """Ask for a soft reboot, in which the kernel and with it the boot stay, unless ``request`` has led to one already.

    They are distinguished by the number of soft reboots that systemd counts (systemctl(1), SoftRebootsCount), kept with
    the name of the request where a soft reboot leaves it. A host in another boot has rebooted in full, which is as
    good. Raise RebootRefusedError where systemd knows no soft reboot.
    """
    present = read_boot_id(host)
    if present != boot_id:
        return boot_step(present, rebooted=True, requested=False)
    deadline = Deadline(_COMMAND_SECONDS, host.clock)
    count = _soft_reboots(host, deadline)
    mark = read_json(host.path(SOFT_MARK))
    before = mark.get("count") if isinstance(mark, dict) and mark.get("request") == request else None
    if isinstance(before, int) and count > before:
        return boot_step(present, rebooted=True, requested=False, soft=True)
    if _is_going_down(host, deadline):
        return boot_step(present, rebooted=False, requested=False, soft=True)
    argv = _request("soft-reboot")
    if not check_mode:
        ensure_directory(host.path(SOFT_MARK).parent)
        write_json(host.path(SOFT_MARK), {"request": request, "count": count}, mode=0o644)
        if not _asked(host, argv, deadline):
            return boot_step(present, rebooted=False, requested=False, soft=True)
    return boot_step(present, rebooted=False, requested=True, argv=argv, soft=True)


def boot_step(present: str, *, rebooted: bool, requested: bool, argv: Sequence[str] = (), soft: bool = False) -> Step:
    """Return what one call came to; ``argv`` is the command that was, or in check mode would have been, run."""
    if rebooted:
        sentence = "the host has rebooted its userspace" if soft else "the host has rebooted"
    else:
        sentence = "the host is about to reboot" if requested else "the host is going down"
    objects = {"rebooted": rebooted, "requested": requested, "soft": soft, "boot_id": present}
    actions = [{"argv": list(argv)}] if argv else []
    reboot = "soft" if soft else "full"
    diff = {"before": {"reboot": None}, "after": {"reboot": reboot}} if requested else None
    return Step(sentence, rebooted, requested, objects, actions, diff, next_delay=3.0)


def read_boot_id(host: Host) -> str:
    """Return the identity of the host's present boot, random(4)."""
    content = read_file(host.path(BOOT_ID), limit=200)
    if not content:
        raise RebootRefusedError(
            "read the boot ID of the host",
            on=str(host),
            seen=f"there is no {BOOT_ID}",
            advice="Set host_root to the mount point of the root of the host, including its /proc.",
        )
    return content.decode("ascii", "replace").strip()


def _asked(host: Host, argv: Sequence[str], deadline: Deadline) -> bool:
    """Run the command and return whether the host takes it; one that has started to shut down refuses it.

    systemd starts no timer once the job of a reboot is queued. Raises CommandError for any other failure.
    """
    try:
        host.run(argv, deadline=deadline)
    except CommandError:
        if not _is_going_down(host, deadline):
            raise
        return False
    return True


def _is_going_down(host: Host, deadline: Deadline) -> bool:
    """Whether a reboot has been requested already: our timer is set, or systemd is stopping everything."""
    state = host.run(["systemctl", "is-system-running"], deadline=deadline, ok=None).stdout.strip()
    if state == "stopping":
        return True
    units = host.run(["systemctl", "is-active", f"{UNIT}.timer", f"{UNIT}.service"], deadline=deadline, ok=None)
    return "active" in units.stdout.split() or "activating" in units.stdout.split()


def _soft_reboots(host: Host, deadline: Deadline) -> int:
    """Return how many soft reboots the present boot has seen; systemd 254 and later count them."""
    argv = ["systemctl", "show", "--property=SoftRebootsCount", "--value"]
    said = host.run(argv, deadline=deadline, ok=None).stdout.strip()
    if said.isascii() and said.isdigit():
        return int(said)
    raise RebootRefusedError(
        "soft-reboot the host",
        on=str(host),
        seen="its systemd does not count soft reboots, so a soft reboot cannot be verified",
        advice="Use a full reboot (soft: false). Soft reboots need systemd 254 or later.",
    )


def _request(verb: str = "reboot") -> tuple[str, ...]:
    # A timer of its own: neither the end of this session nor of its processes takes it away.
    return (
        "systemd-run",
        "--quiet",
        "--collect",
        f"--unit={UNIT}",
        f"--on-active={DELAY_SECONDS}s",
        "--timer-property=AccuracySec=100ms",
        "--setenv=SYSTEMCTL_SKIP_AUTO_SOFT_REBOOT=1",
        "systemctl",
        verb,
        "--message=Reboot requested by fieldops.openshift",
    )
