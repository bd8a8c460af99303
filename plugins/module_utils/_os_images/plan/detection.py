# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which program changes the OS image of a host, or why none may."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.os_image_errors import (
    ManagedByOperatorError,
    NotImageBasedError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import Backend, HostStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.program_traits import Programs

AUTO = "auto"
_UNKNOWN = Programs()


@dataclass(frozen=True)
class Findings:
    """What the programs of a host say: None where a program is absent or knows of no deployment; ``said`` is why.

    ``operator_mark`` is the path by which the machine-config daemon is recognised.
    """

    bootc: HostStatus | None = None
    rpm_ostree: HostStatus | None = None
    has_bootc: bool = False
    has_rpm_ostree: bool = False
    operator_mark: str | None = None
    programs: Programs = _UNKNOWN
    said: str = ""


def choose(findings: Findings, wanted: str) -> HostStatus:
    """Return the status by the backend that must be used.

    bootc where it knows the booted image, else rpm-ostree. Local changes of rpm-ostree (layered packages) leave only
    rpm-ostree. ``wanted`` is "auto", "bootc" or "rpm_ostree". Raises NotImageBasedError.
    """
    bootc, rpm_ostree = findings.bootc, findings.rpm_ostree
    if wanted == Backend.BOOTC.value and bootc is not None and bootc.booted.incompatible:
        raise _unusable("the booted deployment has local changes of rpm-ostree, which bootc does not support")
    if wanted == Backend.BOOTC.value:
        return _with_driver(_present(bootc, "bootc reports no", findings), rpm_ostree)
    if wanted == Backend.RPM_OSTREE.value:
        return _present(rpm_ostree, "rpm-ostree reports no", findings)
    if bootc is not None and bootc.booted.image is not None and not bootc.booted.incompatible:
        return _with_driver(bootc, rpm_ostree)
    if rpm_ostree is not None:
        return rpm_ostree
    if bootc is not None and bootc.booted.incompatible:
        raise _unusable("the booted deployment has local changes of rpm-ostree, and rpm-ostree does not answer")
    return _present(bootc, "neither bootc nor rpm-ostree reports a", findings)


def refuse_managed(findings: Findings) -> None:
    """Raise ManagedByOperatorError on a host whose OS image the machine-config daemon compares with its own request."""
    if findings.operator_mark is None:
        return
    raise ManagedByOperatorError(
        "change the OS image",
        on="this host",
        seen=f"the machine-config daemon manages it ({findings.operator_mark} exists); after a reboot it would find "
        "an image other than that of its MachineConfig and mark the node and the pool Degraded",
        advice="Change osImageURL in a MachineConfig of its pool, or a MachineOSConfig: use the role apply_image_mode.",
    )


def _with_driver(status: HostStatus, other: HostStatus | None) -> HostStatus:
    return replace(status, update_driver=other.update_driver) if other is not None else status


def _present(status: HostStatus | None, who: str, findings: Findings) -> HostStatus:
    if status is not None:
        return status
    raise NotImageBasedError(
        "detect the OS image of the host",
        on="this host",
        seen=f"{who} booted deployment" + (f": {findings.said}" if findings.said else ""),
        advice="Use it on hosts that boot OSTree or composefs deployments. In a helper pod, set host_root to the "
        "path where the root of the host is mounted.",
    )


def _unusable(seen: str) -> NotImageBasedError:
    return NotImageBasedError(
        "change the OS image with bootc",
        on="this host",
        seen=seen,
        advice="Use backend rpm_ostree, or remove the changes with 'rpm-ostree reset' and reboot.",
    )
