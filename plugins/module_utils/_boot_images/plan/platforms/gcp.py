# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Google's cloud: the image of each boot disk, named with its project.

Source: machine-config-operator, pkg/controller/bootimage/platform_helpers.go, reconcileGCPProviderSpec.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import list_at, text_at
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_changes import FieldChange
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.rhcos_release import (
    release_of_google_image,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import (
    Image,
    Sources,
    Verdict,
    left_alone,
    missing_from_stream,
    settle,
)

STANDARD = "projects/rhcos-cloud/global/images/"
"""Where Red Hat publishes; images of the marketplace and a site's own are elsewhere."""


def judge_gcp(sources: Sources) -> Verdict:
    """Return the verdict on the disks that are marked as boot disks; others are not looked at."""
    provider = sources.provider
    disks = [disk if isinstance(disk, dict) else {} for disk in list_at(provider, "disks")]
    boot = [(position, text_at(disk, "image")) for position, disk in enumerate(disks) if disk.get("boot") is True]
    if not boot:
        return left_alone("no_boot_disk", "no disk is marked as boot disk")
    listed = sources.stream.cloud(sources.architecture, "gcp")
    project, name = text_at(listed, "project"), text_at(listed, "name")
    right = Image(f"projects/{project}/global/images/{name}", text_at(listed, "release"))
    other = next((image for _position, image in boot if image != right.reference), boot[0][1])
    current = right if other == right.reference else Image(other, _release(other, sources))
    if not project or not name:
        return missing_from_stream(sources, "image of Google's cloud", current)
    for _position, image in boot:
        standard = image.startswith(STANDARD) or image in sources.vouched
        if image != right.reference and not standard:
            reason = f"{image[:120] or 'no image'} is not one of Red Hat's in project rhcos-cloud"
            return left_alone("custom_image", reason, Image(image))
    return settle(current, right, _changes(disks, boot, right.reference))


def _changes(disks: list[t.Any], boot: list[tuple[int, str]], right: str) -> tuple[FieldChange, ...]:
    return tuple(
        FieldChange(("disks", position, "image"), (image,) if "image" in disks[position] else (), (right,))
        for position, image in boot
        if image != right
    )


def _release(reference: str, sources: Sources) -> str:
    return sources.release_of(reference) or str(release_of_google_image(reference) or "")
