# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The checksum file of a bundle, for users who have only ``sha256sum --check``."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import INDEX_FILE, BundleIndex


def checksum_lines(index: BundleIndex, part_size: int | None) -> bytes:
    """Return the lines for the index and every blob, the index first; source: sha256sum(1).

    A blob of more than ``part_size`` bytes is kept in parts, and has no file with its digest.
    """
    whole = [blob for blob in index.blobs.values() if part_size is None or blob.size <= part_size]
    lines = [f"{index.digest.hex}  {INDEX_FILE}"]
    lines += [f"{blob.digest.hex}  {blob.path}" for blob in sorted(whole, key=lambda blob: blob.digest)]
    return "".join(f"{line}\n" for line in lines).encode()
