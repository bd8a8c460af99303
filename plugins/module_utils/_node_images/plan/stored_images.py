# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The content of containers-storage, from the two JSON files of its metadata.

Source: containers/storage, ``images.go`` and ``layers.go``, the JSON forms of Image and Layer.
"""

from __future__ import annotations

import json
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


@dataclass(frozen=True)
class StoredImages:
    """The names of images, such as ``repo@digest``, and the compressed digests of the layers in one storage."""

    names: frozenset[str] = frozenset()
    layers: frozenset[Digest] = frozenset()

    @classmethod
    def of(cls, images: bytes, layers: bytes) -> StoredImages:
        """Return what ``images.json`` and ``layers.json`` say; empty files are those of a storage never used."""
        return cls(
            names=frozenset(name for image in entries_of(images, "images.json") for name in _names(image)),
            layers=frozenset(filter(None, map(compressed_digest, entries_of(layers, "layers.json")))),
        )


def _names(image: Mapping[str, t.Any]) -> tuple[str, ...]:
    names = image.get("names") or []
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise _broken("images.json", "the names of an image are not a list of strings")
    return tuple(names)


def compressed_digest(layer: Mapping[str, t.Any]) -> Digest | None:
    """Return the digest of the blob that a layer was unpacked from; None where it is unknown or not all of it is."""
    text = str(layer.get("compressed-diff-digest", ""))
    return Digest.parse(text) if text.startswith("sha256:") and not layer.get("incomplete") else None


def entries_of(content: bytes, name: str) -> list[dict[str, t.Any]]:
    """Return the objects that the book ``name`` lists, none of an empty one; raises InvalidInputError."""
    try:
        entries = json.loads(content) if content.strip() else []
    except (ValueError, RecursionError) as error:
        raise _broken(name, str(error)) from error
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise _broken(name, "it is not a list of objects")
    return entries


def _broken(name: str, seen: str) -> InvalidInputError:
    return InvalidInputError(
        "read the content of the container storage",
        on=name,
        seen=seen,
        advice="Restart crio, which checks and repairs its storage, and check its journal.",
    )
