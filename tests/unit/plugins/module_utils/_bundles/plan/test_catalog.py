# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.catalog import (
    Catalog,
    ChosenOperator,
    PackageRequest,
    catalog_record,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError

Json = dict[str, t.Any]


def bundle(version: str, *images: str) -> Json:
    return {
        "schema": "olm.bundle",
        "package": "odf",
        "name": f"odf.v{version}",
        "image": f"quay.io/odf/bundle:v{version}",
        "properties": [{"type": "olm.gvk"}, {"type": "olm.package", "value": {"version": version}}],
        "relatedImages": [{"image": image} for image in images],
    }


def catalog(entries: list[Json], *bundles: Json, default: str = "stable") -> Catalog:
    documents: list[Json] = [
        {"schema": "olm.package", "name": "odf", "defaultChannel": default},
        {"schema": "olm.channel", "package": "odf", "name": "stable", "entries": entries},
        *bundles,
        {"schema": "olm.deprecations", "package": "odf", "name": "x"},
        {},
    ]
    return read(documents)


def read(documents: list[Json], wanted: t.Collection[str] = ("odf",)) -> Catalog:
    return Catalog(filter(None, (catalog_record(document, wanted) for document in documents)), on="index")


def chosen(catalog: Catalog, *wanted: str | None) -> ChosenOperator:
    (found,) = catalog.choose([PackageRequest("odf", *wanted)])
    return found


def entry(version: str, **more: t.Any) -> Json:
    return {"name": f"odf.v{version}", **more}


@pytest.mark.parametrize(
    ("entries", "head"),
    [
        pytest.param([entry("1.0.0"), entry("1.1.0", replaces="odf.v1.0.0")], "1.1.0", id="chain"),
        pytest.param([entry("1.1.0", replaces="odf.v1.0.0"), entry("1.0.0")], "1.1.0", id="any order"),
        pytest.param([entry("1.0.0"), entry("1.1.0"), entry("1.2.0", skips=["odf.v1.1.0"])], "1.2.0", id="skips"),
        pytest.param([entry("1.9.0"), entry("1.10.0")], "1.10.0", id="numbers, not letters"),
        pytest.param([entry("2.0.0-rc.1"), entry("2.0.0")], "2.0.0", id="a release after its candidate"),
    ],
)
def test_the_head_of_a_channel_is_what_nothing_replaces(entries: list[Json], head: str) -> None:
    bundles = [bundle(one["name"].removeprefix("odf.v")) for one in entries]
    assert chosen(catalog(entries, *bundles)).version == head


def test_images_are_the_bundle_and_what_it_relates_to_each_once() -> None:
    documents = bundle("1.0.0", "quay.io/odf/bundle:v1.0.0", "quay.io/odf/operand:1", "quay.io/odf/operand:1")
    found = chosen(catalog([entry("1.0.0")], documents), "stable", "1.0.0")
    assert [str(image) for image in found.images] == ["quay.io/odf/bundle:v1.0.0", "quay.io/odf/operand:1"]
    assert (found.package, found.channel, found.bundle) == ("odf", "stable", "odf.v1.0.0")


def test_a_bundle_that_lies_in_the_catalog_needs_no_image_of_its_own() -> None:
    document = {**bundle("1.0.0", "quay.io/odf/operand:1"), "image": ""}
    assert [str(image) for image in chosen(catalog([entry("1.0.0")], document)).images] == ["quay.io/odf/operand:1"]


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (PackageRequest("ofd"), "no package ofd; available: odf"),
        (PackageRequest("odf", "fast"), "no channel fast of odf; available: stable"),
        (PackageRequest("odf", None, "9.9.9"), "no version 9.9.9 in the channel stable of odf; available: 1.0.0"),
    ],
)
def test_what_is_not_there_is_told_with_what_is(request_: PackageRequest, said: str) -> None:
    with pytest.raises(BundleError) as caught:
        catalog([entry("1.0.0")], bundle("1.0.0")).choose([request_])
    assert said in caught.value.seen


@pytest.mark.parametrize(
    "entries",
    [[], [entry("1.0.0", replaces="odf.v1.1.0"), entry("1.1.0", replaces="odf.v1.0.0")], ["odf.v1.0.0"]],
    ids=["empty", "a circle", "text"],
)
def test_a_channel_without_a_head_is_told(entries: list[t.Any]) -> None:
    with pytest.raises(BundleError, match="no head of the channel stable"):
        chosen(catalog(entries, bundle("1.0.0")))


def test_all_unusable_images_of_all_packages_are_told_at_once() -> None:
    documents: list[Json] = [
        {"schema": "olm.package", "name": name, "defaultChannel": "stable"} for name in ("odf", "acm")
    ]
    documents += [
        {"schema": "olm.channel", "package": name, "name": "stable", "entries": [{"name": f"{name}.v1"}]}
        for name in ("odf", "acm")
    ]
    related = [{"image": "foo/bar:tag"}, {"image": ""}, {"value": "quay.io/a/b:1"}, {"image": ["quay.io/a/b:1"]}]
    documents += [
        {
            "schema": "olm.bundle",
            "package": "odf",
            "name": "odf.v1",
            "image": "quay.io/o/o:1",
            "relatedImages": related,
        },
        {"schema": "olm.bundle", "package": "acm", "name": "acm.v1", "image": "../../etc"},
    ]
    with pytest.raises(BundleError) as caught:
        read(documents, ("odf", "acm")).choose([PackageRequest("odf"), PackageRequest("acm")])
    assert "package odf, bundle odf.v1: 'foo/bar:tag'; package odf, bundle odf.v1: ''; " in caught.value.seen
    assert "package acm, bundle acm.v1: '../../etc'" in caught.value.seen
    assert "omit these packages" in caught.value.advice


@pytest.mark.parametrize(
    "error",
    [
        pytest.param(lambda: read([package(f"p{n}" + "x" * 900) for n in range(1000)]), id="packages"),
        pytest.param(lambda: catalog([], default="c" * 1000), id="default channel"),
        pytest.param(lambda: catalog([entry("1" * 900)]), id="bundle"),
        pytest.param(
            lambda: catalog([entry("1.0.0")], bundle("1.0.0", *(f"{n}/{'x' * 900}" for n in range(500)))), id="images"
        ),
    ],
)
def test_no_catalog_makes_a_message_long(error: t.Callable[[], Catalog]) -> None:
    with pytest.raises(BundleError) as caught:
        error().choose([PackageRequest("odf")])
    assert len(str(caught.value)) < 10_000


def package(name: t.Any) -> Json:
    return {"schema": "olm.package", "name": name, "defaultChannel": "stable"}


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
        assert (record.entries, record.version, record.images) == ((), "", ())


def test_of_an_object_only_the_little_that_is_needed_is_kept() -> None:
    document = bundle("1.0.0", "quay.io/odf/operand:1")
    document["properties"].append({"type": "olm.bundle.object", "value": {"data": "QUJD" * 100_000}})
    record = catalog_record(document, {"odf"})
    assert record is not None
    assert record.cost < 2000
