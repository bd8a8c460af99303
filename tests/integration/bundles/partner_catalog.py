# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A catalog image in the registry of a test, and what a request says of it."""

from __future__ import annotations

import dataclasses
import json
import tarfile
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder
from ansible_collections.fieldops.openshift.tests.lab.registry.content import BlobPool
from ansible_collections.fieldops.openshift.tests.lab.registry.images import OCI, NamedImage, write_image
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Layer, Member, skeleton, write_layer
from ansible_collections.fieldops.openshift.tests.lab.registry.release import PartnerSpec, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

CATALOG = "registry.partner.example/redhat/partner-operator-index:v4.21"
OTHER = "registry.partner.example/second-index:v1"
LABEL = "operators.operatorframework.io.index.configs.v1"
VERSIONS = ("1.0.0", "1.2.0", "1.10.0")
ZSTD = dataclasses.replace(OCI, layer="application/vnd.oci.image.layer.v1.tar+zstd")

Json = dict[str, t.Any]


class PartnerCatalog:
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
        named: str = CATALOG,
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
        reference = ImageReference.parse(named)
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


def request(package: str = "gateway", **channel: t.Any) -> Json:
    """Return what the request says of operators: one channel of one package."""
    complete = channel.pop("complete", False)
    wanted = {"name": None, "version": None, "min_version": None, "max_version": None, **channel}
    packages = [{"name": package, "channels": [wanted], "default_channel": None}]
    return {"catalogs": [{"catalog": CATALOG, "packages": packages, "complete": complete}]}


def installed(version: str) -> Json:
    """Return what the request says of the site: it runs this version."""
    return {"installed": [{"package": "gateway", "version": version}]}


def catalog_documents(builder: Builder) -> list[Json]:
    """Return the documents of the catalog in the bundle."""
    (documents,) = documents_by_catalog(builder).values()
    return documents


def documents_by_catalog(builder: Builder) -> dict[str, list[Json]]:
    """Return the documents of each catalog in the bundle, by the last part of its name."""
    found = {}
    for image in (image for image in builder.index.images if image.reason == "catalog"):
        with tarfile.open(builder.folder.blob(image.content[-1])) as archive:
            files = [archive.extractfile(entry) for entry in archive if entry.isreg()]
            documents = [json.loads(line) for file in files if file is not None for line in file]
        found[image.name.repository.rpartition("/")[2]] = documents
    return found
