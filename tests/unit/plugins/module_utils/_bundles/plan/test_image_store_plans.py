# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Formats of image stores, and the commands that fill and pack one."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.stores.image_store_copy import (
    ScratchStorage,
    copy_command,
    view_links,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.stores.image_store_format import (
    KERNELS,
    StoreFormat,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    STORE_COMPRESSIONS,
    STORE_MEDIA_TYPES,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    digest,
    sample_index,
)

INDEX = sample_index()


@pytest.mark.parametrize(
    ("filesystem", "compression", "argv"),
    [
        ("erofs", "none", ["mkfs.erofs", "F", "T"]),
        ("erofs", "lz4", ["mkfs.erofs", "-zlz4", "F", "T"]),
        ("squashfs", "zstd", ["mksquashfs", "T", "F", "-noappend", "-no-progress", "-quiet", "-comp", "zstd"]),
    ],
)
def test_how_a_store_is_packed(filesystem: str, compression: str, argv: list[str]) -> None:
    assert list(StoreFormat.of(filesystem, compression).argv("T", "F")) == argv


def test_a_squashfs_without_compression_stores_everything_as_it_is() -> None:
    assert {"-noI", "-noD", "-noF", "-noX"} <= set(StoreFormat.of("squashfs", "none").argv("T", "F"))


def test_every_format_that_an_index_may_name_can_be_made() -> None:
    assert set(KERNELS) == {(one, other) for one in STORE_MEDIA_TYPES for other in STORE_COMPRESSIONS}


@pytest.mark.parametrize(("filesystem", "compression"), [("ext4", "none"), ("squashfs", "xz"), ("", "")])
def test_another_format_is_refused(filesystem: str, compression: str) -> None:
    with pytest.raises(InvalidInputError, match="squashfs/zstd"):
        StoreFormat.of(filesystem, compression)


@pytest.mark.parametrize(
    ("bases", "specifier"),
    [
        ((), "[overlay@/s+/r]"),
        (("/a",), "[overlay@/s+/r:overlay.imagestore=/a]"),
        (("/b", "/a"), "[overlay@/s+/r:overlay.imagestore=/b,overlay.imagestore=/a]"),
    ],
)
def test_a_storage_names_the_stores_below_it_nearest_first(bases: tuple[str, ...], specifier: str) -> None:
    assert ScratchStorage("/s", "/r", bases).specifier == specifier


def test_an_image_is_copied_under_its_own_name_and_digest() -> None:
    command = copy_command("/view", INDEX.images[0], ScratchStorage("/s", "/r"), "/policy.json")
    assert command[0] == "skopeo"
    assert "--preserve-digests" in command
    assert list(command[-2:]) == ["dir:/view", f"containers-storage:[overlay@/s+/r]{INDEX.images[0].name}"]


def test_a_view_links_to_whichever_bundle_holds_a_blob() -> None:
    image = INDEX.images[1]
    holders = dict.fromkeys(image.blobs(), "/bundle") | {digest("base"): "/base"}
    links = view_links(image, holders)
    assert links["manifest.json"] == f"/bundle/blobs/sha256/{image.manifests[0].hex}"
    assert links[digest("base").hex] == f"/base/blobs/sha256/{digest('base').hex}"
    assert len(links) == len(set(image.blobs()))
