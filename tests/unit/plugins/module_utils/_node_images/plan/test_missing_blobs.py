# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a node still lacks of a bundle."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.missing_blobs import staging_state
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BundledSignature,
    BundleIndex,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.indexes import (
    blob_of,
    image_of,
    index_of,
    simple_bundle,
)

INDEX, STORED = simple_bundle({"release": b"r" * 100, "etcd": b"e" * 50})
EVERYTHING = {digest.hex: len(content) for digest, content in STORED.items()}


def test_an_empty_folder_lacks_everything() -> None:
    state = staging_state(INDEX, INDEX.images, {}, {})
    assert (state.is_complete, len(state.missing), state.missing_size) == (False, 4, INDEX.size)


def test_a_full_folder_lacks_nothing() -> None:
    state = staging_state(INDEX, INDEX.images, EVERYTHING, {})
    assert (state.is_complete, state.missing, state.missing_size, state.size) == (True, (), 0, INDEX.size)


def test_a_blob_of_the_wrong_size_is_missing() -> None:
    (digest, size), *_others = EVERYTHING.items()
    state = staging_state(INDEX, INDEX.images, {**EVERYTHING, digest: size - 1}, {})
    assert [blob.digest.hex for blob in state.missing] == [digest]


def test_what_was_begun_counts() -> None:
    layer = next(digest for digest, content in STORED.items() if content == b"r" * 100)
    state = staging_state(INDEX, INDEX.images, {}, {layer.hex: 60})
    assert state.missing_size == INDEX.size - 60


def test_only_the_chosen_images_count() -> None:
    state = staging_state(INDEX, INDEX.images[1:], {}, {})
    assert {blob.digest for blob in state.missing} == set(INDEX.images[1].blobs())


def test_signatures_travel_with_every_choice() -> None:
    signature = blob_of(b"signed", "application/octet-stream")
    signed = BundledSignature("gpg", INDEX.images[0].manifests[0], (signature.digest,))
    index = BundleIndex(
        **{**vars(INDEX), "signatures": (signed,), "blobs": {**INDEX.blobs, signature.digest: signature}}
    )
    assert signature in staging_state(index, INDEX.images[1:], {}, {}).missing


class TestDelta:
    """A delta leaves out what its base has."""

    BASE_LAYER = blob_of(b"base layer")
    MANIFEST = blob_of(b"manifest")
    OWN = blob_of(b"own layer")
    INDEX = index_of([image_of(MANIFEST, BASE_LAYER, OWN)], [MANIFEST, OWN], base=Digest("0" * 64), version="4.21.4")
    HERE: t.ClassVar[dict[str, int]] = {MANIFEST.digest.hex: MANIFEST.size, OWN.digest.hex: OWN.size}

    def test_a_blob_of_the_base_that_is_nowhere_cannot_be_reached(self) -> None:
        state = staging_state(self.INDEX, self.INDEX.images, self.HERE, {})
        assert (state.is_complete, state.missing, state.unreachable) == (False, (), (self.BASE_LAYER.digest,))

    def test_it_may_lie_in_the_folder(self) -> None:
        here = {**self.HERE, self.BASE_LAYER.digest.hex: self.BASE_LAYER.size}
        assert staging_state(self.INDEX, self.INDEX.images, here, {}).is_complete
