# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Microsoft's cloud: the whole ``image`` object, an image of the marketplace by variant and generation.

Source: machine-config-operator, pkg/controller/bootimage/platform_helpers.go, reconcileAzureProviderSpec.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import (
    Document,
    mapping_at,
    text_at,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_changes import field_change
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import (
    Image,
    Sources,
    Verdict,
    fault,
    left_alone,
    missing_from_stream,
    settle,
)

FREE = "no-purchase-plan"
FREE_PUBLISHER = "azureopenshift"
_PARTS = ("publisher", "offer", "sku", "version", "resourceID", "type")
_OFFERS = {"rh-ocp-worker": "ocp", "rh-opp-worker": "opp", "rh-oke-worker": "oke"}
_SUFFIXES = {"redhat": "", "redhat-limited": "-emea"}
GENERATION_1, GENERATION_2 = "hyperVGen1", "hyperVGen2"


def judge_azure(sources: Sources) -> Verdict:
    """Return the verdict on ``image``: one without a plan, with a plan of Red Hat, or uploaded by the installer."""
    provider = sources.provider
    image = {part: text_at(provider, "image", part) for part in _PARTS}
    current = Image(_reference(image), image["version"])
    refused = _not_ours(provider, sources, current)
    if refused:
        return refused
    variant = variant_of(image)
    if not variant:
        offer = f"{image['publisher']}/{image['offer']}"[:80]
        return fault("unknown_variant", f"{offer} is not a known offer, so its variant is unknown", current)
    marketplace = sources.stream.azure_marketplace(sources.architecture)
    if not marketplace:
        return missing_from_stream(sources, "images of Azure's marketplace", current)
    generation = generation_of(image, sources.architecture.release)
    listed = mapping_at(marketplace, variant, generation)
    if not all(text_at(listed, part) for part in _PARTS[:4]):
        reason = f"the stream has no image {variant} of {generation} for {sources.architecture}"
        return fault("not_in_stream", reason, current)
    return _settled(provider, image, current, listed, variant)


def variant_of(image: t.Mapping[str, str]) -> str:
    """Return the variant as streams name it, empty for an unknown one."""
    if image["resourceID"] or image["publisher"] == FREE_PUBLISHER:
        return FREE
    offer = _OFFERS.get(image["offer"], "")
    suffix = _SUFFIXES.get(image["publisher"])
    return f"{offer}{suffix}" if offer and suffix is not None else ""


def generation_of(image: t.Mapping[str, str], architecture: str) -> str:
    """Return the generation of virtual machines that the present image is for, and the next one has to be for."""
    if image["resourceID"]:
        second = "gen2" in image["resourceID"]
    elif image["type"] == "MarketplaceNoPlan":
        second = "v2" in image["sku"] or architecture == "aarch64"
    else:
        second = "gen1" not in image["sku"]
    return GENERATION_2 if second else GENERATION_1


def _not_ours(provider: Document, sources: Sources, current: Image) -> Verdict | None:
    if sources.architecture.release not in ("x86_64", "aarch64"):
        return left_alone("architecture_unsupported", f"Azure has no machines of {sources.architecture}", current)
    if text_at(sources.infrastructure, "status", "platformStatus", "azure", "cloudName") == "AzureStackCloud":
        return left_alone("azure_stack", "Azure Stack Hub has no marketplace for it: upload the image there", current)
    security = text_at(provider, "securityProfile", "settings", "securityType")
    if security:
        return left_alone(
            "security_type", f"machines of security type {security[:40]} require separate images", current
        )
    return None


def _settled(provider: Document, image: t.Mapping[str, str], current: Image, listed: Document, variant: str) -> Verdict:
    wanted = {part: text_at(listed, part) for part in _PARTS[:4]}
    wanted["resourceID"] = ""
    wanted["type"] = "MarketplaceNoPlan" if variant == FREE else "MarketplaceWithPlan"
    target = Image(_reference(wanted), wanted["version"])
    if all(image[part] == wanted[part] for part in _PARTS):
        return settle(current, target, ())
    return settle(current, target, (field_change(provider, ("image",), (wanted,)),))


def _reference(image: t.Mapping[str, str]) -> str:
    if image["resourceID"]:
        return image["resourceID"]
    return ":".join(image[part] for part in _PARTS[:4]) if any(image[part] for part in _PARTS[:4]) else ""
