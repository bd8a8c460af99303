# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The staged bundles of a node as an image source opens them, and how it detects that they have changed."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.blob_proofs import (
    PROOFS_FILE,
    BlobProofs,
    read_proofs,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.image_endpoint import ImageEndpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._net.relay.bundle_endpoint import BundleEndpoint
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import INDEX_FILE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

Signature = tuple[tuple[str, int, int], ...]


def signature_of(base: Path) -> Signature:
    """Return what changes when a bundle below ``base`` comes or goes, or the record of its proofs does."""
    found = []
    for folder in _folders(base):
        for path in (folder / INDEX_FILE, folder / PROOFS_FILE):
            try:
                seen = path.stat()
            except OSError:
                continue
            found.append((f"{folder.name}/{path.name}", seen.st_ino, seen.st_mtime_ns))
    return tuple(found)


def open_library(base: Path, clock: Clock) -> tuple[ImageEndpoint, BlobProofs]:
    """Return the images of all usable bundles below ``base``; the problems of others are written to the journal."""
    shelves: list[BundleEndpoint] = []
    recorded: dict[str, tuple[int, ...]] = {}
    for path in _folders(base):
        folder = BundleFolder(path)
        try:
            shelves.append(BundleEndpoint(path, _digest_of(folder)))
            recorded.update(read_proofs(folder))
        except (FieldOpsError, OSError) as error:
            sys.stderr.write(f"{path.name} is not served: {error}\n")
    proofs = BlobProofs(clock, recorded)
    return ImageEndpoint(shelves, proofs), proofs


def _digest_of(folder: BundleFolder) -> Digest:
    """Return the digest of the index, which must be the one by whose first digits the folder is named.

    That name was given when the index was vetted; an index that has changed since is not parsed.
    """
    content = folder.require_index_bytes()
    digest = Digest(hashlib.sha256(content).hexdigest())
    if not folder.path.name.endswith(f"-{digest.short}"):
        raise FileNotFoundError(f"its index has the digest {digest}, which does not match its name")
    return digest


def _folders(base: Path) -> list[Path]:
    try:
        return sorted(path for path in base.iterdir() if path.is_dir())
    except OSError:
        return []
