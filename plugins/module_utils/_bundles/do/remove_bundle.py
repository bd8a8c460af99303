# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""A bundle taken away from a folder, and nothing else."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_folder import LOCK_FILE
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import remove_tree
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    CHECKSUM_FILE,
    INDEX_FILE,
    INDEX_SIGNATURE_FILE,
)

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_folder import BundleFolder
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

_FILES = (INDEX_FILE, INDEX_SIGNATURE_FILE, CHECKSUM_FILE)


def is_there(folder: BundleFolder) -> bool:
    """Whether the folder holds a bundle or the beginnings of one."""
    return folder.index_path.exists() or folder.build_folder.exists()


def remove_bundle(folder: BundleFolder, clock: Clock) -> bool:
    """Remove the bundle and return whether there was one; the folder goes only if nothing else is in it.

    The index goes first: what is left when this is interrupted is no bundle any more. Raises BundleError while another
    process works in the folder, or where it holds something else.
    """
    if not is_there(folder):
        return False
    folder.refuse_foreign()
    with folder.locked(clock):
        for name in _FILES:
            remove_file(folder.path / name)
        remove_tree(folder.path / "blobs")
        remove_tree(folder.build_folder)
    if not [entry for entry in folder.path.iterdir() if entry.name != LOCK_FILE] and not folder.path.is_mount():
        remove_tree(folder.path)
    return True
