# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A bundle that is still being received, served as far as it is proved: a chain of nodes moves at the pace of one.

Whole blobs have their names. A blob that is being received is next to them with a suffix and grows at its end; its
beginning is proved here by the digests of its prefixes in the vetted index, regardless of who wrote it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.answers import Entity
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bodies import PartedBody
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bundle_endpoint import (
    FILE_FLAGS,
    BundleEndpoint,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import PREFIX_STEP, Blob
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

_BLOCK = 1024 * 1024


@dataclass
class _Proof:
    """The sha256 of the ``proved`` bytes of a growing file, and at which change of it what follows was found wrong."""

    proved: int = 0
    state: hashlib._Hash = field(default_factory=hashlib.sha256)
    wrong_at: int = -1
    lock: threading.Lock = field(default_factory=threading.Lock)


class FillingEndpoint(BundleEndpoint):
    """A ``BundleEndpoint`` that also offers what is being received."""

    def __init__(self, folder: Path, digest: Digest, suffix: str) -> None:
        """``suffix`` follows the name of a blob as long as it is being received."""
        super().__init__(folder, digest)
        self._suffix = suffix
        self._proofs: dict[str, _Proof] = {}
        self._changing = threading.Lock()

    def entity(self, blob: Blob) -> Entity | None:
        """Return a blob that the index lists, with the parts of it that are here and proved."""
        entity = super().entity(blob)
        if entity is not None:
            return entity
        held, arriving = self._held(blob)
        parts = ((0, held),) if held else ()
        return Entity(str(blob.digest), blob.size, "application/octet-stream", parts, arriving=arriving)

    @contextlib.contextmanager
    def opened(self, blob: Blob) -> Iterator[PartedBody]:
        """Open a blob, or the beginning of one; raises OSError where there is none."""
        with contextlib.ExitStack() as closing:
            try:
                body = closing.enter_context(super().opened(blob))
            except FileNotFoundError:
                body = closing.enter_context(self._open_part(blob))
            yield body

    @contextlib.contextmanager
    def _open_part(self, blob: Blob) -> Iterator[PartedBody]:
        descriptor = os.open(f"{blob.digest.hex}{self._suffix}", FILE_FLAGS, dir_fd=self.blobs)
        try:
            yield PartedBody(((descriptor, os.fstat(descriptor).st_size),))
        finally:
            os.close(descriptor)

    def _held(self, blob: Blob) -> tuple[int, bool]:
        """Return how many bytes from the beginning are proved, and whether the blob is being received at all."""
        try:
            descriptor = os.open(f"{blob.digest.hex}{self._suffix}", FILE_FLAGS, dir_fd=self.blobs)
        except OSError:
            # Absent, not ours to read, or just renamed: then the next check finds it whole.
            return 0, False
        try:
            seen = os.fstat(descriptor)
            if not stat.S_ISREG(seen.st_mode):
                return 0, False
            return self._prove(blob, descriptor, seen), True
        finally:
            os.close(descriptor)

    def _prove(self, blob: Blob, descriptor: int, seen: os.stat_result) -> int:
        with self._changing:
            proof = self._proofs.setdefault(blob.digest.hex, _Proof())
        with proof.lock:
            if seen.st_size < proof.proved:
                # It was started again.
                proof.proved, proof.state = 0, hashlib.sha256()
            steps = (*blob.prefixes, blob.digest.hex) if blob.prefixes else ()
            for expected in steps[-(-proof.proved // PREFIX_STEP) :]:
                stop = min(proof.proved + PREFIX_STEP, blob.size)
                if seen.st_size < stop or proof.wrong_at == seen.st_mtime_ns:
                    break
                state = _read_on(proof.state.copy(), descriptor, proof.proved, stop)
                if state.hexdigest() != expected:
                    proof.wrong_at = seen.st_mtime_ns
                    break
                proof.proved, proof.state = stop, state
            return proof.proved


def _read_on(state: hashlib._Hash, descriptor: int, first: int, stop: int) -> hashlib._Hash:
    buffer = memoryview(bytearray(_BLOCK))
    while first < stop:
        count = os.preadv(descriptor, [buffer[: stop - first]], first)
        if not count:
            break
        state.update(buffer[:count])
        first += count
    return state
