# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What bootc and rpm-ostree say of a host, and who decides on its OS image."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandResult
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.os_image_errors import UnknownStatusError
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.bootc_status import (
    bootc_status,
    is_empty,
    read_document,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.commands import (
    BOOTC_STATUS,
    BOOTC_VERSION,
    OLD_BOOTC_STATUS,
    RPM_OSTREE_STATUS,
    RPM_OSTREE_VERSION,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.detection import Findings
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import HostStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.program_traits import (
    Programs,
    bootc_version,
    rpm_ostree_version,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.rpm_ostree_status import (
    rpm_ostree_status,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError

OPERATOR_MARKS = ("/etc/machine-config-daemon/currentconfig", "/etc/machine-config-daemon/node-annotations.json")
"""What the machine-config daemon keeps on each host that it manages (pkg/daemon/constants)."""

CONTAINER_MARKS = ("/run/.containerenv", "/.dockerenv")
"""Files by which bootc believes to be in a container (crates/ostree-ext/src/container_utils.rs)."""

STATUS_SECONDS = 120.0
"""``bootc status`` waits for the lock of the sysroot, as long as another transaction is in progress."""

_WRONG_USAGE = 2
_ATTEMPTS = 4


@dataclass(frozen=True)
class _Answer:
    status: HostStatus | None
    is_present: bool
    said: str = ""


def read_programs(host: Host, deadline: Deadline, versions: Programs | None = None) -> Findings:
    """Return what the programs of ``host`` say; their ``versions`` are queried unless these are given.

    Raises UnknownStatusError for a document of an unknown form, DeadlineExceededError when a program waits too long.
    """
    bootc, rpm_ostree = _ask_bootc(host, deadline), _ask_rpm_ostree(host, deadline)
    return Findings(
        bootc=bootc.status,
        rpm_ostree=rpm_ostree.status,
        has_bootc=bootc.is_present,
        has_rpm_ostree=rpm_ostree.is_present and rpm_ostree.status is not None,
        programs=versions or _versions(host, bootc, rpm_ostree, deadline),
        operator_mark=next((mark for mark in OPERATOR_MARKS if host.path(mark).exists()), None),
        said="; ".join(each.said for each in (bootc, rpm_ostree) if each.said),
    )


def _versions(host: Host, bootc: _Answer, rpm_ostree: _Answer, deadline: Deadline) -> Programs:
    def said(argv: Sequence[str], answer: _Answer) -> str:
        return host.run(argv, deadline=deadline.within(STATUS_SECONDS), ok=None).stdout if answer.is_present else ""

    return Programs(
        bootc=bootc_version(said(BOOTC_VERSION, bootc)),
        rpm_ostree=rpm_ostree_version(said(RPM_OSTREE_VERSION, rpm_ostree)),
    )


def _ask_bootc(host: Host, deadline: Deadline) -> _Answer:
    within = deadline.within(STATUS_SECONDS)
    try:
        ended = host.run(BOOTC_STATUS, deadline=within, ok=None)
        if ended.rc == _WRONG_USAGE:
            ended = host.run(OLD_BOOTC_STATUS, deadline=within, ok=None)
    except MissingRequirementError:
        return _Answer(None, is_present=False)
    if ended.rc:
        return _Answer(None, is_present=True, said=_complaint(ended))
    document = read_document(ended.stdout)
    if is_empty(document):
        marks = [mark for mark in CONTAINER_MARKS if host.path(mark).exists()]
        why = (
            f"because {marks[0]} exists, it assumes that it runs in a container"
            if marks
            else "it reports no deployment"
        )
        return _Answer(None, is_present=True, said=f"bootc: {why}")
    return _Answer(bootc_status(document), is_present=True)


def _ask_rpm_ostree(host: Host, deadline: Deadline) -> _Answer:
    # Its own client repeats the question as well: the daemon may fail while it is being activated.
    within = deadline.within(STATUS_SECONDS)
    said = ""
    for attempt in range(_ATTEMPTS):
        try:
            ended = host.run(RPM_OSTREE_STATUS, deadline=within, ok=None)
        except MissingRequirementError:
            return _Answer(None, is_present=False)
        if ended.rc == 0:
            return _read_rpm_ostree(ended)
        said = _complaint(ended)
        if "not booted via libostree" in said:
            break
        within.pause(0.5 * (attempt + 1))
    return _Answer(None, is_present=True, said=said)


def _read_rpm_ostree(ended: CommandResult) -> _Answer:
    document = ended.json()
    deployments = document.get("deployments") if isinstance(document, dict) else None
    if deployments == []:
        return _Answer(None, is_present=True, said="rpm-ostree: it reports no deployment")
    try:
        return _Answer(rpm_ostree_status(document), is_present=True)
    except UnknownStatusError as error:
        if "none of its deployments is booted" not in error.seen:
            raise
        return _Answer(None, is_present=True, said=f"rpm-ostree: {error.seen}")


def _complaint(ended: CommandResult) -> str:
    return f"{ended.argv[0]} ended with status {ended.rc}: {ended.stderr.strip()[-300:] or 'no output'}"
