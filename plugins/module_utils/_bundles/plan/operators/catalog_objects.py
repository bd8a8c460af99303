# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The objects of a site by which OLM finds the catalogs of a bundle, and machines the images that a registry mirrors.

Sources: operator-framework/api ``operators/v1alpha1/catalogsource_types.go``; operator-framework/operator-controller
``api/v1/clustercatalog_types.go``; openshift/api ``config/v1/types_image_digest_mirror_set.go``.
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Iterable

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.catalog_image import (
    CATALOGS,
    FOLDER,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.boot_artifacts import BOOT_ARTIFACTS
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BundledImage,
    BundleIndex,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import PART_OF, PART_OF_LABEL

Manifest = dict[str, t.Any]

NAMESPACE = "openshift-marketplace"
MIRROR_SET = "fieldops-openshift-bundle"
_HERE = (CATALOGS, BOOT_ARTIFACTS.partition("/")[0])
"""Registries of images that are made during a build; a registry of the site is the only place that can have them."""


def catalog_sources(index: BundleIndex) -> list[Manifest]:
    """Return a CatalogSource for each catalog image in the bundle; it names the image by digest."""
    return [_catalog_source(image) for image in _catalogs(index)]


def cluster_catalogs(index: BundleIndex) -> list[Manifest]:
    """Return a ClusterCatalog for each catalog image in the bundle, for clusters with OLM v1."""
    return [
        {
            "apiVersion": "olm.operatorframework.io/v1",
            "kind": "ClusterCatalog",
            "metadata": {"name": _name(image), "labels": {PART_OF_LABEL: PART_OF}},
            "spec": {"source": {"type": "Image", "image": {"ref": str(image.name)}}},
        }
        for image in _catalogs(index)
    ]


def mirror_sets(index: BundleIndex, registry: str) -> list[Manifest]:
    """Return the mirror sets with which machines find the images of the bundle below ``registry``, a host and a path.

    All images are named by digest. Those that were requested by tag are found by tag as well.
    """
    images = [image for image in index.images if image.is_image]
    by_tag = [image for image in images if image.tag is not None and image.reason == "extra"]
    return [
        _mirror_set(kind, key, registry, chosen)
        for kind, key, chosen in (
            ("ImageDigestMirrorSet", "imageDigestMirrors", images),
            ("ImageTagMirrorSet", "imageTagMirrors", by_tag),
        )
        if chosen
    ]


def _catalogs(index: BundleIndex) -> list[BundledImage]:
    return [image for image in index.images if image.reason == "catalog"]


def _catalog_source(image: BundledImage) -> Manifest:
    last = image.name.repository.rpartition("/")[2]
    spec: Manifest = {"sourceType": "grpc", "image": str(image.name), "displayName": last, "publisher": PART_OF}
    if image.name.registry == CATALOGS:
        # Without a program in the image, and without a cache next to it.
        spec["grpcPodConfig"] = {
            "securityContextConfig": "restricted",
            "extractContent": {"catalogDir": f"/{FOLDER}"},
        }
    return {
        "apiVersion": "operators.coreos.com/v1alpha1",
        "kind": "CatalogSource",
        "metadata": {"name": _name(image), "namespace": NAMESPACE, "labels": {PART_OF_LABEL: PART_OF}},
        "spec": spec,
    }


def _name(image: BundledImage) -> str:
    last = image.name.repository.rpartition("/")[2]
    name = re.sub(r"[^a-z0-9]+", "-", f"{last}-{image.tag or image.manifests[0].short}".lower()).strip("-")
    return name[:63].rstrip("-")


def _mirror_set(kind: str, key: str, registry: str, images: Iterable[BundledImage]) -> Manifest:
    sources = sorted({(image.name.name, image.name.registry, image.name.repository) for image in images})
    mirrors = [
        {
            "source": name,
            "mirrors": [f"{registry.rstrip('/')}/{repository}"],
            **({"mirrorSourcePolicy": "NeverContactSource"} if host in _HERE else {}),
        }
        for name, host, repository in sources
    ]
    return {
        "apiVersion": "config.openshift.io/v1",
        "kind": kind,
        "metadata": {"name": MIRROR_SET, "labels": {PART_OF_LABEL: PART_OF}},
        "spec": {key: mirrors},
    }
