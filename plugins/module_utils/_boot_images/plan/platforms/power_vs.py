# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Power VS: an image of the workspace by name or id; the stream lists where to import it from.

Source: openshift/api, machine/v1/types_powervsprovider.go (image of type Name and ID); no procedure is documented.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import mapping_at, text_at
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.named_image import (
    NamedImage,
    judge_named,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.streams import Artifact
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import left_alone

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import Sources, Verdict


class PowerVs:
    """Images by name, written as such; one that is found by a pattern is not touched."""

    def judge(self, sources: Sources) -> Verdict:
        """Return what stands in ``image`` and what should."""
        provider = sources.provider
        if text_at(provider, "image", "type") == "RegEx":
            return left_alone("image_by_pattern", "image.regex selects the image")
        held = text_at(provider, "image", "name") or text_at(provider, "image", "id")
        region = text_at(sources.infrastructure, "status", "platformStatus", "powervs", "region")
        listed = mapping_at(sources.stream.cloud(sources.architecture, "powervs"), "regions", region)
        bucket, item = text_at(listed, "bucket"), text_at(listed, "object")
        steps = (f"Import object {item} of the public bucket {bucket} into the workspace as a boot image.",)
        image = NamedImage("image", held, "Power VS", steps, form=_by_name)
        artifact = Artifact(text_at(listed, "release"), "ova.gz", text_at(listed, "url"))
        return judge_named(sources, image, artifact)


def _by_name(name: str) -> dict[str, str]:
    return {"type": "Name", "name": name}
