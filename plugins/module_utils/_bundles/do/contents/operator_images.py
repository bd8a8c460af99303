# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Operators that travel: catalogs, read without running them, and the images of what was chosen from them."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.folder_ownership import keep_blob
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.build_bundle import (
    BlobFetcher,
    WantedBlob,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.image_gathering import (
    ImageGatherer,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.catalog_files import CatalogFiles
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_request import BundleRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import (
    GatheredImage,
    ImageRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.installed_operator import (
    InstalledOperator,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.catalog import (
    CONFIGS_LABEL,
    CatalogRecord,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.catalog_image import (
    FOLDER,
    REPORT,
    REQUEST,
    SOURCE,
    catalog_image,
    catalog_name,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_choice import (
    choose_package,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_dependencies import (
    dependency_warnings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_request import (
    CatalogRequest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.related_images import (
    BlockedImages,
    OperatorImage,
    operator_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.payload_document import PayloadDocument
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.subscribed_channels import (
    channel_warnings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.scratch import scratch_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

LARGEST_CONFIG = MIB


@dataclass(frozen=True)
class ReadOperators:
    """What the requested operators came to.

    ``requests`` are the images to resolve, ``catalogs`` those that were made here. ``report`` has a row for each
    channel, ``left_out`` the images that are blocked.
    """

    requests: tuple[ImageRequest, ...] = ()
    catalogs: tuple[GatheredImage, ...] = ()
    bundles: tuple[CatalogRecord, ...] = ()
    report: tuple[Mapping[str, t.Any], ...] = ()
    left_out: tuple[OperatorImage, ...] = ()


def operator_results(read: ReadOperators, installed: Iterable[InstalledOperator]) -> dict[str, t.Any]:
    """Return what results say of operators, for a site that has ``installed``."""
    return {
        "operators": [dict(row) for row in read.report],
        "images_left_out": [one.as_data() for one in read.left_out],
        "operator_warnings": [*dependency_warnings(read.bundles), *channel_warnings(read.report, installed)],
    }


@dataclass(frozen=True)
class _ReadCatalog:
    """A catalog that travels: made here, or ``requested`` as it was published."""

    report: list[dict[str, t.Any]]
    bundles: tuple[CatalogRecord, ...]
    made: GatheredImage | None = None
    requested: ImageRequest | None = None


@dataclass(frozen=True)
class OperatorReader:
    """Reads catalogs; ``fetcher`` brings their layers into its own folder, where what is made here is kept as well."""

    request: BundleRequest
    gatherer: ImageGatherer
    fetcher: BlobFetcher
    previous: BundleIndex | None

    def read(self) -> ReadOperators:
        """Return what travels of all catalogs. Raises BundleError, PayloadError."""
        requests: list[ImageRequest] = []
        left_out: list[OperatorImage] = []
        catalogs = [self._catalog(one) for one in self.request.catalogs]
        for wanted, found in zip(self.request.catalogs, catalogs):
            images = operator_images(found.bundles, BlockedImages(self.request.blocked_images), on=wanted.catalog)
            requests += [found.requested] if found.requested else []
            requests += [ImageRequest(image, "operator", package) for package, image in images.travelling]
            left_out += images.left_out
        return ReadOperators(
            tuple(requests),
            tuple(one.made for one in catalogs if one.made is not None),
            tuple(bundle for one in catalogs for bundle in one.bundles),
            tuple(
                {"catalog": wanted.catalog, **row}
                for wanted, one in zip(self.request.catalogs, catalogs)
                for row in one.report
            ),
            tuple(left_out),
        )

    def _catalog(self, wanted: CatalogRequest) -> _ReadCatalog:
        known = None if wanted.complete else _MadeBefore.of(self.previous, self.gatherer, wanted.reference)
        source = wanted.reference
        if known is not None and not self.request.refresh_tags and not source.is_pinned:
            source = replace(known.source, tag=source.tag)
        asked = wanted.digest(self.request.installed)
        if known is not None and known.answers(source, asked):
            return self._made_before(known)
        image = self.gatherer.gather(ImageRequest(source, "catalog"))
        if known is not None and known.answers(image.name, asked):
            return self._made_before(known)
        self.fetcher.progress.say(f"reading the catalog {image.name}")
        with scratch_directory() as scratch:
            return self._read(wanted, asked, image, scratch)

    def _read(self, wanted: CatalogRequest, asked: str, image: GatheredImage, scratch: Path) -> _ReadCatalog:
        names = frozenset(package.name for package in wanted.packages)
        files = self._files(image, names, scratch)
        catalog = files.records(names)
        chosen = [choose_package(catalog, package, self.request.installed) for package in wanted.packages]
        report = [row for package in chosen for row in package.as_data()]
        bundles = tuple(bundle for package in chosen for bundle in package.bundles)
        if wanted.complete:
            return _ReadCatalog(report, bundles, requested=ImageRequest(wanted.reference, "catalog"))
        annotations = {
            SOURCE: str(image.name),
            REQUEST: asked,
            REPORT: json.dumps(report, sort_keys=True, separators=(",", ":")),
        }
        documents = files.filtered({package.name: package for package in chosen})
        made, blobs = catalog_image(wanted.reference, documents, self.request.machine, annotations)
        for digest, content in blobs.items():
            keep_blob(self.fetcher.folder, digest, content)
        return _ReadCatalog(report, bundles, made=made)

    def _files(self, image: GatheredImage, wanted: frozenset[str], scratch: Path) -> CatalogFiles:
        folder, on = self._configs_folder(image), str(image.name)
        folders = tuple(f"{folder}/{name}" for name in sorted(wanted))
        files = CatalogFiles.out_of(self.fetcher.layers_from_top(image), folders, scratch, on=on)
        if wanted <= files.records(wanted).packages:
            return files
        # Manually written catalogs need not have a folder for each package.
        return CatalogFiles.out_of(self.fetcher.layers_from_top(image), (folder,), scratch, on=on)

    def _made_before(self, known: _MadeBefore) -> _ReadCatalog:
        with scratch_directory() as scratch:
            layer = scratch / "layer"
            write_file(layer, known.layer)
            files = CatalogFiles.out_of([layer], (FOLDER,), scratch, on=str(known.image.name))
            names = files.records(frozenset()).packages
            catalog = files.records(names)
        bundles = tuple(bundle for name in sorted(names) for bundle in catalog.bundles(name).values())
        return _ReadCatalog(known.report, bundles, made=known.image)

    def _configs_folder(self, image: GatheredImage) -> str:
        config = image.content[0]
        if config.size > LARGEST_CONFIG:
            raise PayloadError(
                "read the catalog",
                on=str(image.name),
                seen=f"its config has {config.size} bytes",
                advice="Report it to the publisher of the catalog.",
            )
        self.fetcher.fetch([WantedBlob(config, image.name)])
        document = PayloadDocument.parse(
            self.fetcher.folder.read_blob(config.digest) or b"", on=f"config of {image.name}"
        )
        inner = document.get("config")
        labels = inner.texts("Labels") if inner is not None else {}
        folder = "/".join(part for part in labels.get(CONFIGS_LABEL, "").split("/") if part not in ("", "."))
        if not folder:
            raise document.broken(f"it has no label {CONFIGS_LABEL}, so it is not a file-based catalog")
        return folder


@dataclass(frozen=True)
class _MadeBefore:
    """The catalog that an earlier build of this bundle made of the same source."""

    image: GatheredImage
    layer: bytes
    source: ImageReference
    request: str
    report: list[dict[str, t.Any]]

    @classmethod
    def of(cls, previous: BundleIndex | None, gatherer: ImageGatherer, wanted: ImageReference) -> _MadeBefore | None:
        """Return it if all of it is still there."""
        for listed in previous.images if previous is not None else ():
            if listed.name.name == catalog_name(wanted) and listed.tag == wanted.tag:
                contents = [gatherer.kept(digest) or b"" for digest in listed.blobs()]
                return cls._read(gatherer, listed.name, wanted, contents) if all(contents) else None
        return None

    @classmethod
    def _read(
        cls, gatherer: ImageGatherer, name: ImageReference, wanted: ImageReference, contents: list[bytes]
    ) -> _MadeBefore:
        notes = PayloadDocument.parse(contents[0], on=str(name)).texts("annotations")
        image = replace(gatherer.gather(ImageRequest(name, "catalog")), tag=wanted.tag)
        source, report = ImageReference.parse(notes[SOURCE]), json.loads(notes[REPORT])
        return cls(image, contents[-1], source, notes[REQUEST], report)

    def answers(self, source: ImageReference, request: str) -> bool:
        """Whether the same ``request`` of the same ``source`` made it."""
        return (source.name, source.digest, request) == (self.source.name, self.source.digest, self.request)
