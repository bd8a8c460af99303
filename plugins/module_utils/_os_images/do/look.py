# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One reading of a host: all that the plan needs to know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mountinfo import mount_at
from ansible_collections.fieldops.openshift.plugins.module_utils._host.mounts import read_mounts
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.manifest_of_list import known_digests
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.read_image import (
    bound_images,
    missing_bound_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.read_kernel_arguments import (
    next_kernel_arguments,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.read_programs import read_programs
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.commands import (
    pulled_digest_command,
    pulls,
    stored_digest_command,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.detection import (
    choose,
    refuse_managed,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.goal import Goal, State
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import HostStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_spec import REGISTRY
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.next_action import Seen
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.program_traits import Programs
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError

_SECONDS = 120.0
COMPOSEFS = "composefs"
"""What ostree mounts a root of composefs from (ostree-prepare-root.c)."""


def look(
    host: Host, goal: Goal, backend: str, deadline: Deadline, versions: Programs | None = None
) -> tuple[Seen, Goal]:
    """Return what must be known for ``goal``, and the goal with the digests that the host itself reports.

    ``versions`` are those of an earlier look. Raises ManagedByOperatorError and NotImageBasedError.
    """
    findings = read_programs(host, deadline, versions)
    refuse_managed(findings)
    status = choose(findings, backend)
    goal = known_digests(host, goal, status)
    wants_kargs = bool(goal.kargs_present or goal.kargs_absent)
    kargs = next_kernel_arguments(host, findings, status, deadline) if wants_kargs else None
    seen = Seen(
        status=status,
        missing_bound=_missing_bound(host, status, goal, deadline),
        kargs=kargs.words if kargs else None,
        own_kargs=kargs.own if kargs else (),
        has_rpm_ostree=findings.has_rpm_ostree,
        is_composefs=_is_composefs(host),
        programs=findings.programs,
    )
    return _with_downloads(host, seen, goal, deadline), goal


def _is_composefs(host: Host) -> bool:
    root = mount_at("/", read_mounts(host))
    return root is not None and root.source == COMPOSEFS


def _missing_bound(host: Host, status: HostStatus, goal: Goal, deadline: Deadline) -> tuple[str, ...]:
    staged = status.staged
    if not goal.state.stages or staged is None or not goal.names(staged):
        return ()
    return missing_bound_images(host, bound_images(host, staged, deadline))


def _with_downloads(host: Host, seen: Seen, goal: Goal, deadline: Deadline) -> Seen:
    image, status = goal.image, seen.status
    wants = goal.state.stages or goal.state is State.DOWNLOADED
    if image is None or not wants or image.transport != REGISTRY:
        return seen
    if goal.state.stages and goal.is_met_by(status.staged or status.booted):
        return seen
    pulled = _printed(host, pulled_digest_command(image), deadline) if pulls(seen, goal) else None
    # What was pulled goes before what is stored.
    is_asked = goal.source != "registry" and pulled is None
    stored = _printed(host, stored_digest_command(image), deadline) if is_asked else None
    return replace(seen, pulled_digest=pulled, stored_digest=stored)


def _printed(host: Host, argv: Sequence[str], deadline: Deadline) -> str | None:
    try:
        ended = host.run(argv, deadline=deadline.within(_SECONDS), ok=None)
    except MissingRequirementError:
        return None
    return ended.stdout.strip().strip("'") or None if ended.rc == 0 else None
