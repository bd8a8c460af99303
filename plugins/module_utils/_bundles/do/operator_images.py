# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Operators that travel: the catalog image, read without running it, and the images of what was chosen from it."""

from __future__ import annotations

import json
import re
import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build_bundle import BlobFetcher, WantedBlob
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.layer_files import LayerFiles
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.yaml_documents import yaml_documents
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.catalog import (
    CONFIGS_LABEL,
    Catalog,
    ChosenOperator,
    PackageWish,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import ImageRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.payload_document import PayloadDocument
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference

if t.TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.image_gathering import ImageGatherer
    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.gathered import GatheredImage


_SPACE = re.compile(r"\s*")


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
        wanted = [PackageWish(one["name"], one.get("channel"), one.get("version")) for one in option["packages"]]
        chosen = self._chosen(catalog, wanted)
        operators = [ImageRequest(image, "operator", one.package) for one in chosen for image in one.images]
        return [ImageRequest(reference, "catalog"), *operators]

    def _chosen(self, image: GatheredImage, wanted: list[PackageWish]) -> list[ChosenOperator]:
        folder = self._configs_folder(image)
        catalog = self._catalog(image, tuple(f"{folder}/{wish.name}" for wish in wanted))
        if not {wish.name for wish in wanted} <= catalog.packages:
            # Catalogs made by hand need not have a folder for each package.
            catalog = self._catalog(image, (folder,))
        return [catalog.choose(wish) for wish in wanted]

    def _configs_folder(self, image: GatheredImage) -> str:
        config = image.content[0]
        self.fetcher.fetch([WantedBlob(config, image.name)])
        document = PayloadDocument.parse(
            self.fetcher.folder.read_blob(config.digest) or b"", on=f"config of {image.name}"
        )
        inner = document.get("config")
        labels = inner.texts("Labels") if inner is not None else {}
        folder = labels.get(CONFIGS_LABEL, "").strip("/")
        if not folder:
            raise document.broken(f"it has no label {CONFIGS_LABEL}, so it is no file-based catalog")
        return folder

    def _catalog(self, image: GatheredImage, folders: tuple[str, ...]) -> Catalog:
        found = LayerFiles(on=str(image.name), folders=folders)
        found.read(self._layers_from_top(image))
        return Catalog(
            (document for name in sorted(found.files) for document in _documents(name, found.files[name])),
            on=str(image.name),
        )

    def _layers_from_top(self, image: GatheredImage) -> Iterator[Path]:
        for blob in reversed(image.layers):
            self.fetcher.fetch([WantedBlob(blob, image.name)])
            yield self.fetcher.folder.blob(blob.digest)


def _documents(name: str, content: bytes) -> Iterator[t.Any]:
    if name.endswith(".json"):
        yield from _json_documents(name, content)
    elif name.endswith((".yaml", ".yml")):
        yield from yaml_documents(content, on=name)


def _after_space(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found is not None else position


def _json_documents(name: str, content: bytes) -> Iterator[t.Any]:
    """Yield the objects of a file that holds one after another, as catalogs do."""
    decoder = json.JSONDecoder()
    try:
        text = content.decode()
        position = _after_space(text, 0)
        while position < len(text):
            document, end = decoder.raw_decode(text, position)
            yield document
            position = _after_space(text, end)
    except (ValueError, RecursionError) as error:
        raise PayloadError(
            "read the catalog",
            on=name,
            seen=f"it is not JSON: {error}",
            advice="Report it to whoever publishes the catalog.",
        ) from error
