# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The boot images in bundles by the names of their files. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.boot_artifacts import (
    BOOT_ARTIFACT_TYPE,
    BOOT_ARTIFACTS,
    TITLE,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BundledImage,
    BundleIndex,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

_DIGEST = re.compile(r"sha256:([0-9a-f]{64})", re.ASCII)


def boot_images(indexes: Iterable[BundleIndex]) -> Iterator[BundledImage]:
    """Yield the boot images of bundles, one for each platform; the first manifest of each names its files."""
    for index in indexes:
        for image in index.images:
            if not image.is_image and image.name.registry == BOOT_ARTIFACTS:
                yield image


def files_of(image: BundledImage, manifest: bytes) -> Mapping[str, Digest]:
    """Return the digests of the files that ``manifest`` of ``image`` names, as far as they are part of it."""
    try:
        document = json.loads(manifest)
        if document["artifactType"] != BOOT_ARTIFACT_TYPE:
            return {}
        named = {str(one["annotations"][TITLE]): _DIGEST.fullmatch(str(one["digest"])) for one in document["layers"]}
    except (ValueError, RecursionError, KeyError, TypeError):
        return {}
    found = {name: Digest(match.group(1)) for name, match in named.items() if match}
    return {name: digest for name, digest in found.items() if digest in image.content}
