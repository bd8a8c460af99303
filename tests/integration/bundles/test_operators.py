# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Operators out of a real catalog image, with their bundles and everything they relate to."""

from __future__ import annotations

import dataclasses
import gzip
import json
import struct
import subprocess
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.catalog_source import catalog_sources
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder
from ansible_collections.fieldops.openshift.tests.lab.registry.content import BlobPool
from ansible_collections.fieldops.openshift.tests.lab.registry.images import OCI, Image, NamedImage, write_image
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Layer, Member, skeleton, write_layer
from ansible_collections.fieldops.openshift.tests.lab.registry.release import PartnerSpec, Release, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

CATALOG = "registry.partner.example/redhat/partner-operator-index:v4.21"
LABEL = "operators.operatorframework.io.index.configs.v1"
VERSIONS = ("1.0.0", "1.2.0", "1.10.0")
UNUSABLE = ("../../etc/passwd", "foo/bar:tag", "")
ZSTD = dataclasses.replace(OCI, layer="application/vnd.oci.image.layer.v1.tar+zstd")

Json = dict[str, t.Any]


class Catalog:
    """A catalog image with one package of three versions; each bundle has an image and a related one."""

    def __init__(self, factory: ReleaseFactory, registry: Registry) -> None:
        self._factory = factory
        self._registry = registry
        self.images = {version: [self._image(version, sort) for sort in ("bundle", "operand")] for version in VERSIONS}
        names = [f"gateway.v{version}" for version in VERSIONS]
        self.documents: list[Json] = [
            {"schema": "olm.package", "name": "gateway", "defaultChannel": "stable"},
            self._channel("stable", names),
            self._channel("candidate", [*names, "gateway.v2.0.0"]),
            *(self._bundle(version) for version in VERSIONS),
        ]

    def publish(
        self,
        files: dict[str, bytes],
        labels: dict[str, str] | None = None,
        packed: t.Callable[[BlobPool, Layer], Layer] | None = None,
    ) -> None:
        """Publish the catalog image with these files in its upper layer; ``packed`` compresses layers otherwise."""
        pool = self._factory.pool
        layers = [
            write_layer(pool, [*skeleton(), Member("configs/gateway/catalog.json", b"hidden by the upper layer")]),
            write_layer(pool, [Member(name, content) for name, content in files.items()]),
        ]
        settings = {"Labels": {LABEL: "/configs"} if labels is None else labels}
        if packed is not None:
            layers = [packed(pool, layer) for layer in layers]
        form = OCI if packed is None else ZSTD
        image = write_image(pool, form, Architecture.parse("x86_64"), layers, settings)
        reference = ImageReference.parse(CATALOG)
        self._registry.storage.publish(pool, [NamedImage(reference, image)])

    def as_json(self) -> bytes:
        """Return the documents one after another, as ``opm render`` writes them."""
        return "\n".join(json.dumps(document, indent=2) for document in self.documents).encode()

    def _image(self, version: str, sort: str) -> NamedImage:
        spec = PartnerSpec(f"registry.partner.example/gateway/{sort}:v{version}", layers=(4096,))
        named = self._factory.partner_image(spec)
        self._registry.storage.publish(self._factory.pool, [named])
        return named

    def _channel(self, name: str, entries: list[str]) -> Json:
        chained = [{"name": entry, **({"replaces": entries[at - 1]} if at else {})} for at, entry in enumerate(entries)]
        return {"schema": "olm.channel", "package": "gateway", "name": name, "entries": chained}

    def _bundle(self, version: str) -> Json:
        bundle, operand = (str(named.reference.by_digest()) for named in self.images[version])
        return {
            "schema": "olm.bundle",
            "package": "gateway",
            "name": f"gateway.v{version}",
            "image": bundle,
            "properties": [{"type": "olm.package", "value": {"packageName": "gateway", "version": version}}],
            "relatedImages": [{"name": "", "image": bundle}, {"name": "operand", "image": operand}],
        }


@pytest.fixture
def catalog(factory: ReleaseFactory, registry: Registry) -> Catalog:
    return Catalog(factory, registry)


def operators(**package: str) -> list[Json]:
    plain = {"name": "gateway", "channel": None, "version": None}
    return [{"catalog": CATALOG, "packages": [{**plain, **package}]}]


def carried(builder: Builder) -> set[t.Any]:
    return {image.name.digest for image in builder.index.images if image.reason == "operator"}


@pytest.mark.parametrize(
    ("package", "version"),
    [
        pytest.param({}, "1.10.0", id="the head of the default channel"),
        pytest.param({"version": "1.2.0"}, "1.2.0", id="a version"),
        pytest.param({"channel": "stable", "version": "1.0.0"}, "1.0.0", id="channel and version"),
    ],
)
def test_what_was_chosen_travels_with_all_its_images(
    builder: Builder, catalog: Catalog, package: dict[str, str], version: str
) -> None:
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    builder.build(operators=operators(**package))
    assert carried(builder) == {named.image.digest for named in catalog.images[version]}
    assert {image.component for image in builder.index.images if image.reason == "operator"} == {"gateway"}
    assert not builder.damages()


def test_the_catalog_travels_and_its_source_names_it_by_digest(builder: Builder, catalog: Catalog) -> None:
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    builder.build(operators=operators())
    (source,) = catalog_sources(builder.index)
    (image,) = [image for image in builder.index.images if image.reason == "catalog"]
    assert source["spec"]["image"] == str(image.name)
    assert source["metadata"]["name"] == "partner-operator-index-v4-21"


def test_a_second_run_changes_nothing(builder: Builder, catalog: Catalog, registry: Registry) -> None:
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    builder.build(operators=operators())
    registry.stop()
    assert builder.build(operators=operators())["changed"] is False


@pytest.mark.parametrize(
    "name", ["configs/gateway/index.json", "configs/index.json", "configs/a/b.json"], ids=["own", "one", "odd"]
)
def test_catalogs_may_lay_their_files_out_otherwise(builder: Builder, catalog: Catalog, name: str) -> None:
    catalog.publish({name: catalog.as_json(), "configs/gateway/catalog.json": b""})
    builder.build(operators=operators())
    assert len(carried(builder)) == 2


def test_catalogs_may_be_yaml(builder: Builder, catalog: Catalog) -> None:
    text = "\n---\n".join(json.dumps(document) for document in catalog.documents).encode()
    catalog.publish({"configs/gateway/catalog.yaml": text, "configs/gateway/catalog.json": b""})
    builder.build(operators=operators())
    assert len(carried(builder)) == 2


@pytest.mark.parametrize(
    ("package", "said"),
    [
        pytest.param({"name": "gatewey"}, "no package gatewey; available: gateway", id="package"),
        pytest.param({"channel": "beta"}, "no channel beta of gateway; available: candidate, stable", id="channel"),
        pytest.param({"version": "3.0.0"}, "no version 3.0.0 in the channel stable", id="version"),
        pytest.param({"channel": "candidate"}, "no bundle gateway.v2.0.0 of gateway", id="bundle"),
    ],
)
def test_what_is_not_there_is_told_with_what_is(
    builder: Builder, catalog: Catalog, package: dict[str, str], said: str
) -> None:
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    with pytest.raises(BundleError) as caught:
        builder.build(operators=operators(**package))
    assert said in caught.value.seen


def test_an_image_that_is_no_catalog_is_told(builder: Builder, catalog: Catalog) -> None:
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()}, labels={})
    with pytest.raises(PayloadError, match="not a file-based catalog"):
        builder.build(operators=operators())


@pytest.mark.parametrize("content", [b"{", b"[" * 100_000, b"\xff\xfe"], ids=["cut", "nested", "binary"])
def test_a_catalog_that_cannot_be_read_is_told(builder: Builder, catalog: Catalog, content: bytes) -> None:
    catalog.publish({"configs/gateway/catalog.json": content})
    with pytest.raises(PayloadError, match=r"catalog\.json"):
        builder.build(operators=operators())


def test_all_images_that_cannot_be_found_are_told_at_once(builder: Builder, catalog: Catalog) -> None:
    related = catalog.documents[-1]["relatedImages"]
    related += [{"image": "../../etc/passwd"}, {"image": "foo/bar:tag"}, {"value": "quay.io/a/b:1"}]
    catalog.publish({"configs/gateway/catalog.json": catalog.as_json()})
    with pytest.raises(BundleError, match="have no registry and repository") as caught:
        builder.build(operators=operators())
    assert all(f"package gateway, bundle gateway.v1.10.0: {image!r}" in caught.value.seen for image in UNUSABLE)


def test_layers_may_be_compressed_with_zstd(
    builder: Builder, catalog: Catalog, factory: ReleaseFactory, release: Release
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
    result = builder.build(operators=operators(), release=str(packed.reference.by_digest()), trusted_keys=[])
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
    builder: Builder, catalog: Catalog, content: bytes, said: str
) -> None:
    catalog.publish({"configs/gateway/catalog.yaml": content, "configs/gateway/catalog.json": b""})
    with pytest.raises(PayloadError, match=said):
        builder.build(operators=operators())


def in_zstd(pool: BlobPool, layer: Layer) -> Layer:
    """Return the same layer as zstd:chunked has it: in several frames, and one behind that decoders pass over."""
    tar = gzip.decompress(pool.read(layer.digest))
    frames = [
        subprocess.run(["zstd", "-q", "-c"], input=part, capture_output=True, check=True).stdout
        for part in (tar[:1000], tar[1000:])
    ]
    return Layer(pool.add(b"".join([*frames, struct.pack("<II", 0x184D2A50, 5), b"table"])), layer.tar)
