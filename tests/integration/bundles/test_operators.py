# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Operators out of a real catalog image, with their bundles and everything they relate to."""

from __future__ import annotations

import dataclasses
import gzip
import json
import struct
import subprocess
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.catalog_objects import (
    catalog_sources,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder
from ansible_collections.fieldops.openshift.tests.integration.bundles.partner_catalog import (
    CATALOG,
    OTHER,
    VERSIONS,
    ZSTD,
    PartnerCatalog,
    catalog_documents,
    installed,
    request,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.content import BlobPool
from ansible_collections.fieldops.openshift.tests.lab.registry.images import Image, write_image
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Layer
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

UNUSABLE = ("../../etc/passwd", "foo/bar:tag", "")

Json = dict[str, t.Any]


def carried(builder: Builder) -> set[t.Any]:
    return {image.name.digest for image in builder.index.images if image.reason == "operator"}


@pytest.mark.parametrize(
    ("package", "version"),
    [
        pytest.param({}, "1.10.0", id="the head of the default channel"),
        pytest.param({"version": "1.2.0"}, "1.2.0", id="a version"),
        pytest.param({"name": "stable", "version": "1.0.0"}, "1.0.0", id="channel and version"),
    ],
)
def test_what_was_chosen_travels_with_all_its_images(
    builder: Builder, catalog: PartnerCatalog, package: dict[str, str], version: str
) -> None:
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    builder.build(**request(**package))
    assert carried(builder) == {named.image.digest for named in catalog.images[version]}
    assert {image.component for image in builder.index.images if image.reason == "operator"} == {"gateway"}
    assert not builder.damages()


def test_a_catalog_of_what_travels_is_made_and_its_source_names_it_by_digest(
    builder: Builder, catalog: PartnerCatalog
) -> None:
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    builder.build(**request())
    (source,) = catalog_sources(builder.index)
    (image,) = [image for image in builder.index.images if image.reason == "catalog"]
    assert source["spec"]["image"] == str(image.name)
    assert image.name.name == "catalogs.fieldops.invalid/registry.partner.example/redhat/partner-operator-index"
    assert source["metadata"]["name"] == "partner-operator-index-v4-21"
    assert [one.get("name") for one in catalog_documents(builder)] == ["gateway", "stable", "gateway.v1.10.0"]


def test_a_complete_catalog_travels_as_it_was_published(builder: Builder, catalog: PartnerCatalog) -> None:
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    builder.build(**request(complete=True))
    (image,) = [image for image in builder.index.images if image.reason == "catalog"]
    assert image.name.name == CATALOG.partition(":")[0]
    assert "grpcPodConfig" not in catalog_sources(builder.index)[0]["spec"]


def test_everything_between_what_is_installed_and_the_target_travels(builder: Builder, catalog: PartnerCatalog) -> None:
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    result = builder.build(**request(), **installed("1.0.0"))
    assert result["operators"] == [
        {
            "catalog": CATALOG,
            "package": "gateway",
            "channel": "stable",
            "version": "1.10.0",
            "versions": ["1.2.0", "1.10.0"],
            "updates": [{"installed": "1.0.0", "versions": ["1.2.0", "1.10.0"]}],
        }
    ]
    assert carried(builder) == {named.image.digest for version in VERSIONS[1:] for named in catalog.images[version]}


def test_check_mode_tells_the_same_and_writes_nothing(builder: Builder, catalog: PartnerCatalog) -> None:
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    seen = builder.forecast(**request(), **installed("1.0.0"))
    assert not builder.path.exists() or builder.files() == set()
    built = builder.build(**request(), **installed("1.0.0"))
    assert seen["operators"] == built["operators"]
    assert sorted(seen["images"]) == sorted(str(image.name) for image in builder.index.images)


@pytest.mark.parametrize("running", [{}, installed("1.0.0")], ids=["head", "path"])
def test_a_second_run_changes_nothing(
    builder: Builder, catalog: PartnerCatalog, registry: Registry, running: Json
) -> None:
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    first = builder.build(**request(), **running)
    registry.stop()
    again = builder.build(**request(), **running)
    assert again["changed"] is False
    assert again["operators"] == first["operators"]


def test_another_request_reads_the_catalog_that_was_read_before(builder: Builder, catalog: PartnerCatalog) -> None:
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    builder.build(**request(version="1.0.0"))
    catalog.documents = [one for one in catalog.documents if one.get("name") != "stable"]
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    builder.build(**request(version="1.2.0"))
    assert carried(builder) == {named.image.digest for named in catalog.images["1.2.0"]}
    with pytest.raises(BundleError, match="no channel stable"):
        builder.build(**request(version="1.2.0"), refresh_tags=True)


def test_the_same_catalog_gives_the_same_bundle(builder: Builder, catalog: PartnerCatalog, tmp_path: Path) -> None:
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    first = builder.build(**request(), **installed("1.0.0"))
    second = builder.elsewhere(tmp_path / "second").build(**request(), **installed("1.0.0"))
    assert first["index_digest"] == second["index_digest"]


def test_an_image_without_registry_is_left_out_by_name(builder: Builder, catalog: PartnerCatalog) -> None:
    catalog.documents[-1]["relatedImages"].append({"name": "debug", "image": "gateway/debug:1"})
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    result = builder.build(**request(), blocked_images=["gateway/debug"])
    assert result["images_left_out"] == [
        {"package": "gateway", "bundle": "gateway.v1.10.0", "image": "gateway/debug:1"}
    ]
    assert len(carried(builder)) == 2


def test_what_was_planned_with_operators_is_built(builder: Builder, catalog: PartnerCatalog, tmp_path: Path) -> None:
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    builder.settings.update(request())
    (tmp_path / "plan.json").write_text(json.dumps(builder.forecast()["plan"]))
    assert builder.build(plan=str(tmp_path / "plan.json"))["changed"] is True


def test_several_catalogs_travel(builder: Builder, catalog: PartnerCatalog) -> None:
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()}, named=OTHER)
    (first,) = request(version="1.0.0")["catalogs"]
    (second,) = request(version="1.2.0")["catalogs"]
    builder.build(catalogs=[first, {**second, "catalog": OTHER}])
    assert [source["metadata"]["name"] for source in catalog_sources(builder.index)] == [
        "partner-operator-index-v4-21",
        "second-index-v1",
    ]
    assert len(carried(builder)) == 4


def test_a_required_operator_that_does_not_travel_is_told(builder: Builder, catalog: PartnerCatalog) -> None:
    wanted = {"packageName": "storage", "versionRange": ">=1.0.0"}
    catalog.documents[-1]["properties"].append({"type": "olm.package.required", "value": wanted})
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    assert builder.build(**request())["operator_warnings"] == [
        "gateway.v1.10.0 requires the operator storage >=1.0.0, which is not included"
    ]


@pytest.mark.parametrize(
    "name", ["configs/gateway/index.json", "configs/index.json", "configs/a/b.json"], ids=["own", "one", "odd"]
)
def test_catalogs_may_lay_their_files_out_otherwise(builder: Builder, catalog: PartnerCatalog, name: str) -> None:
    catalog.publish({name: catalog.as_json(), "configs/gateway/catalog.json": b""})
    builder.build(**request())
    assert len(carried(builder)) == 2


def test_catalogs_may_be_yaml(builder: Builder, catalog: PartnerCatalog) -> None:
    text = "\n---\n".join(json.dumps(document) for document in catalog.documents).encode()
    catalog.publish({"configs/gateway/catalog.yaml": text, "configs/gateway/catalog.json": b""})
    builder.build(**request())
    assert len(carried(builder)) == 2


@pytest.mark.parametrize(
    ("package", "said"),
    [
        pytest.param({"package": "gatewey"}, "no package gatewey; available: gateway", id="package"),
        pytest.param({"name": "beta"}, "no channel beta of gateway; available: candidate, stable", id="channel"),
        pytest.param({"version": "3.0.0"}, "no version 3.0.0 in the channel stable", id="version"),
        pytest.param({"name": "candidate"}, "no bundle gateway.v2.0.0 of gateway", id="bundle"),
    ],
)
def test_what_is_not_there_is_told_with_what_is(
    builder: Builder, catalog: PartnerCatalog, package: dict[str, str], said: str
) -> None:
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    with pytest.raises(BundleError) as caught:
        builder.build(**request(**package))
    assert said in caught.value.seen


def test_an_image_that_is_no_catalog_is_told(builder: Builder, catalog: PartnerCatalog) -> None:
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()}, labels={})
    with pytest.raises(PayloadError, match="not a file-based catalog"):
        builder.build(**request())


@pytest.mark.parametrize("content", [b"{", b"[" * 100_000, b"\xff\xfe"], ids=["cut", "nested", "binary"])
def test_a_catalog_that_cannot_be_read_is_told(builder: Builder, catalog: PartnerCatalog, content: bytes) -> None:
    catalog.publish({"configs/gateway/catalog.json": content})
    with pytest.raises(PayloadError, match=r"catalog\.json"):
        builder.build(**request())


def test_all_images_that_cannot_be_found_are_told_at_once(builder: Builder, catalog: PartnerCatalog) -> None:
    related = catalog.documents[-1]["relatedImages"]
    related += [{"image": "../../etc/passwd"}, {"image": "foo/bar:tag"}, {"value": "quay.io/a/b:1"}]
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    with pytest.raises(BundleError, match="have no registry and repository") as caught:
        builder.build(**request())
    assert all(f"package gateway, bundle gateway.v1.10.0: {image!r}" in caught.value.seen for image in UNUSABLE)


def test_layers_may_be_compressed_with_zstd(
    builder: Builder, catalog: PartnerCatalog, factory: ReleaseFactory, release: Release
) -> None:
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()}, packed=in_zstd)
    (plain,) = release.image.instances
    assert isinstance(plain, Image)
    config = json.loads(factory.pool.read(plain.config.digest))["config"]
    image = write_image(
        factory.pool, ZSTD, plain.architecture, [in_zstd(factory.pool, layer) for layer in plain.layers], config
    )
    packed = dataclasses.replace(release, image=image)
    builder.registry.publish(packed)
    result = builder.build(**request(), release=str(packed.reference.by_digest()), trusted_keys=[])
    assert carried(builder) == {named.image.digest for named in catalog.images["1.10.0"]}
    assert [one["name"] for one in result["always_pulled"]] == ["downloads"]
    assert not builder.damages()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"a: &a [x, x]\nschema: olm.package\nname: *a\n", "anchor", id="alias"),
        pytest.param(b"schema: olm.package\nname: !x gateway\n", "tag", id="tag"),
        pytest.param(b"schema: olm.package\nname: gateway\nname: gatewey\n", "twice", id="key twice"),
    ],
)
def test_yaml_that_says_more_than_json_could_is_refused(
    builder: Builder, catalog: PartnerCatalog, content: bytes, said: str
) -> None:
    catalog.publish({"configs/gateway/catalog.yaml": content, "configs/gateway/catalog.json": b""})
    with pytest.raises(PayloadError, match=said):
        builder.build(**request())


def in_zstd(pool: BlobPool, layer: Layer) -> Layer:
    """Return the same layer as zstd:chunked has it: in several frames, and one behind that decoders pass over."""
    tar = gzip.decompress(pool.read(layer.digest))
    frames = [
        subprocess.run(["zstd", "-q", "-c"], input=part, capture_output=True, check=True).stdout
        for part in (tar[:1000], tar[1000:])
    ]
    return Layer(pool.add(b"".join([*frames, struct.pack("<II", 0x184D2A50, 5), b"table"])), layer.tar)
