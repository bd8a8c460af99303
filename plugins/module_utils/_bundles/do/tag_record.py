# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""What tags led to, kept from the first sitting of a build to its end: a tag that moves meanwhile moves nothing."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileContentError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import read_json, write_json
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_folder import BundleFolder
    from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.image_gathering import KnownTags

_FILE = "tags.json"


def record_tags(folder: BundleFolder, tags: KnownTags) -> None:
    """Keep what ``tags`` know for the next sitting."""
    document = {name: str(digest) for name, digest in tags.digests.items()}
    write_json(folder.build_folder / _FILE, {"schemaVersion": 1, "tags": document})


def read_tags(folder: BundleFolder) -> dict[str, Digest]:
    """Return what an unfinished build recorded; nothing where that is absent or damaged: tags are then asked again."""
    try:
        document = read_json(folder.build_folder / _FILE)
        tags = document["tags"] if isinstance(document, dict) else {}
        return {str(name): Digest.parse(str(text)) for name, text in tags.items()}
    except (FileContentError, InvalidInputError, KeyError, AttributeError):
        return {}
