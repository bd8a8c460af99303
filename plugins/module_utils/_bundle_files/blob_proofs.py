# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which files of a bundle were found to hold the bytes of their digest, and are the same files still.

Staging proves each blob before it gives it its name. What it proved is recorded with the file's identity (inode, size,
time of change), so that a server of 20 GiB opens at once: a blob whose file is another one since, or was never
recorded, is read and proved again before it is served, and one that is wrong is not served any more.
"""

from __future__ import annotations

import hashlib
import os
import threading
import typing as t
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileContentError, explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_json, write_json
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bodies import PartedBody
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

PROOFS_FILE = "proofs.json"
RENEWED_SECONDS = 600.0
"""A blob that is requested again is read again if its last proof is older: the client may have found it wrong."""

_BLOCK = 1024 * 1024
_LARGEST = 16 * 1024 * 1024

Identity = tuple[int, ...]


def identity_of(seen: Iterable[os.stat_result]) -> Identity:
    """Return what identifies the file, or the numbered files, of a blob as those that were proved."""
    return tuple(number for one in seen for number in (one.st_ino, one.st_size, one.st_mtime_ns))


def read_proofs(folder: BundleFolder) -> dict[str, Identity]:
    """Return the identities of proved files by hexadecimal digest; none where there is no usable record."""
    try:
        document = read_json(folder.path / PROOFS_FILE, limit=_LARGEST)
    except FileContentError:
        return {}
    if not isinstance(document, dict) or not isinstance(document.get("files"), dict):
        return {}
    return {
        name: tuple(numbers)
        for name, numbers in document["files"].items()
        if isinstance(numbers, list) and all(isinstance(number, int) for number in numbers)
    }


def write_proofs(folder: BundleFolder, proved: Iterable[Digest], known: Mapping[str, Identity]) -> bool:
    """Record the files of ``proved``, and what ``known`` says of others that are the same still.

    ``known`` may come from other bundles, whose blobs this one shares by links. Returns whether the record changed;
    raises FileAccessError.
    """
    right = {digest.hex for digest in proved}
    files: dict[str, list[int]] = {}
    # A blob in numbered parts, as on removable media, has no file of its own name and is not recorded.
    for path in (folder.blob(digest) for digest in sorted(folder.blob_digests())):
        with explained("inspect the blob", path):
            identity = identity_of([path.lstat()]) if path.exists() else ()
        if identity and (path.name in right or known.get(path.name) == identity):
            files[path.name] = list(identity)
    return write_json(folder.path / PROOFS_FILE, {"schemaVersion": 1, "files": files})


@dataclass
class _Known:
    identity: Identity = ()
    at: float = 0.0
    is_right: bool = False
    served: bool = False
    lock: threading.Lock = field(default_factory=threading.Lock)


class BlobProofs:
    """Says of open blobs whether they are what their names say; used by many threads at once."""

    def __init__(self, clock: Clock, recorded: Mapping[str, Identity]) -> None:
        self._clock = clock
        self._recorded = dict(recorded)
        self._known: dict[str, _Known] = {}
        self._changing = threading.Lock()
        self.found_damaged: t.Callable[[], object] = lambda: None
        """Is called when a blob was found wrong."""

    @property
    def damaged(self) -> tuple[str, ...]:
        """Return the hexadecimal digests of blobs that were found wrong."""
        return tuple(sorted(name for name, one in self._known.items() if one.identity and not one.is_right))

    def holds(self, name: str, body: PartedBody, *, again: bool) -> bool:
        """Whether ``body`` has the hexadecimal digest ``name``: as it was proved once, or else from its bytes.

        ``again`` says that a client starts an image again. If the blob was served before, and its last proof is
        old, its bytes are read then.
        """
        with self._changing:
            known = self._known.setdefault(name, _Known())
        with known.lock:
            identity = identity_of([os.fstat(descriptor) for descriptor, _size in body.files])
            is_old = again and known.served and self._clock.monotonic() - known.at > RENEWED_SECONDS
            if known.identity == identity and not is_old:
                return known.is_right
            if not known.identity and self._recorded.get(name) == identity and not is_old:
                known.is_right = True
            else:
                known.is_right = _digest_of(body) == name
                known.served = False
            # A proof on record is as old as the record; of this process it counts from now on.
            known.identity, known.at = identity, self._clock.monotonic()
        if not known.is_right:
            self.found_damaged()
        return known.is_right

    def served(self, name: str) -> None:
        """Note that a client was given the blob."""
        known = self._known.get(name)
        if known is not None:
            known.served = True


def _digest_of(body: PartedBody) -> str:
    hasher, offset = hashlib.sha256(), 0
    buffer = memoryview(bytearray(_BLOCK))
    while count := body.read_into(buffer, offset):
        hasher.update(buffer[:count])
        offset += count
    return hasher.hexdigest()
