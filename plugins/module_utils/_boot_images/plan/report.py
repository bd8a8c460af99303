# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the modules return of resources and of the cluster."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.assessment import (
    Assessment,
    Site,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_entries import FIRST_SEEN
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.ignition_stub import user_data_secret
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.operator_skips import (
    changed_all_the_same,
    counts_as_skip,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.by_hand import checklist
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.vsphere import (
    workspace_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.rhcos_release import (
    openshift_version_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.known_failures import (
    known_failures,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import (
    CURRENT,
    STANDINGS,
    Image,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import ARCHITECTURES

_BY_HAND = ("None", "External")


def resource_data(
    found: Assessment, stubs: Mapping[str, tuple[str, str]], *, history: bool = False
) -> dict[str, t.Any]:
    """Return one resource as results show it; ``stubs`` are version and flaw of stub Ignition by Secret."""
    version = found.cluster_version
    resource, verdict = found.resource, found.verdict
    secret = user_data_secret(resource.provider)
    ignition, flaw = stubs.get(secret, ("", ""))
    shown: dict[str, t.Any] = {
        "kind": resource.kind,
        "name": resource.name,
        "replicas": resource.replicas,
        "stream": found.stream,
        "architecture": found.architecture,
        "standing": verdict.standing,
        "would_update": found.may_update,
        "code": "left_to_operator" if _waits_for_operator(found) else verdict.code,
        "reason": _reason(found),
        "counts_as_skip": counts_as_skip(found),
        "current": _image(verdict.current),
        "known_failures": [one.as_data() for one in known_failures(version, rhcos_version=verdict.current.release)],
        "target": _image(verdict.target),
        "managed_by": found.management.as_data(),
        "user_data": {"secret": secret, "ignition": ignition, "reason": flaw},
        "overwritten": found.contest.rounds,
        "writers": [writer.as_data() for writer in found.contest.others],
        "artifact": verdict.artifact.as_data() if verdict.artifact else None,
        "workspace": workspace_of(resource.provider),
        "steps": list(verdict.steps),
        "last_change": next((one.as_data() for one in reversed(found.history) if one.kind != FIRST_SEEN), None),
    }
    if history:
        shown["history"] = [entry.as_data() for entry in found.history]
    return shown


def cluster_data(site: Site) -> dict[str, t.Any]:
    """Return the cluster as results show it."""
    streams = site.streams
    return {
        "platform": site.platform,
        "version": site.version,
        "streams": [stream.name for stream in streams.every()] if streams else [],
        "images_of": streams.version if streams else "",
        "stamped_by": streams.operator_version if streams else "",
        "reason": site.flaw or (streams.flaw if streams else ""),
        "checklist": _checklist(site),
    }


def summary(found: Sequence[Assessment]) -> dict[str, int]:
    """Return how many resources are in each standing, and how many would be updated."""
    counts = {standing: sum(one.verdict.standing == standing for one in found) for standing in STANDINGS}
    return {"total": len(found), **counts, "would_update": sum(one.may_update for one in found)}


def sentence_of(found: Sequence[Assessment]) -> str:
    """Return where boot images stand, in one line."""
    counts = summary(found)
    parts = [f"{counts[standing]} {_WORDS[standing]}" for standing in STANDINGS if counts[standing]]
    return f"of {counts['total']} machine resources, {', '.join(parts)}" if parts else "there are no machine resources"


def _checklist(site: Site) -> list[dict[str, t.Any]]:
    """Return the files for machines that no MachineSet makes, of every architecture the cluster may have."""
    if site.streams is None or site.platform not in _BY_HAND:
        return []
    several = site.architecture.is_multi or site.architecture.control_plane is None
    wanted = [one for one in ARCHITECTURES if several or one == site.architecture.control_plane]
    streams = site.streams
    return [
        {"stream": stream.name, "architecture": one.release, **file}
        for stream in streams.every()
        for one in wanted
        for file in checklist(stream, one)
    ]


def _reason(found: Assessment) -> str:
    if _waits_for_operator(found):
        return "the machine-config operator keeps it up to date"
    return f"{found.verdict.reason}{changed_all_the_same(found)}"


def _waits_for_operator(found: Assessment) -> bool:
    return found.left_to_operator and found.verdict.standing != CURRENT


def _image(image: Image) -> dict[str, str]:
    return {
        "image": image.reference,
        "release": image.release,
        "openshift": openshift_version_of(image.release),
    }


_WORDS = {
    "current": "boot the correct image",
    "outdated": "boot another image",
    "needs_image": "wait for an image in the site's cloud",
    "left_alone": "are not managed by this collection",
    "fault": "cannot be evaluated",
}
