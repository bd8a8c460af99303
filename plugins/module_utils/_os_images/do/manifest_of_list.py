# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which manifest this host has of a digest that may be that of a manifest list: looked up once, and written down."""

from __future__ import annotations

import hashlib
import json
import os
import typing as t
from collections.abc import Sequence
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.host_keeping import (
    read_record,
    write_record,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.os_image_errors import OsImageChangeError
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.asked_digest import (
    AskedDigest,
    asked_digest,
    is_unresolved,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.commands import manifest_commands
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.goal import Goal
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.host_status import HostStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_content import instance_digest
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.image_spec import ImageSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.next_action import Seen
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    DeadlineExceededError,
    MissingRequirementError,
)

_SECONDS = 60.0
_KEPT = 20
"""How many answers are kept."""


def known_digests(host: Host, goal: Goal, status: HostStatus) -> Goal:
    """Return ``goal`` with the digests that the host itself reports: names of deployments, and the record."""
    recorded = read_record(host).manifests
    return goal.knowing([asked_digest(one.digest, status, recorded) for one in goal.every_asked])


def look_up_digests(host: Host, goal: Goal, seen: Seen, auth: str | None, deadline: Deadline) -> Goal:
    """Return ``goal`` with what container storage or registry report of digests that the host does not know.

    A pulled image has the digest of a manifest, so no registry is asked what that is. Where neither answers they stay
    as they are. Raises OsImageChangeError for a list without this architecture.
    """
    status = seen.status
    open_ones = [one for one in goal.every_asked if one.digest != seen.pulled_digest and is_unresolved(one, status)]
    return goal.knowing([_looked_up(host, goal, one, status, auth, deadline) for one in open_ones])


def remember_digests(host: Host, goal: Goal) -> None:
    """Write down which manifests the digests of ``goal`` stand for."""
    record = read_record(host)
    found = {**record.manifests, **dict(goal.manifests)}
    if found != record.manifests:
        write_record(host, replace(record, manifests=dict(list(found.items())[-_KEPT:])))


def _looked_up(
    host: Host, goal: Goal, asked: AskedDigest, status: HostStatus, auth: str | None, deadline: Deadline
) -> AskedDigest:
    images = [goal.image] if asked.digest == goal.digest else [one.image for one in status.all()]
    for argv in manifest_commands(asked.digest, _distinct(images), auth):
        try:
            ended = host.run(argv, deadline=deadline.within(_SECONDS), ok=None)
        except (MissingRequirementError, DeadlineExceededError):
            continue
        content = ended.stdout.encode()
        if ended.rc == 0 and f"sha256:{hashlib.sha256(content).hexdigest()}" == asked.digest:
            return _of_list(asked, json.loads(content))
    return asked


def _of_list(asked: AskedDigest, manifest: t.Any) -> AskedDigest:
    machine = os.uname().machine
    found = instance_digest(manifest, machine)
    if found is None and isinstance(manifest, dict) and isinstance(manifest.get("manifests"), list):
        raise OsImageChangeError(
            "find the image for this host",
            on=asked.digest,
            seen=f"it is a list of manifests without one for {machine}",
            advice="Specify an image that was built for this architecture, or exclude the host.",
        )
    return AskedDigest(asked.digest, found)


def _distinct(images: Sequence[ImageSpec | None]) -> list[str]:
    return list(dict.fromkeys(one.repository for one in images if one is not None and one.repository is not None))
