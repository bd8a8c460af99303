# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Images of Amazon's marketplace: which product an image is of, and the newest of that product that fits a stream.

Source: machine-config-operator, pkg/controller/bootimage/marketplace and docs/design/aws-marketplace.md.
"""

from __future__ import annotations

import re

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.cloud_images import CloudImages
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.rhcos_release import (
    parse_release,
    release_within,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import Image

_PRODUCT = re.compile(r".*-([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})", re.DOTALL)


def product_of(name: str) -> str:
    """Return the product that an image's name ends with, a UUID; empty where it does not."""
    found = _PRODUCT.fullmatch(name)
    return found.group(1) if found else ""


def newest_in_marketplace(product: str, wanted: str, cloud: CloudImages, owner: str) -> Image | None:
    """Return the newest image of a product whose release is not above ``wanted``, None where there is none.

    Compared are the first two numbers of releases, then the instant of creation. The older names of releases begin
    with OpenShift's version (418) and so are above every RHEL version.
    """
    limit = parse_release(wanted)
    if limit is None:
        return None
    best: tuple[tuple[int, int], str, str, str] | None = None
    for image in cloud.images.values():
        release = release_within(image.description)
        if image.owner != owner or product not in image.name or release is None:
            continue
        token = (release.major, release.minor)
        if token <= (limit.major, limit.minor):
            found = (token, image.created, image.reference, str(release))
            best = found if best is None or found > best else best
    return Image(best[2], best[3]) if best else None
