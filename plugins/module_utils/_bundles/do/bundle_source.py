# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""A bundle to be read, whatever it lies in: a folder, an archive, or the chunks of one."""

from __future__ import annotations

import abc
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import DamagedBundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import INDEX_FILE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import read_index
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

if t.TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

BLOCK = 512 * 1024
"""Bytes read at once: small enough to be still in the processor's cache when they are hashed."""

LARGEST_READ = 16 * 1024 * 1024
LARGEST_SIGNATURE = 1024 * 1024


class BundleSource(abc.ABC):
    """Where the parts of a bundle are read from. Nothing is believed here: what a blob is, its digest tells."""

    path: Path

    @abc.abstractmethod
    def index_bytes(self) -> bytes | None:
        """Return the bytes of the index, None where there is none."""

    @abc.abstractmethod
    def index_signature(self) -> bytes | None:
        """Return the detached signature of the index, None where there is none."""

    @abc.abstractmethod
    def blob_size(self, digest: Digest) -> int | None:
        """Return the size of a blob as it lies there, None where it does not, or is no regular file."""

    @abc.abstractmethod
    def blocks(self, digest: Digest, start: int = 0, stop: int | None = None) -> Iterator[memoryview]:
        """Yield a blob's bytes from ``start`` up to ``stop``, or its end, in blocks whose memory is used again."""

    def read_blob(self, digest: Digest) -> bytes | None:
        """Return the unchecked bytes of a small blob, None where there is none or it is not small."""
        size = self.blob_size(digest)
        if size is None or size > LARGEST_READ:
            return None
        return b"".join(bytes(block) for block in self.blocks(digest))

    def read_index(self) -> BundleIndex | None:
        """Return the index, None where there is none; raise InvalidInputError for a damaged one."""
        content = self.index_bytes()
        return None if content is None else read_index(content)

    def require_index(self) -> BundleIndex:
        """Return the index; raise DamagedBundleError where there is none."""
        index = self.read_index()
        if index is None:
            raise DamagedBundleError(
                "read the bundle",
                on=str(self.path),
                seen=f"it has no {INDEX_FILE}",
                advice="Check the path; a bundle whose build has not ended has no index yet.",
            )
        return index

    def last_index(self) -> BundleIndex | None:
        """Return the index if there is a usable one: what it says is only used where the bytes confirm it."""
        try:
            return self.read_index()
        except InvalidInputError:
            return None
