# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The index of a bundle: the one document from whose digest every byte of the bundle is reachable.

A bundle is a directory with ``index.json`` and ``blobs/sha256/<hex>``. The blobs are manifests, configs, layers and
signatures exactly as a registry served them. The index is written as canonical JSON, so that the same content always
has the same digest, and that digest is the identity of the bundle. Next to it may be ``index.json.asc``, a detached
OpenPGP signature of the index, and ``SHA256SUMS`` for people with only sha256sum. The format is described in
docs/bundle-format.md.
"""

from __future__ import annotations

import hashlib
import json
import typing as t
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.update_path import PathEdge

INDEX_FILE = "index.json"
INDEX_SIGNATURE_FILE = "index.json.asc"
BLOB_FOLDER = "blobs/sha256"
CHECKSUM_FILE = "SHA256SUMS"
GPG_SIGNATURE = "application/pgp-signature"
"""Media type of the blobs that are GPG signatures; everything else keeps the type that its manifest gives it."""
STORE_MEDIA_TYPES = MappingProxyType(
    {
        "erofs": "application/vnd.fieldops.image-store.v1+erofs",
        "squashfs": "application/vnd.fieldops.image-store.v1+squashfs",
    }
)
"""Media types of the blobs that are image stores, by file system."""
STORE_COMPRESSIONS = ("none", "lz4", "zstd")
DEEPEST_STORE = 2
"""Deltas that may be stacked on a complete store. The next store is complete again."""
FORMAT_VERSION = 2
PREFIX_STEP = 16 * MIB
"""Blobs above this size list the sha256 of their first 16, 32, ... MiB, so that a beginning of one can be proved."""


@dataclass(frozen=True)
class Blob:
    """One file of the bundle: ``size`` in bytes; ``unpacked_size`` is what a layer takes on a node, where known.

    ``prefixes`` are hexadecimal sha256 digests of its beginnings of 1, 2, ... times PREFIX_STEP bytes that are shorter
    than the blob itself.
    """

    digest: Digest
    size: int
    media_type: str
    unpacked_size: int | None = None
    prefixes: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """Return where the blob is below the folder of the bundle."""
        return f"{BLOB_FOLDER}/{self.digest.hex}"


def prefix_count(size: int) -> int:
    """Return how many prefixes a blob of ``size`` bytes lists."""
    return (size - 1) // PREFIX_STEP if size > PREFIX_STEP else 0


@dataclass(frozen=True)
class BundledImage:
    """One image: ``name`` is ``repo@digest``, the name that it must have on the node.

    ``reason`` says why it travels: release, component, os_image, extra, catalog, operator, or file. ``component`` is
    its tag in the release's image references, or the package of an operator. ``manifests`` begins with the named one; a
    manifest list is followed by the manifests of what of it travels. ``content`` are configs and layers of all of them,
    each once. ``tag`` is the tag that led to the digest when the bundle was built, where one was requested.
    """

    name: ImageReference
    reason: str
    component: str | None
    manifests: tuple[Digest, ...]
    content: tuple[Digest, ...]
    tag: str | None = None

    @property
    def is_image(self) -> bool:
        """Whether nodes load it; a file is only staged there."""
        return self.reason != "file"

    def blobs(self) -> Iterator[Digest]:
        """Yield every blob that the image is made of."""
        yield from self.manifests
        yield from self.content


@dataclass(frozen=True)
class BundledSignature:
    """A signature of the image or manifest list with the digest ``image``.

    ``kind`` is gpg (one blob), or what is attached in a registry: cosign, sigstore (a bundle), attestation. Of these
    the first blob is the manifest, then come the payloads and the config.
    """

    kind: str
    image: Digest
    blobs: tuple[Digest, ...]


@dataclass(frozen=True)
class BundledStore:
    """An image store: a blob of the bundle that is a read-only file system with a container storage in it.

    ``images`` are the names of the images that a container runtime finds in it, with the help of its bases. ``base`` is
    the digest of the one store that a delta was made over, ``depth`` how many stores are below it. ``unpacked_size`` is
    in bytes, what the files in it have together.
    """

    digest: Digest
    filesystem: str
    compression: str
    unpacked_size: int
    images: tuple[str, ...]
    base: Digest | None = None
    depth: int = 0


@dataclass(frozen=True)
class BundledRelease:
    """A release for one architecture: ``image`` is ``repo@digest``, ``previous`` are versions that lead to it.

    ``images`` are the digests in the names of its images, itself included, in a bundle of several releases. In a bundle
    of one release it is empty, since every image is of that release or was added by the site.
    """

    version: str
    architecture: Architecture
    image: ImageReference
    previous: tuple[str, ...] = ()
    images: tuple[Digest, ...] = ()


@dataclass(frozen=True)
class BundleIndex:
    """All that a bundle says about itself.

    ``built`` is the instant of its first build in RFC 3339 form (UTC, whole seconds). ``serial`` orders bundles: a site
    takes none with a smaller one than it has seen. ``base`` is the digest of the index that a delta needs to be
    complete. ``signatures_unknown`` are digests of images and lists of which it is not known whether they are signed.
    Several releases are in the order of their versions, and a site passes them until it has the last one: ``path`` has
    the updates that lead from one version to another, at most one from each. A release for several architectures has an
    entry for each of them, in the same order in all versions.
    """

    releases: tuple[BundledRelease, ...]
    built: str
    serial: int
    images: tuple[BundledImage, ...]
    signatures: tuple[BundledSignature, ...]
    blobs: Mapping[Digest, Blob]
    base: Digest | None = None
    stores: tuple[BundledStore, ...] = ()
    signatures_unknown: tuple[Digest, ...] = ()
    path: tuple[PathEdge, ...] = ()

    @property
    def target(self) -> BundledRelease:
        """Return the release to which the bundle leads."""
        return self.releases[-1]

    @property
    def version(self) -> str:
        """Return the version of the target."""
        return self.target.version

    @property
    def architecture(self) -> Architecture:
        """Return the machines that the images are for, the main ones if there are several."""
        return self.target.architecture

    @property
    def architectures(self) -> tuple[Architecture, ...]:
        """Return all machines that the images are for."""
        return tuple(release.architecture for release in self.releases if release.version == self.version)

    @property
    def release(self) -> ImageReference:
        """Return the release image of the target as ``repo@digest``."""
        return self.target.image

    @property
    def previous(self) -> tuple[str, ...]:
        """Return the versions that lead to the target."""
        return self.target.previous

    @property
    def digest(self) -> Digest:
        """Return the identity of the bundle."""
        return Digest(hashlib.sha256(self.as_bytes()).hexdigest())

    @property
    def folder_name(self) -> str:
        """Return the name of the folder that holds this bundle on a node."""
        return f"{self.version}-{self.architecture.release}-{self.digest.short}"

    @property
    def size(self) -> int:
        """Return the bytes of all blobs together."""
        return sum(blob.size for blob in self.blobs.values())

    def images_of(self, release: BundledRelease) -> tuple[BundledImage, ...]:
        """Return the images of one of the releases, and those that were added to the bundle for all of them."""
        of_others = {digest for other in self.releases for digest in other.images} - set(release.images)
        return tuple(image for image in self.images if image.name.digest not in of_others)

    def needed(self) -> Iterator[Digest]:
        """Yield the blobs of all images and signatures, and the stores; some of a delta's may be in its base."""
        for image in self.images:
            yield from image.blobs()
        for signature in self.signatures:
            yield from signature.blobs
        yield from (store.digest for store in self.stores)

    def media_type_of(self, image: BundledImage) -> str | None:
        """Return the type of the manifest that the image's name means; None where a delta leaves it to its base."""
        blob = self.blobs.get(image.manifests[0])
        return blob.media_type if blob else None

    def owner_of(self, digest: Digest) -> str:
        """Return what the blob ``digest`` belongs to, in words: the name of an image, or what else it is."""
        for image in self.images:
            if digest in image.blobs():
                return str(image.name)
        for signature in self.signatures:
            if digest in signature.blobs:
                return f"signature of {signature.image}"
        return "image store" if any(store.digest == digest for store in self.stores) else ""

    def as_document(self) -> dict[str, t.Any]:
        """Return the index as plain data in the form of its file."""
        return {
            "schemaVersion": FORMAT_VERSION,
            "kind": "FieldOpsBundle",
            "built": self.built,
            "serial": self.serial,
            "releases": [_release_document(release) for release in self.releases],
            **({"path": [edge.as_data() for edge in self.path]} if self.path else {}),
            "base": str(self.base) if self.base else None,
            "images": [_image_document(image) for image in self.images],
            "signatures": [_signature_document(signature) for signature in self.signatures],
            "signaturesUnknown": [str(digest) for digest in self.signatures_unknown],
            "stores": [_store_document(store) for store in self.stores],
            "volumes": [],
            "blobs": {str(digest): _blob_document(self.blobs[digest]) for digest in sorted(self.blobs)},
        }

    def as_bytes(self) -> bytes:
        """Return the canonical bytes of the index file: sorted keys, no spaces, ASCII, one line."""
        return json.dumps(self.as_document(), sort_keys=True, separators=(",", ":")).encode() + b"\n"


def blobs_by_digest(*blobs: Blob) -> Mapping[Digest, Blob]:
    """Return ``blobs`` in the read-only form that an index holds."""
    return MappingProxyType({blob.digest: blob for blob in blobs})


def _release_document(release: BundledRelease) -> dict[str, t.Any]:
    return {
        "version": release.version,
        "architecture": release.architecture.release,
        "image": str(release.image),
        "previous": list(release.previous),
        **({"images": [str(digest) for digest in release.images]} if release.images else {}),
    }


def _image_document(image: BundledImage) -> dict[str, t.Any]:
    return {
        "name": str(image.name),
        "reason": image.reason,
        "component": image.component,
        "manifests": [str(digest) for digest in image.manifests],
        "content": [str(digest) for digest in image.content],
        "tag": image.tag,
    }


def _signature_document(signature: BundledSignature) -> dict[str, t.Any]:
    return {
        "kind": signature.kind,
        "image": str(signature.image),
        "blobs": [str(digest) for digest in signature.blobs],
    }


def _store_document(store: BundledStore) -> dict[str, t.Any]:
    return {
        "digest": str(store.digest),
        "filesystem": store.filesystem,
        "compression": store.compression,
        "unpackedSize": store.unpacked_size,
        "images": list(store.images),
        "base": str(store.base) if store.base else None,
        "depth": store.depth,
    }


def _blob_document(blob: Blob) -> dict[str, t.Any]:
    return {
        "size": blob.size,
        "mediaType": blob.media_type,
        "unpackedSize": blob.unpacked_size,
        "prefixes": list(blob.prefixes),
    }
