# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.catalog import (
    CatalogRecord,
    catalog_record,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_dependencies import (
    dependency_warnings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.related_images import (
    BlockedImages,
    operator_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundles.plan.catalog_samples import bundle


def record(version: str, *images: t.Any, owner: str = "odf") -> CatalogRecord:
    found = catalog_record({**bundle(version, owner=owner), "relatedImages": [*images]}, {owner})
    assert found is not None
    return found


def related(*names: str) -> list[dict[str, str]]:
    return [{"image": name} for name in names]


def test_images_are_those_of_all_bundles_each_once() -> None:
    bundles = [record("1.0.0", *related("quay.io/odf/a:1")), record("1.1.0", *related("quay.io/odf/a:1"))]
    found = operator_images(bundles, BlockedImages(), on="index").travelling
    assert [(package, str(image)) for package, image in found] == [
        ("odf", "quay.io/odf/bundle:v1.0.0"),
        ("odf", "quay.io/odf/a:1"),
        ("odf", "quay.io/odf/bundle:v1.1.0"),
    ]


def test_all_unusable_images_of_all_packages_are_told_at_once() -> None:
    odd = [*related("foo/bar:tag", ""), {"value": "quay.io/a/b:1"}, {"image": ["quay.io/a/b:1"]}]
    bundles = [record("1.0.0", *odd), record("1.0.0", *related("../../etc"), owner="acm")]
    with pytest.raises(BundleError) as caught:
        operator_images(bundles, BlockedImages(), on="index")
    assert "package odf, bundle odf.v1.0.0: 'foo/bar:tag'; package odf, bundle odf.v1.0.0: ''; " in caught.value.seen
    assert "package acm, bundle acm.v1.0.0: '../../etc'" in caught.value.seen
    assert "blocked_images" in caught.value.advice


def test_many_unusable_images_do_not_make_a_message_long() -> None:
    with pytest.raises(BundleError) as caught:
        operator_images([record("1.0.0", *related(*(f"{n}/{'x' * 900}" for n in range(500))))], BlockedImages(), on="i")
    assert len(str(caught.value)) < 10_000


@pytest.mark.parametrize(
    "blocked",
    [
        pytest.param("odf/debug:1", id="as it is written"),
        pytest.param("odf/debug", id="repository"),
        pytest.param("^odf/.*", id="expression"),
        pytest.param("deb.*", id="expression within"),
    ],
)
def test_an_image_without_registry_can_be_left_out_by_name(blocked: str) -> None:
    bundles = [record("1.0.0", *related("odf/debug:1", "quay.io/odf/a:1"))]
    found = operator_images(bundles, BlockedImages([blocked]), on="index")
    assert [one.as_data() for one in found.left_out] == [
        {"package": "odf", "bundle": "odf.v1.0.0", "image": "odf/debug:1"}
    ]
    assert "quay.io/odf/a:1" in [str(image) for _package, image in found.travelling]


@pytest.mark.parametrize(
    ("blocked", "image", "holds"),
    [
        ("quay.io/a/b", "quay.io/a/b:1", True),
        ("quay.io/a/b", "quay.io/a/b@sha256:1", True),
        ("quay.io/a/b:1", "quay.io/a/b:1@sha256:1", True),
        ("quay.io/a/b:1", "quay.io/a/b:2", False),
        ("quay.io/a/b", "quay.io/a/bc:1", False),
        ("b", "quay.io/a/b:1", False),
        ("host:5000/a", "host:5000/a:1", True),
        ("", "", True),
    ],
)
def test_names_are_compared_as_a_whole(blocked: str, image: str, holds: bool) -> None:
    assert BlockedImages([blocked]).holds(image) is holds


def test_an_expression_that_is_none_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="not a regular expression"):
        BlockedImages(["a("])


def required(owner: str, package: str, versions: str) -> CatalogRecord:
    found = record("1.0.0", owner=owner)
    return CatalogRecord(found.schema, owner, found.name, version="1.0.0", requires=((package, versions),))


@pytest.mark.parametrize(
    ("versions", "told"),
    [
        pytest.param(">=1.0.0", [], id="included"),
        pytest.param(
            ">=2.0.0", ["odf.v1.0.0 requires the operator ocs >=2.0.0, which is not included"], id="another version"
        ),
    ],
)
def test_what_does_not_travel_along_is_told(versions: str, told: list[str]) -> None:
    assert dependency_warnings([required("odf", "ocs", versions), record("1.0.0", owner="ocs")]) == told


def test_a_package_that_is_missing_is_told_once() -> None:
    twice = [required("odf", "ocs", "<1.0.0"), required("odf", "ocs", "<2.0.0")]
    assert dependency_warnings(twice) == ["odf.v1.0.0 requires the operator ocs <2.0.0, which is not included"]
