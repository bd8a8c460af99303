# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import io
import json
import tarfile
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.installed_operator import (
    InstalledOperator,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.catalog_image import (
    REQUEST,
    SOURCE,
    catalog_image,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.filtered_catalog import (
    filtered_document,
    rendered,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_choice import (
    ChannelRequest,
    ChosenPackage,
    PackageRequest,
    choose_package,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundles.plan.catalog_samples import (
    Json,
    bundle,
    channel,
    entry,
    package,
    read,
)

DEPRECATIONS: Json = {
    "schema": "olm.deprecations",
    "package": "odf",
    "entries": [
        {"reference": {"schema": "olm.package"}, "message": "a"},
        {"reference": {"schema": "olm.channel", "name": "old"}, "message": "b"},
        {"reference": {"schema": "olm.bundle", "name": "odf.v1.1.0"}, "message": "c"},
        {"reference": {"schema": "olm.bundle", "name": "odf.v1.2.0"}, "message": "d"},
        {"reference": "odd"},
        "odd",
    ],
}
DOCUMENTS: list[Json] = [
    {**package(default="old"), "icon": {"base64data": "QUJD"}, "description": "stores Größe"},
    channel(entry("1.0.0"), name="old"),
    channel(
        entry("1.0.0"),
        entry("1.1.0", "1.0.0", skipRange=">=1.0.0 <1.1.0"),
        entry("1.2.0", "1.1.0", skipRange=">=1.0.0 <1.2.0", kept=True),
        entry("1.3.0", "1.2.0", skipRange=">=1.1.0 <1.3.0"),
    ),
    *(bundle(f"1.{minor}.0", f"quay.io/odf/operand:{minor}", number=1.5) for minor in range(4)),
    {"schema": "example.lifecycle", "package": "odf", "name": "x", "until": 2030},
    DEPRECATIONS,
    package("acm"),
    bundle("1.0.0", owner="acm"),
    {"schema": "olm.channel", "package": ["odd"]},
]


def chosen(documents: list[Json], *installed: str, **channel: str) -> dict[str, ChosenPackage]:
    running = [InstalledOperator("odf", version) for version in installed]
    request = PackageRequest("odf", (ChannelRequest("stable", **channel),))
    return {"odf": choose_package(read(documents), request, running)}


def filtered(documents: list[Json], found: dict[str, ChosenPackage]) -> list[Json]:
    return [left for left in (filtered_document(one, found) for one in documents) if left is not None]


def test_only_what_was_chosen_is_left_and_all_of_that() -> None:
    left = filtered(DOCUMENTS, chosen(DOCUMENTS, "1.0.0"))
    assert left == [
        {**DOCUMENTS[0], "defaultChannel": "stable"},
        channel(
            entry("1.2.0", "1.1.0", skipRange=">=1.0.0 <1.2.0", kept=True),
            entry("1.3.0", "1.2.0", skipRange=">=1.1.0 <1.3.0"),
        ),
        *DOCUMENTS[5:8],
        {**DEPRECATIONS, "entries": [DEPRECATIONS["entries"][0], DEPRECATIONS["entries"][3]]},
    ]


def test_what_only_a_range_joins_is_skipped_as_well() -> None:
    left = filtered(DOCUMENTS, chosen(DOCUMENTS, "1.0.5", min_version="1.1.0"))
    without = [one for one in DOCUMENTS if one.get("name") != "odf.v1.2.0"]
    assert [one["name"] for one in left[1]["entries"]] == ["odf.v1.1.0", "odf.v1.2.0", "odf.v1.3.0"]
    assert "skips" not in left[1]["entries"][1]
    trimmed = [
        {**one, "entries": [two for two in one["entries"] if two["name"] != "odf.v1.2.0"]}
        if one.get("name") == "stable" and one["schema"] == "olm.channel"
        else one
        for one in without
    ]
    again = filtered(trimmed, chosen(trimmed, min_version="1.1.0"))
    assert again[1]["entries"][1]["skips"] == ["odf.v1.1.0"]


def test_deprecations_of_nothing_that_is_left_go() -> None:
    old = {**DEPRECATIONS, "entries": DEPRECATIONS["entries"][1:3]}
    assert filtered_document(old, chosen(DOCUMENTS)) is None


def test_a_filtered_catalog_is_filtered_to_itself() -> None:
    left = filtered(DOCUMENTS, chosen(DOCUMENTS, min_version="1.0.0"))
    assert filtered(left, chosen(left, min_version="1.0.0")) == left


def test_the_same_documents_give_the_same_bytes_in_any_order() -> None:
    assert rendered(DOCUMENTS[8::-1]) == rendered(DOCUMENTS[:9])
    assert [json.loads(line) for line in rendered(DOCUMENTS[:3]).splitlines()] == [
        DOCUMENTS[0],
        DOCUMENTS[1],
        DOCUMENTS[2],
    ]


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("registry.redhat.io/redhat/index:v4.20", "catalogs.fieldops.invalid/registry.redhat.io/redhat/index"),
        ("Host:5000/index:v1", "catalogs.fieldops.invalid/host-5000/index"),
    ],
)
def test_the_image_has_one_layer_with_the_files_and_a_name_that_no_registry_has(source: str, name: str) -> None:
    files = {"odf": b"{}\n", "acm": b""}
    notes = {SOURCE: "x", REQUEST: "y"}
    image, blobs = catalog_image(ImageReference.parse(source), files, Architecture.parse("aarch64"), notes)
    assert (image.name.name, image.reason, image.tag) == (name, "catalog", source.rpartition(":")[2])
    manifest = json.loads(blobs[image.manifests[0].digest])
    assert manifest["annotations"] == notes
    config = json.loads(blobs[image.config.digest])
    assert (config["architecture"], config["os"]) == ("arm64", "linux")
    assert config["config"]["Labels"] == {"operators.operatorframework.io.index.configs.v1": "/configs"}
    with tarfile.open(fileobj=io.BytesIO(blobs[image.layers[0].digest])) as archive:
        found = {
            entry.name: t.cast("t.IO[bytes]", archive.extractfile(entry)).read() for entry in archive if entry.isreg()
        }
    assert found == {"configs/odf/catalog.json": b"{}\n", "configs/acm/catalog.json": b""}


def test_the_same_files_give_the_same_image() -> None:
    source, machine = ImageReference.parse("quay.io/a/index:v1"), Architecture.parse("x86_64")
    made = catalog_image(source, {"odf": b"1", "acm": b"2"}, machine, {})
    assert catalog_image(source, {"acm": b"2", "odf": b"1"}, machine, {}) == made
    assert str(made[0].name.digest) == "sha256:670d4376a91d67dc527dba2a97e9cabfeb5a6f810a31274e61808435c68949a7"
