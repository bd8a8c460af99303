# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""OpenStack, Nutanix, IBM Cloud and Power VS: alike but for the field, the file and the steps that bring it there.

Sources: openshift/api, machine/v1alpha1/types_openstack.go, machine/v1/types_nutanixprovider.go and
types_powervsprovider.go (image of type Name and ID); openshift/machine-api-provider-ibmcloud, provider specification;
openshift-docs, modules/mco-update-boot-images-*.adoc, without a procedure for Power VS.
"""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import mapping_at, text_at
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.named_image import (
    NamedImage,
    judge_named,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.streams import Artifact
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import (
    Sources,
    Verdict,
    left_alone,
)

_IN_GLANCE = (
    "Decompress it and create an image from it with disk format qcow2, container format bare, and the properties"
    " os_type=linux and os_distro=rhcos; openstack.cloud.image does that.",
)
_IN_PRISM_CENTRAL = (
    "Create an image from it in Prism Central, which can fetch the location by itself, in every cluster that a failure"
    " domain names; nutanix.ncp.ntnx_images_v2 does that. Wait until it is complete.",
)
_IBM_SYSTEMS = {"s390x": "red-8-s390x-byol"}
_USUAL_IBM_SYSTEM = "rhel-coreos-stable-amd64"


def judge_openstack(sources: Sources) -> Verdict:
    """Return the verdict on OpenStack's ``image``; a volume made of an image's UUID does not use the name."""
    provider = sources.provider
    if text_at(provider, "rootVolume", "sourceUUID"):
        return left_alone("boots_from_volume", "rootVolume.sourceUUID names the image, which is deprecated")
    image = NamedImage("image", text_at(provider, "image"), "Glance", _IN_GLANCE)
    artifact = sources.stream.artifact(sources.architecture, "openstack", "qcow2.gz")
    return judge_named(sources, image, artifact)


def judge_nutanix(sources: Sources) -> Verdict:
    """Return the verdict on Nutanix's ``image``, by name; one that is there by UUID is replaced by a name."""
    provider = sources.provider
    held = text_at(provider, "image", "name") or text_at(provider, "image", "uuid")
    image = NamedImage("image", held, "Prism Central", _IN_PRISM_CENTRAL, lambda name: {"type": "name", "name": name})
    artifact = sources.stream.artifact(sources.architecture, "nutanix", "qcow2")
    return judge_named(sources, image, artifact)


def judge_ibm_cloud(sources: Sources) -> Verdict:
    """Return the verdict on the custom image of IBM Cloud VPC."""
    provider = sources.provider
    system = _IBM_SYSTEMS.get(sources.architecture.release, _USUAL_IBM_SYSTEM)
    steps = (
        "Decompress it and upload it to the object storage bucket of the cluster's images, <infrastructure name>"
        "-vsi-image.",
        f"Create a custom image from it with the operating system {system} and wait until it is available.",
    )
    image = NamedImage("image", text_at(provider, "image"), "IBM Cloud", steps)
    artifact = sources.stream.artifact(sources.architecture, "ibmcloud", "qcow2.gz")
    return judge_named(sources, image, artifact)


def judge_power_vs(sources: Sources) -> Verdict:
    """Return the verdict on the image of Power VS; one that is found by a pattern is not touched."""
    provider = sources.provider
    if text_at(provider, "image", "type") == "RegEx":
        return left_alone("image_by_pattern", "image.regex selects the image")
    held = text_at(provider, "image", "name") or text_at(provider, "image", "id")
    region = text_at(sources.infrastructure, "status", "platformStatus", "powervs", "region")
    listed = mapping_at(sources.stream.cloud(sources.architecture, "powervs"), "regions", region)
    bucket, item = text_at(listed, "bucket"), text_at(listed, "object")
    steps = (f"Import object {item} of the public bucket {bucket} into the workspace as a boot image.",)
    image = NamedImage("image", held, "Power VS", steps, lambda name: {"type": "Name", "name": name})
    artifact = Artifact(text_at(listed, "release"), "ova.gz", text_at(listed, "url"))
    return judge_named(sources, image, artifact)
