# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The images of the releases that a node knows from its staged bundles and from release images in its storage.

A release image lists the images of its release in the file ``release-manifests/image-references``. Source: openshift/oc
``pkg/cli/admin/release/new.go``.
"""

from __future__ import annotations

import contextlib
import typing as t
from collections.abc import Collection, Iterator, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.node_storage import Storage
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import staged_indexes
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.reclaim import UNKNOWN, KnownRelease
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.storage_books import (
    StorageBooks,
    StoredImage,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.json_document import Document

REFERENCES = "release-manifests/image-references"
OF_RELEASE = frozenset({"release", "component", "os_image"})
"""The reasons why an image of a release is in a bundle; images that a site has added have other reasons."""


def known_releases(host: Host, wanted: Collection[Digest], books: StorageBooks) -> dict[Digest, KnownRelease]:
    """Return those of the releases ``wanted``, by the digests of their images, of which this host knows the images.

    A bundle may lack images of its release, so that a release image is asked as well. One that cannot be read is none.
    """
    found: dict[Digest, KnownRelease] = {}
    told = [*_told_by_bundles(host), *_told_by_images(host, wanted, books)]
    for digest, one in told:
        if digest in wanted:
            found[digest] = found.get(digest, UNKNOWN).joined(one)
    return found


def release_images_report(host: Host, params: Mapping[str, t.Any]) -> list[dict[str, t.Any]]:
    """Return the images of those of ``releases`` that this host knows."""
    wanted = {release_digest(text) for text in params["releases"]}
    found = known_releases(host, wanted, Storage.of(host).books(host))
    return [
        {
            "release": str(digest),
            "version": one.version,
            "images": [{"name": name, "component": one.components[name]} for name in sorted(one.components)],
        }
        for digest, one in sorted(found.items())
    ]


def release_digest(text: str) -> Digest:
    """Return the digest of a release that is named by it, or by its image."""
    return Digest.parse(text.rpartition("@")[2])


def _told_by_bundles(host: Host) -> Iterator[tuple[Digest, KnownRelease]]:
    for _folder, index in staged_indexes(host):
        for release in index.releases:
            images = (image for image in index.images_of(release) if image.reason in OF_RELEASE)
            if release.image.digest is not None:
                ours = {str(image.name): image.component or "" for image in images}
                yield release.image.digest, KnownRelease(release.version, ours)


def _told_by_images(
    host: Host, wanted: Collection[Digest], books: StorageBooks
) -> Iterator[tuple[Digest, KnownRelease]]:
    storage = Storage.of(host)
    for image in books.images:
        for name in image.names:
            digest = next((one for one in wanted if name.endswith(f"@{one}")), None)
            with contextlib.suppress(FieldOpsError):
                content = _references(host, storage, books, image) if digest is not None else None
                if content is not None and digest is not None:
                    yield digest, _listed(content, name)


def _references(host: Host, storage: Storage, books: StorageBooks, image: StoredImage) -> bytes | None:
    layers = (layer for top in image.layers for layer in books.beneath(top))
    found = (storage.file_of_layer(host, layer, REFERENCES) for layer in layers)
    return next((content for content in found if content is not None), None)


def _listed(content: bytes, release: str) -> KnownRelease:
    document = Document.parse(content, on=f"image-references of {release}")
    tags = document["spec"]["tags"].entries()
    components = {str(one["from"]["name"].pinned_image()): one["name"].text() for one in tags}
    return KnownRelease(document["metadata"]["name"].text(), {**components, release: ""})
