# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Platforms without automation: what a person has to do, with the values of the stream filled in."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import (
    Document,
    mapping_at,
    text_at,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.streams import Stream
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import (
    Sources,
    Verdict,
    left_alone,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture


def judge_by_hand(sources: Sources) -> Verdict:
    """Return that a person has to see to it."""
    platform = text_at(sources.infrastructure, "status", "platformStatus", "type") or "an unknown platform"
    return left_alone(
        "unsupported_platform", f"boot images on {platform[:40]} must be replaced manually, see checklist"
    )


def checklist(stream: Stream, architecture: Architecture) -> list[dict[str, t.Any]]:
    """Return the files that a provisioning system of the site should serve, and what to do with each.

    For platforms None and External: machines that no MachineSet makes.
    """
    found = []
    for name, artifact in sorted(mapping_at(stream.architecture(architecture), "artifacts").items()):
        if name not in ("metal", "qemu", "openstack"):
            continue
        for form, parts in sorted(mapping_at(artifact, "formats").items()):
            files = {part: _file(parts, part) for part in sorted(mapping_at(parts))}
            release = text_at(artifact, "release")
            found.append({"platform": name, "format": form, "release": release, "files": files, "step": _STEPS[name]})
    return found


def _file(parts: Document, part: str) -> dict[str, str]:
    return {"location": text_at(parts, part, "location"), "sha256": text_at(parts, part, "sha256")}


_STEPS = {
    "metal": "Replace the image from which the site boots new machines over the network or from media, then record "
    "the release.",
    "qemu": "Replace the disk image from which virtual machines of the site start, then record the release.",
    "openstack": "Replace the cloud image from which virtual machines of the site start, then record the release.",
}
