# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Reads the index of a bundle from bytes that nobody vouches for yet: strictly, bounded, naming the field at fault."""

from __future__ import annotations

import json
import re

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    DEEPEST_STORE,
    FORMAT_VERSION,
    PIECE_SIZE,
    STORE_COMPRESSIONS,
    STORE_MEDIA_TYPES,
    Blob,
    BundledImage,
    BundledSignature,
    BundledStore,
    BundleIndex,
    blobs_by_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import GIB, MIB

LARGEST_INDEX = 64 * MIB
LARGEST_BLOB = 64 * GIB
REASONS = ("release", "component", "os_image", "extra", "catalog", "operator")
SIGNATURE_KINDS = ("gpg", "cosign")

_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+-]{0,127}", re.ASCII)
_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)
_TAG = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}", re.ASCII)
_MEDIA_TYPE = re.compile(r"[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}", re.ASCII)


def read_index(content: bytes) -> BundleIndex:
    """Return the index written in ``content``; raise InvalidInputError for anything that is not canonical and complete.

    Bytes that do not come out again exactly as they came in are refused: the digest of the index is its identity, and
    two spellings of one index would be two bundles.
    """
    if len(content) > LARGEST_INDEX:
        raise _broken("index", f"it has {len(content)} bytes, more than {LARGEST_INDEX}")
    try:
        document = json.loads(content.decode("ascii"))
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise _broken("index", f"it is not JSON: {error}") from error
    index = _index_of(_Field("index", document))
    if index.as_bytes() != content:
        raise _broken("index", "it is not in canonical form: keys are unknown, unordered or written otherwise")
    return index


def _broken(field: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "read the index of a bundle",
        on=field,
        seen=seen,
        advice="Take the bundle again from where it was built; nothing of it was used.",
    )


class _Field:
    """A value of the document together with its path, so that every complaint can name it."""

    def __init__(self, path: str, value: object) -> None:
        self.path = path
        self.value = value

    def __getitem__(self, key: str) -> _Field:
        if not isinstance(self.value, dict) or key not in self.value:
            raise _broken(f"{self.path}.{key}", "it is missing")
        return _Field(f"{self.path}.{key}", self.value[key])

    def optional_entries(self, key: str) -> list[_Field]:
        """Return the entries below ``key``, none where it is not given."""
        return self[key].entries() if isinstance(self.value, dict) and key in self.value else []

    def items(self) -> list[tuple[str, _Field]]:
        if not isinstance(self.value, dict):
            raise _broken(self.path, "it is not a mapping")
        return [(key, _Field(f"{self.path}.{key[:80]}", value)) for key, value in self.value.items()]

    def entries(self) -> list[_Field]:
        if not isinstance(self.value, list):
            raise _broken(self.path, "it is not a list")
        return [_Field(f"{self.path}[{position}]", value) for position, value in enumerate(self.value)]

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise _broken(self.path, "it is not a string")
        return self.value

    def number(self, largest: int) -> int:
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not 0 <= self.value <= largest:
            raise _broken(self.path, f"{self.value!r:.40} is not a whole number between 0 and {largest}")
        return self.value

    def one_of(self, known: tuple[str, ...]) -> str:
        if self.text() not in known:
            raise _broken(self.path, f"{self.text()[:40]!r} is none of {', '.join(known)}")
        return self.text()

    def optional_tag(self) -> str | None:
        """Return a tag, which is also the form of a component's name: it can lead out of no folder."""
        if self.value is not None and not _TAG.fullmatch(self.text()):
            raise _broken(self.path, f"{self.text()[:40]!r} has characters that no tag can have")
        return None if self.value is None else self.text()

    def digest(self) -> Digest:
        try:
            return Digest.parse(self.text())
        except InvalidInputError as error:
            raise _broken(self.path, error.seen) from error

    def digests(self) -> tuple[Digest, ...]:
        return tuple(entry.digest() for entry in self.entries())

    def pinned_image(self) -> ImageReference:
        try:
            reference = ImageReference.parse(self.text())
        except InvalidInputError as error:
            raise _broken(self.path, error.seen) from error
        if reference.digest is None or reference.tag is not None:
            raise _broken(self.path, f"{self.text()[:200]!r} is not of the form repository@digest")
        return reference


def _index_of(field: _Field) -> BundleIndex:
    version = field["schemaVersion"].number(1 << 16)
    if version != FORMAT_VERSION:
        raise _broken("index.schemaVersion", f"format {version} is not known here, only {FORMAT_VERSION}")
    field["kind"].one_of(("FieldOpsBundle",))
    release = field["release"]
    index = BundleIndex(
        version=_version(release["version"]),
        architecture=_architecture(release["architecture"]),
        release=release["image"].pinned_image(),
        previous=tuple(_version(entry) for entry in release["previous"].entries()),
        images=tuple(_image(entry) for entry in field["images"].entries()),
        signatures=tuple(_signature(entry) for entry in field["signatures"].entries()),
        blobs=blobs_by_digest(*(_blob(key, value) for key, value in field["blobs"].items())),
        base=field["base"].digest() if field["base"].value is not None else None,
        stores=tuple(_store(entry) for entry in field.optional_entries("stores")),
    )
    _check_completeness(index)
    _check_stores(index)
    return index


def _version(field: _Field) -> str:
    if not _VERSION.fullmatch(field.text()):
        raise _broken(field.path, f"{field.text()[:40]!r} is not a version")
    return field.text()


def _architecture(field: _Field) -> Architecture:
    try:
        return Architecture.parse(field.text())
    except InvalidInputError as error:
        raise _broken(field.path, error.seen) from error


def _image(field: _Field) -> BundledImage:
    name = field["name"].pinned_image()
    manifests = field["manifests"].digests()
    if not manifests or manifests[0] != name.digest:
        raise _broken(f"{field.path}.manifests", f"its first entry is not the digest in the name {name}")
    return BundledImage(
        name=name,
        reason=field["reason"].one_of(REASONS),
        component=field["component"].optional_tag(),
        manifests=manifests,
        content=field["content"].digests(),
        tag=field["tag"].optional_tag(),
    )


def _signature(field: _Field) -> BundledSignature:
    blobs = field["blobs"].digests()
    if not blobs:
        raise _broken(f"{field.path}.blobs", "it is empty")
    return BundledSignature(kind=field["kind"].one_of(SIGNATURE_KINDS), image=field["image"].digest(), blobs=blobs)


def _store(field: _Field) -> BundledStore:
    base, depth = field["base"], field["depth"].number(DEEPEST_STORE)
    if (base.value is None) != (depth == 0):
        raise _broken(f"{field.path}.depth", "only a store without a base lies on none")
    return BundledStore(
        digest=field["digest"].digest(),
        filesystem=field["filesystem"].one_of(tuple(STORE_MEDIA_TYPES)),
        compression=field["compression"].one_of(STORE_COMPRESSIONS),
        unpacked_size=field["unpackedSize"].number(LARGEST_BLOB * 16),
        images=tuple(str(entry.pinned_image()) for entry in field["images"].entries()),
        base=base.digest() if base.value is not None else None,
        depth=depth,
    )


def _blob(key: str, field: _Field) -> Blob:
    size = field["size"].number(LARGEST_BLOB)
    pieces = tuple(entry.text() for entry in field["pieces"].entries())
    expected = -(-size // PIECE_SIZE) if size > PIECE_SIZE else 0
    if len(pieces) != expected or not all(_HEX.fullmatch(piece) for piece in pieces):
        raise _broken(f"{field.path}.pieces", f"a blob of {size} bytes has {expected} digests of pieces")
    unpacked, media_type = field["unpackedSize"], field["mediaType"].text()
    if not _MEDIA_TYPE.fullmatch(media_type):
        raise _broken(f"{field.path}.mediaType", f"{media_type[:40]!r} is not a media type")
    return Blob(
        digest=_Field(field.path, key).digest(),
        size=size,
        media_type=media_type,
        unpacked_size=unpacked.number(LARGEST_BLOB * 16) if unpacked.value is not None else None,
        pieces=pieces,
    )


def _check_completeness(index: BundleIndex) -> None:
    """Refuse an index that leaves a byte unreachable or unexplained; a delta may leave blobs to its base."""
    names = [str(image.name) for image in index.images]
    if len(set(names)) != len(names):
        raise _broken("index.images", "an image is listed twice")
    if not any(image.name == index.release and image.reason == "release" for image in index.images):
        raise _broken("index.images", f"the release image {index.release} is not among them")
    manifests = {digest for image in index.images for digest in image.manifests}
    for signature in index.signatures:
        if signature.image not in manifests:
            raise _broken("index.signatures", f"one is of {signature.image}, which is none of the images")
    needed = set(index.needed())
    for digest in sorted(set(index.blobs) - needed):
        raise _broken("index.blobs", f"{digest} is listed, and neither an image nor a signature needs it")
    for digest in sorted(needed - set(index.blobs)) if index.base is None else ():
        raise _broken("index.blobs", f"{digest} is needed by an image or a signature and not listed")


def _check_stores(index: BundleIndex) -> None:
    """Refuse a store that is no blob of this bundle, is listed twice, or is said to have images of another bundle."""
    names = {str(image.name) for image in index.images}
    digests = [store.digest for store in index.stores]
    if len(set(digests)) != len(digests):
        raise _broken("index.stores", "a store is listed twice")
    for store in index.stores:
        blob = index.blobs.get(store.digest)
        if blob is None or blob.media_type != STORE_MEDIA_TYPES[store.filesystem]:
            raise _broken("index.stores", f"{store.digest} is no blob of this bundle that is {store.filesystem}")
        if not store.images or not names.issuperset(store.images) or len(set(store.images)) != len(store.images):
            raise _broken("index.stores", f"the images of {store.digest} are not images of this bundle, each once")
        if store.base == store.digest:
            raise _broken("index.stores", f"{store.digest} is its own base")
