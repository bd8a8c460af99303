# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The images of bundles as a registry would serve them: manifests, blobs and signatures, read-only and by digest.

A client that was given a manifest asks nowhere else for its blobs. So a manifest is found only while every blob of its
image is here, whole and proved; otherwise the client continues to the next mirror. Tags are those of signatures alone.
Boot images are found by the names of their files below ``/boot-images``, which lists them.
Source: distribution-spec 1.1; containers/image ``docker/docker_image_src.go`` (newImageSource, mirrors).
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import typing as t
from collections.abc import Iterator, Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_proofs import BlobProofs
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.boot_files import boot_images, files_of
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.image_catalog import ImageCatalog
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.answers import Entity
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bodies import Body, Document
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bundle_endpoint import BundleEndpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.image_paths import (
    BOOT_IMAGE,
    MANIFEST,
    REFERRERS,
    ROOT,
    ImagePath,
    parse_image_path,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import OCI_INDEX, OCI_MANIFEST

LARGEST_MANIFEST = 4 * 1024 * 1024
_LIST = ImagePath(BOOT_IMAGE)


class ImageEndpoint:
    """A ``Endpoint`` of all images in ``shelves``, each a bundle; the first that holds a blob serves it."""

    def __init__(self, shelves: Sequence[BundleEndpoint], proofs: BlobProofs) -> None:
        self._shelves = tuple(shelves)
        self._proofs = proofs
        self._catalog = ImageCatalog.of(endpoint.index for endpoint in shelves)
        self._media_types: dict[Digest, str] = {}
        self._boot_files: dict[Digest, Mapping[str, Digest]] = {}

    def close(self) -> None:
        """Let all folders go."""
        for endpoint in self._shelves:
            endpoint.close()

    def servable(self, manifest: Digest) -> bool:
        """Whether a client that begins with this manifest now would get every blob of it."""
        return any(all(self._is_right(one) for one in needed) for needed in self._catalog.needed.get(manifest, ()))

    def find(self, path: str) -> Entity | None:
        """Return what is offered under the path of a request, None for anything else."""
        asked = parse_image_path(path)
        if asked is None:
            return None
        if asked.kind == ROOT:
            return _entity(b"{}", "application/json")
        if asked.kind == REFERRERS:
            return _entity(self._referrers(Digest(asked.digest)), OCI_INDEX)
        if asked == _LIST:
            return _entity(self._boot_list(), "application/json")
        digest = self._digest(asked)
        if digest is None:
            return None
        if asked.kind == MANIFEST:
            return self._manifest(digest)
        held = self._held(digest)
        return held[0].entity(held[1]) if held is not None and self._is_right(digest, again=False) else None

    @contextlib.contextmanager
    def open(self, path: str) -> Iterator[Body]:
        """Open what ``find`` has just found; raises OSError where it has been removed since then."""
        asked = parse_image_path(path)
        if asked is not None and asked.kind == ROOT:
            yield Document(b"{}")
            return
        if asked is not None and asked.kind == REFERRERS:
            yield Document(self._referrers(Digest(asked.digest)))
            return
        if asked == _LIST:
            yield Document(self._boot_list())
            return
        digest = self._digest(asked) if asked is not None else None
        held = self._held(digest) if digest is not None else None
        if held is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        with held[0].opened(held[1]) as body:
            self._proofs.served(held[1].digest.hex)
            yield body

    def _digest(self, asked: ImagePath) -> Digest | None:
        if asked.kind == BOOT_IMAGE:
            return self._boot().get(asked.file)
        return Digest(asked.digest) if asked.digest else self._catalog.tags.get(asked.tag)

    def _held(self, digest: Digest) -> tuple[BundleEndpoint, Blob] | None:
        for endpoint in self._shelves:
            blob = endpoint.blob(digest)
            if blob is not None and endpoint.entity(blob) is not None:
                return endpoint, blob
        return None

    def _is_right(self, digest: Digest, *, again: bool = True) -> bool:
        held = self._held(digest)
        if held is None:
            return False
        try:
            with held[0].opened(held[1]) as body:
                return self._proofs.holds(digest.hex, body, again=again)
        except OSError:
            return False

    def _boot(self) -> dict[str, Digest]:
        """Return the files of all boot images whose manifests are here and right, by name."""
        found: dict[str, Digest] = {}
        for image in boot_images(endpoint.index for endpoint in self._shelves):
            manifest = image.manifests[0]
            if manifest not in self._boot_files and self._is_right(manifest):
                self._boot_files[manifest] = files_of(image, self._read(manifest))
            found.update(self._boot_files.get(manifest, {}))
        return found

    def _boot_list(self) -> bytes:
        """Return the list of boot images that a client would get."""
        held = {name: (digest, self._held(digest)) for name, digest in sorted(self._boot().items())}
        files = [
            {"name": name, "digest": str(digest), "size": found[1].size}
            for name, (digest, found) in held.items()
            if found is not None and self._is_right(digest, again=False)
        ]
        return json.dumps({"files": files}, sort_keys=True).encode()

    def _manifest(self, digest: Digest) -> Entity | None:
        if not self.servable(digest):
            return None
        if digest not in self._media_types:
            self._media_types[digest] = _media_type(self._read(digest))
        held = self._held(digest)
        if held is None:
            return None
        size = held[1].size
        return Entity(str(digest), size, self._media_types[digest], ((0, size),))

    def _read(self, digest: Digest) -> bytes:
        held = self._held(digest)
        if held is None:
            return b""
        with held[0].opened(held[1]) as body:
            content = bytearray(min(held[1].size, LARGEST_MANIFEST))
            return bytes(content[: body.read_into(memoryview(content), 0)])

    def _referrers(self, image: Digest) -> bytes:
        """Return the image index of what is attached to ``image``. Source: distribution-spec, "Listing Referrers"."""
        listed = []
        for digest in self._catalog.referrers.get(image, ()):
            found = self._manifest(digest)
            if found is None:
                continue
            document = _parsed(self._read(digest))
            entry = {"mediaType": found.media_type, "digest": str(digest), "size": found.size}
            kind = document.get("artifactType") or _config_type(document)
            listed.append({**entry, "artifactType": kind, "annotations": document.get("annotations") or {}})
        return json.dumps({"schemaVersion": 2, "mediaType": OCI_INDEX, "manifests": listed}, sort_keys=True).encode()


def _entity(content: bytes, media_type: str) -> Entity:
    return Entity(f"sha256:{hashlib.sha256(content).hexdigest()}", len(content), media_type, ((0, len(content)),))


def _parsed(content: bytes) -> dict[str, t.Any]:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return document if isinstance(document, dict) else {}


def _media_type(content: bytes) -> str:
    """Return what a manifest says it is; OCI manifests may leave it out."""
    document = _parsed(content)
    told = document.get("mediaType")
    if isinstance(told, str) and told.isascii() and told.isprintable():
        return told
    return OCI_INDEX if "manifests" in document else OCI_MANIFEST


def _config_type(document: dict[str, t.Any]) -> str:
    config = document.get("config")
    return str(config.get("mediaType", "")) if isinstance(config, dict) else ""
