# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether a store holds the layers that the configs of its images name: each archive put together again and hashed.

Sources: containers/storage ``layers.go`` and ``images.go`` for the books, vbatts/tar-split ``tar/storage/entry.go`` for
the recorded archive; OCI image specification, config.md, ``rootfs.diff_ids``.
"""

from __future__ import annotations

import base64
import json
import typing as t
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

FILE, SEGMENT = 1, 2
"""Types of entries: the content of a file, which is unpacked in the store, and bytes of the archive itself."""


class AuditError(Exception):
    """Something in the store is not what it must be; the text says what."""


@dataclass(frozen=True)
class Piece:
    """A part of a layer's archive: literal bytes, or ``size`` bytes of the file ``name`` in the layer."""

    literal: bytes = b""
    name: bytes = b""
    size: int = 0


def pieces(lines: Iterable[bytes]) -> Iterator[Piece]:
    """Yield the parts of an archive from the lines of its tar-split data; raises AuditError for other lines."""
    for line in lines:
        piece = _piece(line)
        if piece is not None:
            yield piece


def _piece(line: bytes) -> Piece | None:
    try:
        entry = json.loads(line)
        kind, payload = entry["type"], entry.get("payload")
        if kind == SEGMENT:
            return Piece(literal=base64.b64decode(payload or "", validate=True))
        if kind != FILE:
            raise ValueError(f"type {kind}")
        if not entry.get("size"):
            return None
        raw = entry.get("name_raw")
        name = base64.b64decode(raw, validate=True) if raw else entry["name"].encode()
        return Piece(name=name, size=int(entry["size"]))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise AuditError(f"its tar-split data has an invalid line: {error!r:.100}") from error


def diff_ids(config: bytes, wanted: Digest) -> tuple[Digest, ...]:
    """Return the digests of the unpacked layers, lowest first, from a config that must have the digest ``wanted``."""
    try:
        return tuple(Digest.parse(text) for text in json.loads(config)["rootfs"]["diff_ids"])
    except (ValueError, KeyError, TypeError, RecursionError, InvalidInputError) as error:
        raise AuditError(f"config {wanted} names no layers: {error!r:.100}") from error


@dataclass(frozen=True)
class StoredImage:
    """An image of a storage: the id that is its config's digest, its names and its uppermost layer."""

    image_id: str
    names: tuple[str, ...]
    layer: str


def stored_images(book: bytes) -> tuple[StoredImage, ...]:
    """Return what ``images.json`` lists; raises AuditError."""
    return tuple(
        StoredImage(str(entry["id"]), tuple(entry.get("names") or ()), str(entry.get("layer", "")))
        for entry in _entries(book, "id")
    )


def parents(book: bytes) -> dict[str, str]:
    """Return each layer's parent, empty for a lowest one, from ``layers.json``; raises AuditError."""
    return {str(entry["id"]): str(entry.get("parent") or "") for entry in _entries(book, "id")}


def layer_chain(top: str, above: Mapping[str, str], longest: int) -> Sequence[str]:
    """Return the ids of a chain of layers, lowest first; raises AuditError for one that is broken or has no end."""
    chain = [top]
    while above.get(chain[0]):
        chain.insert(0, above[chain[0]])
        if len(chain) > longest:
            raise AuditError(f"more than {longest} layers are below {top}")
    lost = [layer for layer in chain if layer not in above]
    if lost:
        raise AuditError(f"layer {lost[0]} is in none of the stores")
    return chain


def _entries(book: bytes, key: str) -> list[dict[str, t.Any]]:
    try:
        entries = json.loads(book) if book.strip() else []
    except (ValueError, RecursionError) as error:
        raise AuditError(f"a metadata file of the store is not JSON: {error}") from error
    if not isinstance(entries, list) or not all(isinstance(entry, dict) and key in entry for entry in entries):
        raise AuditError("a metadata file of the store is not a list of objects with IDs")
    return entries
