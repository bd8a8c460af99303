# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Operators that travel: the catalog image, read without running it, and the images of what was chosen from it."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build_bundle import BlobFetcher, WantedBlob
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.json_objects import json_objects
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.layer_files import LayerReader
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.yaml_documents import yaml_stream
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.catalog import (
    CONFIGS_LABEL,
    Catalog,
    CatalogRecord,
    ChosenOperator,
    PackageRequest,
    catalog_record,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import ImageRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.payload_document import PayloadDocument
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.layer_stream import Readable
    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.image_gathering import ImageGatherer
    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import GatheredImage

LARGEST_CONFIG = MIB
LARGEST_RECORDS = 32 * MIB
"""Bytes of memory for what is kept of a catalog; of the 300 bundles of a large package it is 3 MiB."""


@dataclass(frozen=True)
class OperatorReader:
    """Reads catalogs; ``fetcher`` brings their layers into its own folder."""

    gatherer: ImageGatherer
    fetcher: BlobFetcher

    def requests(self, option: Mapping[str, t.Any]) -> list[ImageRequest]:
        """Return the images that an entry of the option ``operators`` stands for, the catalog's first."""
        reference = ImageReference.parse(option["catalog"])
        catalog = self.gatherer.gather(ImageRequest(reference, "catalog"))
        self.fetcher.progress.say(f"reading the catalog {catalog.name}")
        wanted = [PackageRequest(one["name"], one.get("channel"), one.get("version")) for one in option["packages"]]
        chosen = self._chosen(catalog, wanted)
        operators = [ImageRequest(image, "operator", one.package) for one in chosen for image in one.images]
        return [ImageRequest(reference, "catalog"), *operators]

    def _chosen(self, image: GatheredImage, requests: list[PackageRequest]) -> list[ChosenOperator]:
        folder = self._configs_folder(image)
        wanted = frozenset(request.name for request in requests)
        on = str(image.name)
        folders = tuple(f"{folder}/{name}" for name in sorted(wanted))
        catalog = read_catalog(self.fetcher.layers_from_top(image), folders, wanted, on=on)
        if not wanted <= catalog.packages:
            # Manually written catalogs need not have a folder for each package.
            catalog = read_catalog(self.fetcher.layers_from_top(image), (folder,), wanted, on=on)
        return catalog.choose(requests)

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


def read_catalog(top_first: Iterable[Path], folders: tuple[str, ...], wanted: frozenset[str], *, on: str) -> Catalog:
    """Return what the files below ``folders`` say of packages, and of those that are ``wanted`` the rest as well.

    Raises PayloadError for layers and files that cannot be read or are absurdly large.
    """
    records = _Records(wanted, on)
    found = LayerReader(on, folders, records.of_file)
    found.read(top_first)
    return Catalog((record for name in sorted(found.files) for record in found.files[name]), on=on)


@dataclass
class _Records:
    """What is kept of the files of a catalog, together no more than ``LARGEST_RECORDS``."""

    wanted: frozenset[str]
    on: str
    cost: int = 0

    def of_file(self, name: str, content: Readable) -> list[CatalogRecord]:
        """Return what is kept of one file; of files that are no part of a catalog nothing."""
        on = f"{name[:100]!r} of {self.on}"
        if name.endswith(".json"):
            documents: Iterator[t.Any] = json_objects(content, on=on)
        elif name.endswith((".yaml", ".yml")):
            documents = yaml_stream(content, on=on)
        else:
            return []
        return list(self._kept(documents, on))

    def _kept(self, documents: Iterator[t.Any], on: str) -> Iterator[CatalogRecord]:
        for document in documents:
            record = catalog_record(document, self.wanted) if isinstance(document, dict) else None
            if record is None:
                continue
            self.cost += record.cost
            if self.cost > LARGEST_RECORDS:
                raise PayloadError(
                    "read the catalog",
                    on=on,
                    seen="it has too many packages, channels and bundles",
                    advice="Report it to the publisher of the catalog.",
                )
            yield record
