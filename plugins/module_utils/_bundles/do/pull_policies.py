# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Workloads of a release that pull their image whenever they start: without a registry they will not start."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.layer_files import LayerFiles
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.yaml_documents import yaml_documents
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.manifests import (
    ImageManifest,
    parse_manifest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.pull_policy import pulled_always

if t.TYPE_CHECKING:
    from pathlib import Path

    from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex

FOLDERS = ("release-manifests", "manifests")


def always_pulled(folder: BundleFolder, index: BundleIndex) -> list[dict[str, str]]:
    """Return the containers with ``imagePullPolicy: Always`` in the manifests of the release image.

    Operators that make pods in code are not seen by this. The layers that a delta leaves to its base are not read.
    """
    found = LayerFiles(on=str(index.release), folders=FOLDERS)
    found.read(reversed(_layers(folder, index)))
    return [
        {"file": name, **workload}
        for name, content in sorted(found.files.items())
        if b"Always" in content and name.endswith((".yaml", ".yml", ".json"))
        for document in yaml_documents(content, on=f"{name} of {index.release}")
        for workload in pulled_always(document)
    ]


def _layers(folder: BundleFolder, index: BundleIndex) -> list[Path]:
    release = next(image for image in index.images if image.name == index.release)
    digest = release.manifests[-1]
    content = folder.read_blob(digest)
    if content is None or digest not in index.blobs:
        return []
    manifest = parse_manifest(content, index.blobs[digest].media_type, on=f"manifest of {index.release}")
    layers = manifest.layers if isinstance(manifest, ImageManifest) else ()
    return [folder.blob(layer.digest) for layer in layers if layer.digest in index.blobs]
