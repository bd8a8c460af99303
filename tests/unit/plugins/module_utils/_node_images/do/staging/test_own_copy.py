# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bytes of a staged bundle that are no longer right are removed and named; all others stay."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staged_bundles import folder_for
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.own_copy import (
    OwnCopy,
    require_source,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.errors import ImageSourceError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.plan.mirror_files import (
    MirrorSettings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import WrongContentError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BundledSignature,
    blobs_by_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.indexes import (
    blob_of,
    simple_bundle,
    write_folder,
)

PLAIN, STORED = simple_bundle({"release": b"r" * 100, "etcd": b"e" * 50})
SIGNED = BundledSignature("cosign", PLAIN.images[0].manifests[0], (blob_of(b"signed", "text/plain").digest,))
INDEX = replace(
    PLAIN, signatures=(SIGNED,), blobs=blobs_by_digest(*PLAIN.blobs.values(), blob_of(b"signed", "text/plain"))
)
RELEASE, ETCD = (str(image.name) for image in INDEX.images)


@pytest.fixture
def copy(host: Host) -> OwnCopy:
    folder = folder_for(host, INDEX)
    write_folder(folder.path, INDEX, {**STORED, SIGNED.blobs[0]: b"signed"})
    return OwnCopy(host, folder, INDEX, MirrorSettings(9700, ()))


def spoil(copy: OwnCopy, digest: Digest) -> None:
    path = copy.folder.blob(digest)
    path.chmod(0o644)
    path.write_bytes(b"X" * path.stat().st_size)


def names(copy: OwnCopy) -> set[str]:
    return {path.name for path in copy.folder.blobs.iterdir()}


def test_what_is_right_stays(copy: OwnCopy) -> None:
    before = names(copy)
    copy.remove_damaged_of(RELEASE)
    assert names(copy) == before


@pytest.mark.parametrize("part", ["manifests", "content"])
def test_the_damaged_part_of_an_image_goes_and_is_named(copy: OwnCopy, part: str) -> None:
    lost, before = getattr(INDEX.images[1], part)[0], names(copy)
    spoil(copy, lost)
    copy.remove_damaged_of(RELEASE)
    with pytest.raises(WrongContentError, match=lost.hex) as caught:
        copy.remove_damaged_of(ETCD, {"loaded_images": 1})
    assert (caught.value.on, caught.value.partial) == (ETCD, {"loaded_images": 1})
    assert before - names(copy) == {lost.hex}


def test_what_a_delta_has_from_its_base_is_verified_by_its_name(copy: OwnCopy) -> None:
    (lost,) = INDEX.images[1].content
    kept = blobs_by_digest(*(blob for blob in INDEX.blobs.values() if blob.digest != lost))
    delta = replace(copy, index=replace(INDEX, blobs=kept, base=lost))
    delta.remove_damaged_of(ETCD)
    spoil(copy, lost)
    with pytest.raises(WrongContentError, match=lost.hex):
        delta.remove_damaged_of(ETCD)


def test_a_damaged_signature_is_found_before_an_image_is_pulled_without_it(copy: OwnCopy) -> None:
    (lost,) = SIGNED.blobs
    spoil(copy, lost)
    with pytest.raises(WrongContentError, match=lost.hex):
        copy.require_sound_signatures()
    assert lost.hex not in names(copy)


def test_a_node_without_an_image_source_is_told_what_sets_it_up(host: Host) -> None:
    with pytest.raises(ImageSourceError, match="serve_images"):
        require_source(host)
