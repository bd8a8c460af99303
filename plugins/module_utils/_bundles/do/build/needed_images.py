# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which images the manifests of a bundle's release name, read from the layers of its release image."""

from __future__ import annotations

import io
import typing as t
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.layer_files import LayerReader
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.layer_stream import Readable
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.contents.yaml_documents import (
    LARGEST_DOCUMENT,
    yaml_stream,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.sources.pull_policies import (
    FOLDERS,
    MANIFESTS,
    release_layers,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.needed_images import (
    Mention,
    NeededImages,
    SiteFacts,
    lacking_by_pool,
    mention_in,
    mention_of,
    needed_images,
    used_components,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import MissingRequirementError

IMAGE_REFERENCES = "release-manifests/image-references"
"""Names every image of the release and says nothing of who needs it; it has no ending, but a later release may."""


def needed_at(folder: BundleFolder, index: BundleIndex, site: Mapping[str, t.Any]) -> NeededImages:
    """Return the images of the bundle in ``folder`` that the ``site`` needs, as the module's option describes it."""
    present = {one["name"]: one["component"] or "" for one in site["present_images"]}
    facts = SiteFacts(
        platform=site["platform"],
        enabled=frozenset(site["enabled_capabilities"]),
        known=frozenset(site["known_capabilities"]),
        used=used_components(site["used_images"], present),
        problem="" if present else "the images of the current release are unknown",
    )
    mentions = [
        mention
        for release in index.releases
        for mention in mentions_in(reversed(release_layers(folder, index, release)), on=str(release.image))
    ]
    used: dict[str, set[str]] = {}
    for node, names in site["images_by_node"].items():
        used.setdefault(site["pools"].get(node, ""), set()).update(used_components(names, present))
    lacking = lacking_by_pool(index, site["images_by_pool"], used)
    return replace(needed_images(index, mentions, facts), lacking=lacking)


def mentions_in(top_first: Iterable[Path], *, on: str) -> tuple[Mention, ...]:
    """Return what each manifest within the layers names. Raises PayloadError for layers that cannot be read."""
    reader = LayerReader(on, FOLDERS, _of_file)
    reader.read(top_first)
    return tuple(one for name in sorted(reader.files) for one in reader.files[name] if one.digests)


def _all_of(content: Readable, name: str) -> bytes:
    """Return all bytes of a file: what a part of it does not name might be taken for needless."""
    found = bytearray()
    while block := content.read(LARGEST_DOCUMENT):
        found += block
        if len(found) > LARGEST_DOCUMENT:
            raise PayloadError(
                "read the manifests of the release",
                on=name[:200],
                seen=f"it is larger than {LARGEST_DOCUMENT} bytes",
                advice="Stage all images of the bundle.",
            )
    return bytes(found)


def _of_file(name: str, content: Readable) -> list[Mention]:
    if not name.endswith(MANIFESTS) or name.startswith(IMAGE_REFERENCES):
        return []
    whole = _all_of(content, name)
    try:
        return [mention_in(document) for document in yaml_stream(io.BytesIO(whole), on=name)]
    except (PayloadError, MissingRequirementError):
        # A node that has the bundle may not have the library.
        return [mention_of(whole.decode(errors="replace"))]
