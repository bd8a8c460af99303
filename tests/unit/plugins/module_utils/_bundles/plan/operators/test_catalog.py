# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.catalog import catalog_record
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundles.plan.catalog_samples import (
    Json,
    bundle,
    channel,
    entry,
    package,
    read,
)


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(package(17), id="a number for a name"),
        pytest.param(package(["odf"] * 9), id="a list for a name"),
        pytest.param(package("x" * 1001), id="a name without end"),
        pytest.param({"schema": "olm.channel", "package": ["odf"], "name": "stable"}, id="a list for a package"),
        pytest.param({"schema": "olm.channel", "package": "odf", "name": None}, id="no name"),
        pytest.param({"schema": ["olm.bundle"], "package": "odf", "name": "x"}, id="a list for a schema"),
        pytest.param({"schema": "olm.bundle", "package": "acm", "name": "acm.v1"}, id="of a package not asked for"),
        pytest.param({"schema": "olm.deprecations", "package": "odf", "name": "x"}, id="another schema"),
    ],
)
def test_nothing_is_kept_of_what_cannot_be_meant(document: Json) -> None:
    assert catalog_record(document, {"odf"}) is None


@pytest.mark.parametrize("odd", [None, 17, "text", [17, None, ["x"]], {"a": 1}], ids=lambda odd: type(odd).__name__)
@pytest.mark.parametrize("key", ["entries", "properties", "relatedImages"])
def test_lists_that_are_none_do_no_harm(key: str, odd: t.Any) -> None:
    for schema in ("olm.channel", "olm.bundle"):
        record = catalog_record({"schema": schema, "package": "odf", "name": "x", key: odd}, {"odf"})
        assert record is not None
        assert (record.entries, record.version, record.images, record.requires) == ((), "", (), ())


def test_of_an_object_only_the_little_that_is_needed_is_kept() -> None:
    document = bundle("1.0.0", "quay.io/odf/operand:1")
    document["properties"].append({"type": "olm.bundle.object", "value": {"data": "QUJD" * 100_000}})
    record = catalog_record(document, {"odf"})
    assert record is not None
    assert record.cost < 2000


def test_a_channel_and_its_bundles_are_kept() -> None:
    required = {"type": "olm.package.required", "value": {"packageName": "ocs", "versionRange": ">=1.0.0"}}
    written = bundle("1.1.0", "quay.io/odf/operand:1", "", "quay.io/odf/operand:1")
    written["properties"].append(required)
    found = read([package(), channel(entry("1.1.0", "1.0.0", skips=["odf.v1.0.1", 7], skipRange="<1.1.0")), written])
    (kept,) = found.channels("odf")["stable"]
    assert (kept.replaces, kept.skips, kept.skip_range) == ("odf.v1.0.0", ("odf.v1.0.1",), "<1.1.0")
    record = found.bundles("odf")["odf.v1.1.0"]
    assert record.images == ("quay.io/odf/bundle:v1.1.0", "quay.io/odf/operand:1")
    assert record.requires == (("ocs", ">=1.0.0"),)


def test_a_bundle_that_lies_in_the_catalog_needs_no_image_of_its_own() -> None:
    record = catalog_record(bundle("1.0.0", "quay.io/odf/operand:1", image=""), {"odf"})
    assert record is not None
    assert record.images == ("quay.io/odf/operand:1",)
