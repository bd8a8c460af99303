# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long three catalogs take from their layers to catalogs of the chosen operators, once the layers are here.

Run it with ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.operator_catalogs``. Each is shaped like
a published one: 100 packages in folders of their own, 1700 bundles with the metadata of their CSV and an icon, one
package of 220 bundles with their manifests, and in a layer above a cache that the catalog's own server would use.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import os
import tarfile
import tempfile
import time
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.catalog_files import CatalogFiles
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.installed_operator import (
    InstalledOperator,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_choice import (
    ChannelRequest,
    PackageRequest,
    choose_package,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

CATALOGS, PACKAGES, BUNDLES, LARGE = 3, 100, 15, 220
CACHE = 120 * MIB
GOAL_SECONDS = 10.0
WANTED = ("large", "p01", "p02", "p03", "p04")

Json = dict[str, t.Any]


def main() -> None:
    """Print the seconds of all catalogs, and what came of them."""
    with tempfile.TemporaryDirectory() as folder:
        catalogs = [write_catalog(Path(folder) / f"catalog-{number}") for number in range(CATALOGS)]
        size = sum(sum(layer.stat().st_size for layer in layers) for layers in catalogs)
        started, busy = time.monotonic(), time.process_time()
        made = [planned(layers, Path(folder) / f"scratch-{at}") for at, layers in enumerate(catalogs)]
        seconds, cpu = time.monotonic() - started, time.process_time() - busy
    print(f"{CATALOGS} catalogs, {size / MIB:.0f} MiB of layers, {len(WANTED)} packages of each")
    print(f"made of them: {sum(made) / MIB:.1f} MiB")
    print(f"from layers to catalogs: {seconds:.1f} s, {cpu:.1f} s of a processor (goal: below {GOAL_SECONDS:.0f} s)")


def planned(layers: list[Path], scratch: Path) -> int:
    """Return how large the catalog is that is made of ``layers``, the uppermost first."""
    scratch.mkdir()
    wanted = frozenset(WANTED)
    files = CatalogFiles.out_of(layers, tuple(f"configs/{name}" for name in WANTED), scratch, on="catalog")
    catalog = files.records(wanted)
    requests = [PackageRequest(name, (ChannelRequest(min_version="1.10.0"),)) for name in WANTED]
    installed = [InstalledOperator(name, "1.2.0") for name in WANTED]
    chosen = {request.name: choose_package(catalog, request, installed) for request in requests}
    return sum(map(len, files.filtered(chosen).values()))


def write_catalog(folder: Path) -> list[Path]:
    """Write the layers of a catalog and return them, the uppermost first."""
    folder.mkdir()
    configs = {f"configs/{name}/catalog.json": content for name, content in packages()}
    cache = {f"tmp/cache/{number}": os.urandom(MIB // 2) * 2 for number in range(CACHE // MIB)}
    base = {f"usr/lib/{number}": os.urandom(MIB // 2) * 2 for number in range(80)}
    return [write_layer(folder / str(number), files) for number, files in enumerate((cache, configs, base))]


def write_layer(path: Path, files: dict[str, bytes]) -> Path:
    """Write one layer."""
    with gzip.open(path, "wb", compresslevel=1) as packed, tarfile.open(fileobj=packed, mode="w|") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return path


def packages() -> t.Iterator[tuple[str, bytes]]:
    """Yield the packages with their documents."""
    manifests = [base64.b64encode(os.urandom(30_000) * 3).decode() for _number in range(4)]
    objects = [{"type": "olm.bundle.object", "value": {"data": manifest}} for manifest in manifests]
    metadata = {"type": "olm.csv.metadata", "value": {"description": "does this, and that.\n" * 1500}}
    for name, count in [("large", LARGE), *((f"p{number:02}", BUNDLES) for number in range(PACKAGES))]:
        properties = objects if name == "large" else [metadata]
        yield name, "\n".join(json.dumps(one, indent=2) for one in documents(name, count, properties)).encode()


def documents(package: str, count: int, properties: list[Json]) -> t.Iterator[Json]:
    """Yield the documents of one package, a chain of versions with ranges."""
    entries: list[Json] = [
        {"name": f"{package}.v1.{n}.0", "replaces": f"{package}.v1.{n - 1}.0", "skipRange": f">=1.{n - 3}.0 <1.{n}.0"}
        for n in range(3, count + 3)
    ]
    icon = {"base64data": "QUJD" * 9000, "mediatype": "image/png"}
    yield {"schema": "olm.package", "name": package, "defaultChannel": "stable", "icon": icon}
    yield {"schema": "olm.channel", "package": package, "name": "stable", "entries": entries}
    for n in range(3, count + 3):
        version = {"type": "olm.package", "value": {"packageName": package, "version": f"1.{n}.0"}}
        yield {
            "schema": "olm.bundle",
            "package": package,
            "name": f"{package}.v1.{n}.0",
            "image": f"quay.io/{package}/bundle:v1.{n}.0",
            "properties": [version, *properties],
            "relatedImages": [{"image": f"quay.io/{package}/operand:{n}-{number}"} for number in range(30)],
        }


if __name__ == "__main__":
    main()
