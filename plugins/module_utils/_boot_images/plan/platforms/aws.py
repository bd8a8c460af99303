# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Amazon's cloud: ``ami.id`` in the provider's specification, an image of the region in the stream.

Source: machine-config-operator, pkg/controller/bootimage/aws_helpers.go.
"""

from __future__ import annotations

from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import (
    Document,
    mapping_at,
    text_at,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_changes import field_change
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.aws_marketplace import (
    newest_in_marketplace,
    product_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.aws_published import (
    published,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import (
    Image,
    Sources,
    Verdict,
    left_alone,
    missing_from_stream,
    settle,
)

RED_HAT = "531415883065"
MARKETPLACE = "679593333241"
"""Accounts that own the images which Red Hat publishes, and those of Amazon's marketplace."""


IN_MARKETPLACE = "in_marketplace"
_LICENSED = "winli"


def judge_aws(sources: Sources) -> Verdict:
    """Return the verdict on ``ami``: standard images, and with ``cloud_images`` those of the marketplace."""
    provider = sources.provider
    ami = text_at(provider, "ami", "id")
    if not ami:
        return left_alone("no_image_id", "ami.id is not set; the image is found by ARN or filters")
    known = published(ami)
    current = Image(ami, sources.release_of(ami) or (known.release if known else ""))
    region = text_at(provider, "placement", "region")
    fact = sources.cloud.get(ami)
    regions = _regions(sources, ami, fact.name if fact else "")
    listed = mapping_at(regions, region) if region else {}
    right = Image(text_at(listed, "image"), text_at(listed, "release"))
    if right.reference == ami:
        return settle(right, right, ())
    owner = fact.owner if fact else ""
    if owner == MARKETPLACE:
        return _marketplace(provider, current, sources)
    if owner != RED_HAT and ami not in sources.vouched and known is None:
        return _not_known(owner, current)
    if known and known.architecture not in ("", sources.architecture.release):
        reason = f"its image is for {known.architecture}, but the cluster says {sources.architecture.release}"
        return left_alone("other_architecture", reason, current)
    if not right.reference:
        return missing_from_stream(sources, f"image in region {region[:40]!r}", current)
    return _settled(provider, current, right)


def _regions(sources: Sources, ami: str, name: str) -> Document:
    """Return the images by region: where a licence of Windows belongs to the present one, those with such a licence."""
    licensed = mapping_at(sources.stream.licensed_for_windows(sources.architecture), "regions")
    known = any(text_at(one, "image") == ami for one in licensed.values())
    if known or _LICENSED in name:
        return licensed
    return mapping_at(sources.stream.cloud(sources.architecture, "aws"), "regions")


def _marketplace(provider: Document, current: Image, sources: Sources) -> Verdict:
    fact = sources.cloud.get(current.reference)
    product = product_of(fact.name) if fact else ""
    if not product:
        return left_alone("custom_image", "its marketplace name has no product ID", current)
    wanted = text_at(sources.stream.architecture(sources.architecture), "artifacts", "aws", "release")
    newest = newest_in_marketplace(product, wanted, sources.cloud, MARKETPLACE)
    if newest is None:
        reason = f"cloud_images contains no image of product {product} that is not newer than {wanted[:40]}"
        return left_alone("not_in_marketplace", reason, current)
    return replace(_settled(provider, current, newest), code=IN_MARKETPLACE)


def _settled(provider: Document, current: Image, right: Image) -> Verdict:
    if current.reference == right.reference:
        return settle(current, right, ())
    return settle(current, right, (field_change(provider, ("ami",), ({"id": right.reference},)),))


def _not_known(owner: str, current: Image) -> Verdict:
    if owner:
        return left_alone("custom_image", f"the image belongs to account {owner[:20]}", current)
    reason = "the owner of the image is unknown: set cloud_images, or list the image in vouched_images"
    return left_alone("unknown_image", reason, current)
