# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The end of a mount without the play that made it: a timer of the host unmounts a medium when its lease has ended.

The units are transient, so they end with the host as the mounts do. A host without systemd has no lease.
"""

from __future__ import annotations

import uuid
from pathlib import PurePosixPath

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.systemd import is_in_charge
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

LEASE = 2 * 3600
"""Seconds for which a medium stays mounted although nothing uses it: a bundle on it is verified in less."""

TRY_AGAIN = 60
"""Seconds between two attempts while the medium is in use."""


def checked_lease(seconds: int) -> int:
    """Return the lease of an option; raises InvalidInputError for one that has ended before it begins."""
    if seconds > 0:
        return seconds
    raise InvalidInputError("mount media", on="lifetime", seen=f"it is {seconds}", advice="Set a number of seconds.")


def renew_lease(host: Host, place: str, seconds: int, deadline: Deadline) -> None:
    """Let the host unmount ``place`` in ``seconds``, or later when it is no longer in use; an earlier lease ends."""
    if not is_in_charge(host):
        return
    end_lease(host, place, deadline)
    # umount(8) fails while a file or folder is open. Once another has unmounted it, the condition ends the attempts.
    properties = {
        "Type": "oneshot",
        "ConditionPathIsMountPoint": place,
        "Restart": "on-failure",
        "RestartSec": str(TRY_AGAIN),
        "StartLimitIntervalSec": "0",
    }
    command = [
        "systemd-run",
        "--quiet",
        "--no-ask-password",
        "--collect",
        f"--unit={_units_of(place)}{uuid.uuid4().hex[:8]}",
        f"--description=fieldops.openshift unmounts {place}",
        f"--on-active={seconds}",
        "--timer-property=AccuracySec=1s",
        *(f"--property={name}={value}" for name, value in properties.items()),
    ]
    host.run([*command, "umount", place], deadline=deadline)


def end_lease(host: Host, place: str, deadline: Deadline) -> None:
    """Let the host unmount ``place`` no more."""
    if is_in_charge(host):
        units = _units_of(place)
        host.run(["systemctl", "stop", f"{units}*.timer", f"{units}*.service"], deadline=deadline, ok=None)


def _units_of(place: str) -> str:
    """Return how the names of the units of a mount begin; each lease has its own, since old ones go a bit later."""
    return f"fieldops-media-{PurePosixPath(place).name}-"
