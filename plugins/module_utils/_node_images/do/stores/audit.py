# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An audit of the stores on a node: every layer hashed as its archive was, and compared with the images' configs."""

from __future__ import annotations

import base64
import gzip
import hashlib
import os
import zlib
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_audit import (
    AuditError,
    Piece,
    StoredImage,
    diff_ids,
    layer_chain,
    parents,
    pieces,
    stored_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stores_slots import SLOT_PATHS
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BundledImage,
    BundleIndex,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

_LARGEST_BOOK = 256 * MIB
_LARGEST_CONFIG = 16 * MIB
_BLOCK = MIB


class StoreAudit:
    """Audits the store in one slot against the index that vouches for it; each layer is read once."""

    def __init__(self, host: Host, number: int, index: BundleIndex) -> None:
        self._slot = host.path(SLOT_PATHS[number - 1])
        self._slots = [host.path(path) for path in SLOT_PATHS]
        self._images = {str(image.name): image for image in index.images if image.is_image}
        self._holders: dict[str, Path] = {}
        self._found: dict[str, Digest | str] = {}

    def damage(self) -> list[dict[str, str]]:
        """Return what is wrong: images, or layers of images, that are not what their configs say; empty when all is."""
        try:
            above = self._layers()
            stored = stored_images(read_file(self._slot / "overlay-images/images.json", limit=_LARGEST_BOOK) or b"")
        except AuditError as error:
            return [{"image": "", "layer": "", "problem": str(error)}]
        seen = {name for image in stored for name in image.names}
        lost = [self._problem(name, "", "it is not in the store") for name in sorted(set(self._images) - seen)]
        wrong = [one for image in stored for name in image.names for one in self._image(name, image, above)]
        return lost + wrong

    def _layers(self) -> dict[str, str]:
        above: dict[str, str] = {}
        for slot in (self._slot, *self._slots):
            book = read_file(slot / "overlay-layers/layers.json", limit=_LARGEST_BOOK) or b""
            for layer, parent in parents(book).items():
                above.setdefault(layer, parent)
                self._holders.setdefault(layer, slot)
        return above

    def _image(self, name: str, stored: StoredImage, above: dict[str, str]) -> list[dict[str, str]]:
        wanted = self._images.get(name)
        if wanted is None:
            return []
        try:
            named = diff_ids(self._config(stored, wanted), Digest(stored.image_id))
            chain = layer_chain(stored.layer, above, len(named)) if named else ()
            if len(chain) != len(named):
                raise AuditError(f"it has {len(chain)} layers, its config names {len(named)}")
        except AuditError as error:
            return [self._problem(name, "", str(error))]
        checked = ((layer, digest, self._layer(layer)) for layer, digest in zip(chain, named))
        return [self._problem(name, layer, _told(found, digest)) for layer, digest, found in checked if found != digest]

    def _config(self, stored: StoredImage, wanted: BundledImage) -> bytes:
        if Digest(stored.image_id) not in wanted.content:
            raise AuditError(f"its config {stored.image_id} does not match the index")
        key = base64.b64encode(f"sha256:{stored.image_id}".encode()).decode()
        config = read_file(self._slot / f"overlay-images/{stored.image_id}/={key}", limit=_LARGEST_CONFIG)
        if config is None or hashlib.sha256(config).hexdigest() != stored.image_id:
            raise AuditError(f"its config {stored.image_id} is missing or does not match its digest")
        return config

    def _layer(self, layer: str) -> Digest | str:
        if layer not in self._found:
            try:
                self._found[layer] = self._digest(self._holders[layer], layer)
            except AuditError as error:
                self._found[layer] = str(error)
        return self._found[layer]

    def _digest(self, slot: Path, layer: str) -> Digest:
        """Return the digest of the layer's archive, put together of what was recorded and the unpacked files."""
        record, diff = slot / f"overlay-layers/{layer}.tar-split.gz", slot / f"overlay/{layer}/diff"
        hasher = hashlib.sha256()
        try:
            with gzip.open(record, "rb") as lines:
                for piece in pieces(lines):
                    hasher.update(piece.literal)
                    if piece.size:
                        _hash_file(diff, piece, hasher)
        except (OSError, EOFError, zlib.error) as error:
            raise AuditError(f"it cannot be read: {error}") from error
        return Digest(hasher.hexdigest())

    def _problem(self, image: str, layer: str, problem: str) -> dict[str, str]:
        return {"image": image, "layer": layer, "problem": problem}


def _hash_file(diff: Path, piece: Piece, hasher: hashlib._Hash) -> None:
    relative = os.fsdecode(piece.name)
    path = diff / relative.lstrip("/")
    base = os.path.realpath(diff)
    inside = os.path.realpath(path.parent)
    if ".." in Path(relative).parts or path.is_symlink() or not f"{inside}{os.sep}".startswith(f"{base}{os.sep}"):
        raise AuditError(f"its tar-split data refers to a path outside of it: {relative!r:.100}")
    left = piece.size
    with path.open("rb") as stream:
        while left:
            block = stream.read(min(left, _BLOCK))
            if not block:
                raise AuditError(f"{relative!r:.100} is shorter than recorded")
            hasher.update(block)
            left -= len(block)
        if stream.read(1):
            raise AuditError(f"{relative!r:.100} is longer than recorded")


def _told(found: Digest | str, wanted: Digest) -> str:
    return found if isinstance(found, str) else f"its archive has the digest {found}, but its config lists {wanted}"
