# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""IBM Cloud VPC: the name of a custom image.

Source: openshift/machine-api-provider-ibmcloud, provider specification; openshift-docs,
modules/mco-update-boot-images-*.adoc.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import text_at
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.named_image import (
    NamedImage,
    judge_named,
)

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import Sources, Verdict

_OPERATING_SYSTEMS = {"s390x": "red-8-s390x-byol"}
_USUAL_SYSTEM = "rhel-coreos-stable-amd64"


class IbmCloud:
    """Custom images by name."""

    def judge(self, sources: Sources) -> Verdict:
        """Return what stands in ``image`` and what should."""
        provider = sources.provider
        system = _OPERATING_SYSTEMS.get(sources.architecture.release, _USUAL_SYSTEM)
        steps = (
            "Decompress it and upload it to the object storage bucket of the cluster's images, <infrastructure name>"
            "-vsi-image.",
            f"Create a custom image from it with the operating system {system} and wait until it is available.",
        )
        image = NamedImage("image", text_at(provider, "image"), "IBM Cloud", steps)
        artifact = sources.stream.artifact(sources.architecture, "ibmcloud", "qcow2.gz")
        return judge_named(sources, image, artifact)
