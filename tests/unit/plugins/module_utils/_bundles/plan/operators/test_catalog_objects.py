# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.catalog_objects import (
    catalog_sources,
    cluster_catalogs,
    mirror_sets,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    image,
    sample_index,
)


def index_with(name: str, tag: str | None = "v4.21") -> BundleIndex:
    catalog = image("catalog", "catalog", tag=tag)
    reference = ImageReference.parse(name)
    return sample_index(images=(replace(catalog, name=reference.by_digest(catalog.name.digest)),))


MADE = "catalogs.fieldops.invalid/registry.redhat.io/redhat/redhat-operator-index"


@pytest.mark.parametrize(
    ("name", "tag", "expected"),
    [
        (MADE, "v4.21", "redhat-operator-index-v4-21"),
        ("quay.io/a/index_of.partners", "V4.21_x", "index-of-partners-v4-21-x"),
        ("quay.io/a/index", None, "index-[0-9a-f]{12}"),
        (f"quay.io/a/{'x' * 80}", "v1", "x{63}"),
    ],
)
def test_each_catalog_has_objects_of_a_lawful_name(name: str, tag: str | None, expected: str) -> None:
    index = index_with(name, tag)
    for (found,) in (catalog_sources(index), cluster_catalogs(index)):
        assert re.fullmatch(expected, found["metadata"]["name"])


def test_a_catalog_that_was_made_is_extracted_and_one_that_was_published_is_run() -> None:
    (made,), (published,) = catalog_sources(index_with(MADE)), catalog_sources(index_with("quay.io/a/index"))
    assert made["spec"]["grpcPodConfig"]["extractContent"] == {"catalogDir": "/configs"}
    assert "grpcPodConfig" not in published["spec"]
    assert made["spec"]["image"].startswith(f"{MADE}@sha256:")


def test_a_catalog_of_olm_v1_names_the_same_image() -> None:
    index = index_with(MADE)
    (found,) = cluster_catalogs(index)
    assert found["spec"] == {"source": {"type": "Image", "image": {"ref": str(index.images[0].name)}}}


def test_mirror_sets_lead_every_image_to_the_registry_of_the_site() -> None:
    extra = replace(image("mine", "extra", tag="1"), name=ImageReference.parse("registry.partner.example/edge/gateway"))
    chart = image("chart", "file", tag="2")
    index = sample_index(images=(*sample_index().images, *index_with(MADE).images, extra, chart))
    by_digest, by_tag = mirror_sets(index, "registry.site.example:8443/mirror/")
    assert by_digest["spec"]["imageDigestMirrors"] == [
        {
            "source": MADE,
            "mirrors": ["registry.site.example:8443/mirror/registry.redhat.io/redhat/redhat-operator-index"],
            "mirrorSourcePolicy": "NeverContactSource",
        },
        *(
            {
                "source": f"quay.io/openshift-release-dev/{name}",
                "mirrors": [f"registry.site.example:8443/mirror/openshift-release-dev/{name}"],
            }
            for name in ("ocp-release", "ocp-v4.0-art-dev")
        ),
        {
            "source": "registry.partner.example/edge/gateway",
            "mirrors": ["registry.site.example:8443/mirror/edge/gateway"],
        },
    ]
    assert [one["source"] for one in by_tag["spec"]["imageTagMirrors"]] == ["registry.partner.example/edge/gateway"]
    assert [one["kind"] for one in (by_digest, by_tag)] == ["ImageDigestMirrorSet", "ImageTagMirrorSet"]


def test_without_tags_there_is_one_set() -> None:
    assert [one["kind"] for one in mirror_sets(sample_index(), "registry.site.example")] == ["ImageDigestMirrorSet"]
