# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The volumes of a bundle that is spread over several drives, and the small document about them on each.

The index, and with it the digest and the signature of the bundle, does not depend on the volumes. So the document is
not signed: it says which drive to connect next, and where parity helps. Every byte is verified by the index.
"""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import NoSourceError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import Blob
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.json_document import Document
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB, format_size

VOLUME_FILE = "volume.json"
PARITY_FILE = "parity"
PARITY_NAME = "P"
LARGEST_DOCUMENT = 2 * MIB
MOST_VOLUMES = 15
LONGEST_LABEL = 64

_KIND = "FieldOpsVolume"


class NeedsVolumeError(NoSourceError):
    """Part of the bundle is on a drive that is not connected. What was received is kept."""

    kind = "needs_volume"


@dataclass(frozen=True)
class Volume:
    """One drive: ``name`` is a letter, ``label`` what its file system or mount point is called.

    Parity is computed over its ``blobs`` one after another, in this order.
    """

    name: str
    label: str
    blobs: tuple[Digest, ...] = ()

    def __str__(self) -> str:
        return f"drive {self.name} (label {self.label})" if self.label else f"drive {self.name}"


@dataclass(frozen=True)
class VolumeSet:
    """All drives of the bundle whose index has ``index_digest``; ``parity`` is the one that replaces any other."""

    index_digest: Digest
    volumes: tuple[Volume, ...]
    parity: Volume | None = None
    parity_digest: Digest | None = None

    def document(self, name: str) -> bytes:
        """Return the document of the drive ``name``."""
        parity = self.parity
        found = {
            "kind": _KIND,
            "schemaVersion": 1,
            "index": str(self.index_digest),
            "name": name,
            "volumes": [
                {"name": one.name, "label": one.label, "blobs": [digest.hex for digest in one.blobs]}
                for one in self.volumes
            ],
            "parity": parity and {"name": parity.name, "label": parity.label, "digest": str(self.parity_digest)},
        }
        return json.dumps(found, sort_keys=True, separators=(",", ":")).encode("ascii") + b"\n"


@dataclass(frozen=True)
class NeededVolume:
    """A drive that is not here, and how many bytes of what is missing it has."""

    volume: Volume
    size: int

    def as_document(self) -> dict[str, t.Any]:
        """Return it as results show it."""
        return {"name": self.volume.name, "label": self.volume.label, "size": self.size}


def read_volumes(content: bytes, *, on: str) -> tuple[str, VolumeSet]:
    """Return the name of the drive that has the document ``content``, and all drives; raise InvalidInputError.

    Its content is not trusted: text is shortened to what can be printed, and nothing in it is a path.
    """
    document = Document.parse(content, on=on)
    if document.text(key="kind") != _KIND or document["schemaVersion"].as_a(int) != 1:
        raise document.broken("it is not a volume document of this version")
    entries = document["volumes"].entries()
    if not 1 <= len(entries) <= MOST_VOLUMES:
        raise document.broken(f"it names {len(entries)} volumes")
    parity = document.get("parity")
    volumes = VolumeSet(
        index_digest=Digest.parse(document.text(key="index")),
        volumes=tuple(_volume(entry) for entry in entries),
        parity=_volume(parity) if parity is not None else None,
        parity_digest=Digest.parse(parity.text(key="digest")) if parity is not None else None,
    )
    return _printable(document.text(key="name")), volumes


def needed_volumes(missing: Iterable[Blob], volumes: VolumeSet, connected: Iterable[str]) -> list[NeededVolume]:
    """Return the drives that have what is ``missing``, other than those with the names ``connected``."""
    here = set(connected)
    sizes = {blob.digest: blob.size for blob in missing}
    found = []
    for volume in volumes.volumes:
        size = sum(sizes.pop(digest, 0) for digest in volume.blobs) if volume.name not in here else 0
        if size:
            found.append(NeededVolume(volume, size))
    return found


def needs_sentence(missing: Sequence[Blob], total: int, needed: Sequence[NeededVolume], volumes: VolumeSet) -> str:
    """Return how much of ``total`` bytes is there and which drives to connect."""
    lacking = sum(blob.size for blob in missing)
    said = f"{format_size(total - lacking)} of {format_size(total)} are there"
    unknown = lacking - sum(one.size for one in needed)
    if needed:
        drives = [f"{one.volume} with {format_size(one.size)}" for one in needed]
        said += f"; still needs {' and '.join(drives)}"
    if len(needed) == 1 and volumes.parity is not None:
        said += f", or {volumes.parity}, which replaces any one drive"
    return said + (f"; {format_size(unknown)} are damaged or missing on connected drives" if unknown else "")


def _volume(entry: Document) -> Volume:
    blobs = entry.get("blobs")
    digests = tuple(Digest.parse(f"sha256:{one.text()}") for one in blobs.entries()) if blobs is not None else ()
    return Volume(_printable(entry.text(key="name")), _printable(entry.text(default="", key="label")), digests)


def _printable(text: str) -> str:
    return "".join(letter for letter in text if letter.isascii() and letter.isprintable())[:LONGEST_LABEL]
