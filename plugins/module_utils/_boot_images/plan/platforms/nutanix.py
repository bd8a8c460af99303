# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Nutanix: an image of Prism Central by name or UUID.

Source: openshift/api, machine/v1/types_nutanixprovider.go; openshift-docs, modules/mco-update-boot-images-*.adoc.
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

_STEPS = (
    "Create an image from it in Prism Central, which can fetch the location by itself, in every cluster that a failure"
    " domain names; nutanix.ncp.ntnx_images_v2 does that. Wait until it is complete.",
)


class Nutanix:
    """Images by name, written as such; one that is there by UUID is replaced by a name."""

    def judge(self, sources: Sources) -> Verdict:
        """Return what stands in ``image`` and what should."""
        provider = sources.provider
        held = text_at(provider, "image", "name") or text_at(provider, "image", "uuid")
        image = NamedImage("image", held, "Prism Central", _STEPS, form=_by_name)
        artifact = sources.stream.artifact(sources.architecture, "nutanix", "qcow2")
        return judge_named(sources, image, artifact)


def _by_name(name: str) -> dict[str, str]:
    return {"type": "name", "name": name}
