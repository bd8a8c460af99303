# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The files of a catalog: out of the layers of its image once, then read in turn for what is kept and what travels."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.json_objects import json_objects
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.layer_files import LayerReader
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.layer_stream import Readable
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.yaml_documents import yaml_stream
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.catalog import (
    Catalog,
    CatalogRecord,
    catalog_record,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.filtered_catalog import (
    filtered_document,
    rendered,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_choice import (
    ChosenPackage,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

LARGEST_RECORDS = 32 * MIB
"""Bytes of memory for what is kept of a catalog; of the 300 bundles of a large package it is 3 MiB."""

LARGEST_FILES = 1024 * MIB
"""Bytes of all files of a catalog that are copied; the largest published catalogs have some hundred MiB."""

LARGEST_FILTERED = 256 * MIB
"""Bytes of the documents that travel, all in memory at once."""

_SUFFIXES = (".json", ".yaml", ".yml")


@dataclass(frozen=True)
class CatalogFiles:
    """The files of the catalog ``on``, by their names in its image, in a directory of their own."""

    on: str
    paths: Mapping[str, Path]

    @classmethod
    def out_of(cls, top_first: Iterable[Path], folders: tuple[str, ...], scratch: Path, *, on: str) -> CatalogFiles:
        """Return the files below ``folders`` of the layers, copied to ``scratch``; files of other kinds are none.

        Raises PayloadError for layers that cannot be read, and for absurd sizes.
        """
        copies = _Copies(scratch)
        reader = LayerReader(on, folders, copies.take)
        reader.read(top_first)
        if copies.is_too_large:
            raise reader.broken(f"the files of its catalog are larger than {LARGEST_FILES} bytes")
        return cls(on, {name: path for name, path in reader.files.items() if path is not None})

    def records(self, wanted: frozenset[str]) -> Catalog:
        """Return what the files say of packages, and of those that are ``wanted`` the rest as well."""
        return Catalog(self._records(wanted), on=self.on)

    def filtered(self, chosen: Mapping[str, ChosenPackage]) -> dict[str, bytes]:
        """Return the catalog files of the ``chosen`` packages, with nothing else in them."""
        found: dict[str, list[dict[str, t.Any]]] = {name: [] for name in chosen}
        size = 0
        for document in self._documents(whole=True):
            left = filtered_document(document, chosen)
            if left is not None:
                owner = left["name" if left.get("schema") == "olm.package" else "package"]
                found[owner].append(left)
        files = {}
        for name, documents in found.items():
            files[name] = rendered(documents)
            size += len(files[name])
            if size > LARGEST_FILTERED:
                advice = "Choose fewer versions."
                raise self._broken(f"the chosen versions take more than {LARGEST_FILTERED} bytes", advice)
        return files

    def _records(self, wanted: frozenset[str]) -> Iterator[CatalogRecord]:
        cost = 0
        for document in self._documents(whole=False):
            record = catalog_record(document, wanted)
            if record is None:
                continue
            cost += record.cost
            if cost > LARGEST_RECORDS:
                advice = "Report it to the publisher of the catalog."
                raise self._broken("it has too many packages, channels and bundles", advice)
            yield record

    def _documents(self, *, whole: bool) -> Iterator[dict[str, t.Any]]:
        for name in sorted(self.paths):
            on = f"{name[:100]!r} of {self.on}"
            with explained("read a file of the catalog", self.paths[name]), self.paths[name].open("rb") as content:
                documents: Iterator[t.Any] = (
                    json_objects(content, on=on, whole=whole) if name.endswith(".json") else yaml_stream(content, on=on)
                )
                yield from (document for document in documents if isinstance(document, dict))

    def _broken(self, seen: str, advice: str) -> PayloadError:
        return PayloadError("read the catalog", on=self.on, seen=seen, advice=advice)


@dataclass
class _Copies:
    """Copies files to a directory, by numbers, since their names are not to be trusted."""

    scratch: Path
    size: int = 0
    count: int = 0

    @property
    def is_too_large(self) -> bool:
        return self.size > LARGEST_FILES

    def take(self, name: str, content: Readable) -> Path | None:
        if not name.endswith(_SUFFIXES) or self.is_too_large:
            return None
        self.count += 1
        path = self.scratch / f"{self.count}"
        with explained("copy a file of the catalog", path), path.open("wb") as copy:
            while not self.is_too_large and (chunk := content.read(MIB)):
                copy.write(chunk)
                self.size += len(chunk)
        return path
