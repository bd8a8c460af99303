# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""A bundle opened for reading by its path."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_archive import BundleArchive
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_folder import BundleFolder

if t.TYPE_CHECKING:
    from pathlib import Path

    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_source import BundleSource


def open_bundle(path: Path) -> BundleSource:
    """Return the bundle at ``path``: a folder, else an archive or its first chunk."""
    return BundleFolder(path) if path.is_dir() else BundleArchive(path)
