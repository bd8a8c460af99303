# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The checksum file of a bundle, for whoever has nothing but ``sha256sum --check``."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import INDEX_FILE

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex


def checksum_lines(index: BundleIndex) -> bytes:
    """Return the lines for the index and every blob, the index first; source: sha256sum(1)."""
    lines = [f"{index.digest.hex}  {INDEX_FILE}"]
    lines += [f"{digest.hex}  {index.blobs[digest].path}" for digest in sorted(index.blobs)]
    return "".join(f"{line}\n" for line in lines).encode()
