# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Workloads of a release that pull their image whenever they start: without a registry they will not start."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.layer_files import LayerReader
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.layer_stream import Readable
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.yaml_documents import yaml_stream
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import (
    ImageManifest,
    parse_manifest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.pull_policy import pulled_always
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BundledRelease,
    BundleIndex,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

FOLDERS = ("release-manifests", "manifests")
MOST_FOUND = 1000

MANIFESTS = (".yaml", ".yml", ".json")
# A manifest is some kilobytes long; of one that is longer than this all documents are read.
_SEARCHED = MIB


def always_pulled(folder: BundleFolder, index: BundleIndex) -> list[dict[str, str]]:
    """Return the containers with ``imagePullPolicy: Always`` in the manifests of the release images, each once.

    The layers that a delta leaves to its base are not read.
    """
    found = {}
    for release in index.releases:
        layers = release_layers(folder, index, release)
        for one in always_pulled_in(reversed(layers), on=str(release.image)):
            found[tuple(one.items())] = one
    return list(found.values())


def always_pulled_in(top_first: Iterable[Path], *, on: str) -> list[dict[str, str]]:
    """Return those containers in the manifests within the layers, no more than ``MOST_FOUND``.

    A manifest that cannot be read is an entry with a ``problem``. Operators that make pods in code are not seen by
    this.
    """
    scan = _Scan()
    found = LayerReader(on, FOLDERS, scan.of_file)
    found.read(top_first)
    return [{"file": name[:300], **one} for name in sorted(found.files) for one in found.files[name]]


@dataclass
class _Scan:
    """Looks into manifests until there are ``MOST_FOUND`` containers."""

    left: int = MOST_FOUND

    def of_file(self, name: str, content: Readable) -> list[dict[str, str]]:
        """Return what is found in one file."""
        if not name.endswith(MANIFESTS) or not self.left:
            return []
        start = content.read(_SEARCHED)
        if len(start) < _SEARCHED and b"Always" not in start:
            return []
        found = list(itertools.islice(_containers(name, _Rejoined(start, content)), self.left))
        self.left -= len(found)
        return found


def _containers(name: str, content: Readable) -> Iterator[dict[str, str]]:
    try:
        for document in yaml_stream(content, on=name):
            yield from pulled_always(document)
    except PayloadError as error:
        yield {**dict.fromkeys(("kind", "namespace", "name", "container", "image"), ""), "problem": error.seen}


class _Rejoined:
    """The ``start`` that was read of a file, and after it the rest."""

    def __init__(self, start: bytes, rest: Readable) -> None:
        self._start = io.BytesIO(start)
        self._rest = rest

    def read(self, size: int, /) -> bytes:
        return self._start.read(size) or self._rest.read(size)


def release_layers(folder: BundleFolder, index: BundleIndex, release: BundledRelease) -> list[Path]:
    """Return the layers of the image of a release that the bundle carries, the lowest first."""
    digest = next(image for image in index.images if image.name == release.image).manifests[-1]
    content = folder.read_blob(digest)
    if content is None or digest not in index.blobs:
        return []
    manifest = parse_manifest(content, index.blobs[digest].media_type, on=f"manifest of {release.image}")
    layers = manifest.layers if isinstance(manifest, ImageManifest) else ()
    return [folder.blob(layer.digest) for layer in layers if layer.digest in index.blobs]
