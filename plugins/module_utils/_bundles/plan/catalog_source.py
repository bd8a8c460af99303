# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The CatalogSource through which OLM finds a catalog that a bundle brought."""

from __future__ import annotations

import re
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import PART_OF, PART_OF_LABEL

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
        BundledImage,
        BundleIndex,
    )

NAMESPACE = "openshift-marketplace"


def catalog_sources(index: BundleIndex) -> list[dict[str, t.Any]]:
    """Return a CatalogSource for each catalog image in the bundle; it names the image by digest."""
    return [_catalog_source(image) for image in index.images if image.reason == "catalog"]


def _catalog_source(image: BundledImage) -> dict[str, t.Any]:
    last = image.name.repository.rpartition("/")[2]
    name = re.sub(r"[^a-z0-9]+", "-", f"{last}-{image.tag or image.manifests[0].short}".lower()).strip("-")
    return {
        "apiVersion": "operators.coreos.com/v1alpha1",
        "kind": "CatalogSource",
        "metadata": {"name": name[:63].rstrip("-"), "namespace": NAMESPACE, "labels": {PART_OF_LABEL: PART_OF}},
        "spec": {"sourceType": "grpc", "image": str(image.name), "displayName": last, "publisher": PART_OF},
    }
