# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""An image as a folder of links into the pool of blobs."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.image_view import (
    copy_command,
    view_links,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.indexes import (
    blob_of,
    image_of,
)

LIST, INSTANCE, CONFIG, LAYER = (blob_of(text) for text in (b"list", b"instance", b"config", b"layer"))


def test_an_image_has_its_manifest_and_its_blobs() -> None:
    links = view_links(image_of(INSTANCE, CONFIG, LAYER))
    assert links == {
        "manifest.json": f"../../blobs/sha256/{INSTANCE.digest.hex}",
        CONFIG.digest.hex: f"../../blobs/sha256/{CONFIG.digest.hex}",
        LAYER.digest.hex: f"../../blobs/sha256/{LAYER.digest.hex}",
    }


def test_the_instances_of_a_list_stand_beside_it() -> None:
    links = view_links(image_of(LIST, CONFIG, LAYER, inner=[INSTANCE]))
    assert links["manifest.json"].endswith(LIST.digest.hex)
    assert links[f"{INSTANCE.digest.hex}.manifest.json"] == f"../../blobs/sha256/{INSTANCE.digest.hex}"


def test_the_command_keeps_digest_and_name() -> None:
    image = image_of(INSTANCE, CONFIG)
    command = copy_command("/bundles/b/views/x", image, "/bundles/b/policy.json")
    assert command == (
        *("skopeo", "--policy", "/bundles/b/policy.json", "copy", "--quiet", "--preserve-digests"),
        "dir:/bundles/b/views/x",
        f"containers-storage:quay.io/openshift-release-dev/ocp-v4.0-art-dev@{INSTANCE.digest}",
    )
