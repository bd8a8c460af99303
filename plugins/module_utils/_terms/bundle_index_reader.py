# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reads the index of a bundle from bytes that are not trusted yet: strictly, bounded, naming the field at fault."""

from __future__ import annotations

import re
from datetime import datetime

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    DEEPEST_STORE,
    FORMAT_VERSION,
    STORE_COMPRESSIONS,
    STORE_MEDIA_TYPES,
    Blob,
    BundledImage,
    BundledRelease,
    BundledSignature,
    BundledStore,
    BundleIndex,
    blobs_by_digest,
    prefix_count,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError, InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.json_document import Document
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.release_version import ReleaseVersion
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import GIB, MIB
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.update_path import (
    PathEdge,
    RiskRule,
    UpdateRisk,
    hops_from,
)

LARGEST_INDEX = 8 * MIB
"""A release with 190 images and its signatures has an index of less than 1 MiB."""
MOST_VALUES = 400_000
MOST_RELEASES = 20
LARGEST_BLOB = 64 * GIB
LARGEST_SERIAL = 1 << 53
REASONS = ("release", "component", "os_image", "extra", "catalog", "operator", "file")
SIGNATURE_KINDS = ("gpg", "cosign", "sigstore", "attestation")

_VERSION = re.compile(r"[0-9A-Za-z][0-9A-Za-z.+-]{0,127}", re.ASCII)
_HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)
_TAG = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}", re.ASCII)
_MEDIA_TYPE = re.compile(r"[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}", re.ASCII)
_INSTANT = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]Z", re.ASCII)


class _Field(Document):
    """A value of the index; every error names its path."""

    attempted = "read the index of a bundle"
    advice = "Copy the bundle again from where it was built. Nothing of this copy was used."

    def broken(self, seen: str) -> FieldOpsError:
        """Return the error about this value."""
        on = f"{self.on}.{self.path}" if self.path else self.on
        return self.error(self.attempted, on=on, seen=seen, advice=self.advice)

    def __getitem__(self, key: str) -> _Field:
        """Return the value of ``key``, which may be null but not absent."""
        entries = self.as_a(dict)
        if key not in entries:
            raise self._part(key, None).broken("it is missing")
        return self._part(key, entries[key])

    def optional_tag(self) -> str | None:
        """Return a tag, which is also the form of a component's name: it can lead out of no folder."""
        return None if self.value is None else self.matching(_TAG, "a tag")


def read_index(content: bytes) -> BundleIndex:
    """Return the index written in ``content``; raise InvalidInputError for anything that is not canonical and complete.

    Bytes that do not come out again exactly as they came in are refused: the digest of the index is its identity, and
    two spellings of one index would be two bundles. Callers with a digest or keys for the bundle prove ``content`` with
    them first.
    """
    unread = _Field(None, "index")
    if len(content) > LARGEST_INDEX:
        raise unread.broken(f"it has {len(content)} bytes, more than {LARGEST_INDEX}")
    if not content.isascii():
        raise unread.broken("it is not JSON in ASCII")
    index = _index_of(_Field.parse(content, on="index", most_values=MOST_VALUES))
    if index.as_bytes() != content:
        raise unread.broken("it is not in canonical form: keys are unknown, unordered or in another notation")
    return index


def _index_of(field: _Field) -> BundleIndex:
    version = field["schemaVersion"].number(1 << 16)
    if version != FORMAT_VERSION:
        raise field["schemaVersion"].broken(f"format {version} is not supported, only {FORMAT_VERSION}")
    field["kind"].one_of(("FieldOpsBundle",))
    if field["volumes"].entries():
        raise field["volumes"].broken("the drives of a bundle are not part of its index")
    index = BundleIndex(
        releases=_releases(field["releases"]),
        built=_instant(field["built"]),
        serial=field["serial"].number(LARGEST_SERIAL),
        images=tuple(_image(entry) for entry in field["images"].entries()),
        signatures=tuple(_signature(entry) for entry in field["signatures"].entries()),
        blobs=blobs_by_digest(*(_blob(key, value) for key, value in field["blobs"].items())),
        base=_optional_digest(field["base"]),
        stores=tuple(_store(entry) for entry in field["stores"].entries()),
        signatures_unknown=field["signaturesUnknown"].digests(),
        path=_path(field.get("path")),
    )
    _check_releases(index, field)
    _check_completeness(index, field)
    _check_stores(index, field["stores"])
    return index


def _releases(field: _Field) -> tuple[BundledRelease, ...]:
    found = tuple(
        BundledRelease(
            version=_version(entry["version"]),
            architecture=_architecture(entry["architecture"]),
            image=entry["image"].pinned_image(),
            previous=tuple(_version(one) for one in entry["previous"].entries()),
            images=listed.digests() if (listed := entry.get("images")) is not None else (),
        )
        for entry in field.entries()
    )
    if not 0 < len(found) <= MOST_RELEASES:
        raise field.broken(f"it has {len(found)} releases, not 1 to {MOST_RELEASES}")
    return found


def _path(field: _Field | None) -> tuple[PathEdge, ...]:
    return tuple(
        PathEdge(
            _version(entry["from"]), _version(entry["to"]), tuple(_risk(risk) for risk in entry["risks"].entries())
        )
        for entry in (field.entries() if field is not None else ())
    )


def _risk(field: _Field) -> UpdateRisk:
    rules = tuple(RiskRule(one["type"].text(), one["promql"].text()) for one in field["rules"].entries())
    return UpdateRisk(field["name"].text(), field["message"].text(), field["url"].text(), rules)


def _instant(field: _Field) -> str:
    text = field.matching(_INSTANT, "an instant such as 2026-11-23T14:30:00Z")
    try:
        datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        raise field.broken(f"{text!r} is not a valid date and time") from None
    return text


def _version(field: _Field) -> str:
    return field.matching(_VERSION, "a version")


def _optional_digest(field: _Field) -> Digest | None:
    return None if field.value is None else field.digest()


def _architecture(field: _Field) -> Architecture:
    try:
        return Architecture.parse(field.text())
    except InvalidInputError as error:
        raise field.broken(error.seen) from error


def _image(field: _Field) -> BundledImage:
    name = field["name"].pinned_image()
    manifests = field["manifests"].digests()
    if not manifests or manifests[0] != name.digest:
        raise field["manifests"].broken(f"its first entry is not the digest in the name {name}")
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
        raise field["blobs"].broken("it is empty")
    return BundledSignature(kind=field["kind"].one_of(SIGNATURE_KINDS), image=field["image"].digest(), blobs=blobs)


def _store(field: _Field) -> BundledStore:
    base, depth = _optional_digest(field["base"]), field["depth"].number(DEEPEST_STORE)
    if (base is None) != (depth == 0):
        raise field["depth"].broken("only a store without a base has depth 0")
    return BundledStore(
        digest=field["digest"].digest(),
        filesystem=field["filesystem"].one_of(tuple(STORE_MEDIA_TYPES)),
        compression=field["compression"].one_of(STORE_COMPRESSIONS),
        unpacked_size=field["unpackedSize"].number(LARGEST_BLOB * 16),
        images=tuple(str(entry.pinned_image()) for entry in field["images"].entries()),
        base=base,
        depth=depth,
    )


def _blob(key: str, field: _Field) -> Blob:
    size = field["size"].number(LARGEST_BLOB)
    prefixes = tuple(entry.text() for entry in field["prefixes"].entries())
    if len(prefixes) != prefix_count(size) or not all(_HEX.fullmatch(prefix) for prefix in prefixes):
        raise field["prefixes"].broken(f"a blob of {size} bytes has {prefix_count(size)} digests of prefixes")
    unpacked = field["unpackedSize"]
    return Blob(
        digest=_Field(key, field.on, field.path).digest(),
        size=size,
        media_type=field["mediaType"].matching(_MEDIA_TYPE, "a media type"),
        unpacked_size=unpacked.number(LARGEST_BLOB * 16) if unpacked.value is not None else None,
        prefixes=prefixes,
    )


def _check_releases(index: BundleIndex, field: _Field) -> None:
    """Refuse several releases that are no path to the last one, or that do not say which images are theirs."""
    releases, names = index.releases, {image.name.digest for image in index.images}
    if not _are_in_order(index):
        raise field["releases"].broken("they are not in the order of their versions, each for the same architectures")
    for release in releases if len(releases) > 1 else ():
        if release.image.digest not in release.images or not names.issuperset(release.images):
            raise field["releases"].broken(f"the images of {release.version} are not itself and images of this bundle")
    starts = [edge.start for edge in index.path]
    if len(set(starts)) != len(starts):
        raise field["path"].broken("several updates lead away from one version")
    for start in starts:
        hops = hops_from(index.path, start)
        if hops[-1].end != index.version or not {hop.end for hop in hops} <= {one.version for one in releases}:
            raise field["path"].broken(f"it does not lead from {start} through releases of this bundle to its last one")


def _are_in_order(index: BundleIndex) -> bool:
    images = {release.version: release.image for release in index.releases}
    versions = [ReleaseVersion.parse(version) for version in images]
    is_path = len(versions) == 1 or all(
        before is not None and after is not None and before < after for before, after in zip(versions, versions[1:])
    )
    machines = index.architectures
    expected = [(version, machine, images[version]) for version in images for machine in machines]
    found = [(release.version, release.architecture, release.image) for release in index.releases]
    return is_path and len(set(machines)) == len(machines) and found == expected


def _check_completeness(index: BundleIndex, field: _Field) -> None:
    """Refuse an index that leaves a byte unreachable or unexplained; a delta may leave blobs to its base."""
    names = [str(image.name) for image in index.images]
    if len(set(names)) != len(names):
        raise field["images"].broken("an image is listed twice")
    of_releases = {image.name for image in index.images if image.reason == "release"}
    for release in index.releases:
        if release.image not in of_releases:
            raise field["images"].broken(f"the release image {release.image} is not among them")
    manifests = {digest for image in index.images for digest in image.manifests}
    for signature in index.signatures:
        if signature.image not in manifests:
            raise field["signatures"].broken(f"one is of {signature.image}, which is none of the images")
    needed = set(index.needed())
    for digest in sorted(set(index.blobs) - needed):
        raise field["blobs"].broken(f"{digest} is listed, but neither an image nor a signature needs it")
    for digest in sorted(needed - set(index.blobs)) if index.base is None else ():
        raise field["blobs"].broken(f"{digest} is needed by an image or a signature but not listed")


def _check_stores(index: BundleIndex, field: _Field) -> None:
    """Refuse a store that is no blob of this bundle, is listed twice, or lists images of another bundle."""
    names = {str(image.name) for image in index.images}
    digests = [store.digest for store in index.stores]
    if len(set(digests)) != len(digests):
        raise field.broken("a store is listed twice")
    for store in index.stores:
        blob = index.blobs.get(store.digest)
        if blob is None or blob.media_type != STORE_MEDIA_TYPES[store.filesystem]:
            raise field.broken(f"{store.digest} is not a {store.filesystem} blob of this bundle")
        if not store.images or not names.issuperset(store.images) or len(set(store.images)) != len(store.images):
            raise field.broken(f"the images of {store.digest} are not images of this bundle, each once")
        if store.base == store.digest:
            raise field.broken(f"{store.digest} is its own base")
