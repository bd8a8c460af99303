# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a host is made of, and its other settings: for results, inventories and reports."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from datetime import datetime, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mountinfo import mount_at
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mounts import read_mounts
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.host_keeping import (
    boot_id,
    explain_lost_staging,
    read_record,
    reboot_mark,
    timer_states,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.read_image import (
    bound_images,
    etc_changes,
    image_kernel_arguments,
    missing_bound_images,
    var_of_image,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.read_kernel_arguments import (
    next_kernel_arguments,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.read_programs import read_programs
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.os_image_errors import NotImageBasedError
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.asked_digest import (
    AskedDigest,
    asked_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.detection import Findings, choose
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_keeping import is_finalized
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import (
    Entry,
    HostStatus,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_content import health_verdict
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.program_traits import Programs, written
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.step_state import needs_reboot
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError

REPORT_SECONDS = 240.0

SOFT_REBOOT_ROOT = "/run/nextroot"
"""Where a soft reboot finds the root that it continues with (systemd-soft-reboot.service(8))."""

GREENBOOT = "/usr/libexec/greenboot/greenboot-status"
COMMAND_SECONDS = 30.0


def os_image_report(host: Host, params: Mapping[str, t.Any]) -> dict[str, t.Any]:
    """Return all that the info module's ``params`` ask for; a host that boots no image is an answer, not an error."""
    deadline = Deadline(REPORT_SECONDS, host.clock)
    findings = read_programs(host, deadline, None if params["details"] else Programs())
    found: dict[str, t.Any] = {
        "managed_by_operator": findings.operator_mark is not None,
        "programs": {"bootc": findings.has_bootc, "rpm_ostree": findings.has_rpm_ostree},
    }
    if params["details"]:
        found["versions"] = {name: written(version) for name, version in vars(findings.programs).items()}
    try:
        status = choose(findings, params["backend"])
    except NotImageBasedError as error:
        return {**found, "image_based": False, "why_not": error.seen, "os_image": None}
    found.update(image_based=True, why_not=None, **condition(host, status, deadline))
    found["age"] = _age(host, status.booted)
    found["digests"] = [asked.as_document(status) for asked in _asked(host, params, status)]
    found["health"] = _health(host, deadline)
    return {**found, **(_details(host, findings, status, deadline) if params["details"] else {})}


def _asked(host: Host, params: Mapping[str, t.Any], status: HostStatus) -> list[AskedDigest]:
    recorded = read_record(host).manifests
    digests = [params["digest"]] if params.get("digest") else []
    return [asked_digest(str(Digest.parse(one)), status, recorded) for one in digests]


def condition(host: Host, status: HostStatus, deadline: Deadline) -> dict[str, t.Any]:
    """Return the deployments of a host and what the next reboot will come to, as every result shows them."""
    return {
        "os_image": status.as_document(),
        "reboot_needed": needs_reboot(status),
        # After a soft reboot the place stays, empty.
        "soft_reboot_prepared": mount_at(SOFT_REBOOT_ROOT, read_mounts(host)) is not None,
        "reboot_marker": reboot_mark(host),
        "finalized": is_finalized(read_record(host), status, boot_id(host)),
        "lost_staging": explain_lost_staging(host, status, deadline),
    }


def bound_report(host: Host, entry: Entry, deadline: Deadline) -> dict[str, t.Any]:
    """Return the images that a deployment binds logically and which of them are missing; None if unknown."""
    if entry.checksum is None:
        return {"wanted": None, "missing": None}
    wanted = bound_images(host, entry, deadline)
    return {"wanted": list(wanted), "missing": list(missing_bound_images(host, wanted))}


def caveats(host: Host, status: HostStatus, deadline: Deadline) -> dict[str, t.Any]:
    """Return what the next boot does not carry over, or does: files of /var in the image, and which /etc there will be.

    A rollback brings back the /etc of its own deployment, every other boot merges the present one.
    """
    return {
        "var_of_image": var_of_image(host, status.next_boot, deadline),
        "etc_changes": etc_changes(host, deadline),
        "etc_returns": status.next_boot_name == "rollback",
    }


def _details(host: Host, findings: Findings, status: HostStatus, deadline: Deadline) -> dict[str, t.Any]:
    kargs = next_kernel_arguments(host, findings, status, deadline)
    return {
        "kernel_arguments": {
            "next_boot": list(kargs.words) if kargs else None,
            "of_image": list(image_kernel_arguments(host, status.next_boot, deadline)),
        },
        "bound_images": bound_report(host, status.next_boot, deadline),
        "caveats": caveats(host, status, deadline),
        "automatic_updates": timer_states(host, deadline),
    }


def _health(host: Host, deadline: Deadline) -> dict[str, t.Any] | None:
    """Return what greenboot found at the last boot, None on a host without it."""
    if not host.path(GREENBOOT).exists():
        return None
    try:
        ended = host.run([GREENBOOT], deadline=deadline.within(COMMAND_SECONDS), ok=None)
    except MissingRequirementError:
        return None
    return {"verdict": health_verdict(ended.stdout), "said": ended.stdout.strip()[-2000:]}


def _age(host: Host, booted: Entry) -> int | None:
    """Return how many seconds ago the booted image was built."""
    try:
        built = datetime.strptime((booted.timestamp or "")[:19], "%Y-%m-%dT%H:%M:%S")
    except ValueError:
        return None
    return int((host.clock.utcnow() - built.replace(tzinfo=timezone.utc)).total_seconds())
