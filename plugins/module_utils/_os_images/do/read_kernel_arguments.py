# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads the kernel arguments of the next boot: from rpm-ostree, or from where ostree keeps them for bootc."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.commands import RPM_OSTREE_KARGS
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.detection import Findings
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import HostStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.own_kernel_arguments import (
    KernelArguments,
    newest_entry,
    staged_arguments,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.program_traits import Trait
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

SECONDS = 120.0
STAGED = "/run/ostree/staged-deployment"
ENTRIES = "/boot/loader/entries"


def next_kernel_arguments(
    host: Host, findings: Findings, status: HostStatus, deadline: Deadline
) -> KernelArguments | None:
    """Return those of the next boot, None where the programs of this host cannot set them."""
    if findings.has_rpm_ostree:
        said = host.run(RPM_OSTREE_KARGS, deadline=deadline.within(SECONDS)).stdout
        return KernelArguments(tuple(said.split()))
    if status.booted.is_composefs or not findings.programs.can(Trait.LOADER_ENTRIES):
        return None
    if status.next_boot_name == "staged":
        staged = host.path(STAGED)
        return staged_arguments(staged.read_bytes()) if staged.exists() else None
    return newest_entry(path.read_text() for path in sorted(host.path(ENTRIES).glob("ostree-*.conf")))
