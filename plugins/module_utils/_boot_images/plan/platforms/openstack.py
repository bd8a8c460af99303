# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""OpenStack: the name of an image in Glance.

Source: openshift/api, machine/v1alpha1/types_openstack.go; openshift-docs, modules/mco-update-boot-images-*.adoc.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import text_at
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.named_image import (
    NamedImage,
    judge_named,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import left_alone

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import Sources, Verdict

_STEPS = (
    "Decompress it and create an image from it with disk format qcow2, container format bare, and the properties"
    " os_type=linux and os_distro=rhcos; openstack.cloud.image does that.",
)


class OpenStack:
    """Images by name; machines that boot from a volume made of an image's UUID do not use the name."""

    def judge(self, sources: Sources) -> Verdict:
        """Return what stands in ``image`` and what should."""
        provider = sources.provider
        if text_at(provider, "rootVolume", "sourceUUID"):
            return left_alone("boots_from_volume", "rootVolume.sourceUUID names the image, which is deprecated")
        image = NamedImage("image", text_at(provider, "image"), "Glance", _STEPS)
        artifact = sources.stream.artifact(sources.architecture, "openstack", "qcow2.gz")
        return judge_named(sources, image, artifact)
