# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import hashlib
import json
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import PREFIX_STEP, blobs_by_digest
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    blob,
    digest,
    index_with_store,
    path_index,
    sample_index,
)

INDEX = sample_index()


def test_the_identity_of_a_bundle_is_the_digest_of_its_index_file() -> None:
    assert INDEX.digest.hex == hashlib.sha256(INDEX.as_bytes()).hexdigest()


def test_the_index_file_is_one_line_of_sorted_ascii() -> None:
    content = INDEX.as_bytes()
    assert content.count(b"\n") == 1
    assert content.isascii()
    assert content == json.dumps(json.loads(content), sort_keys=True, separators=(",", ":")).encode() + b"\n"


def test_the_order_in_which_blobs_were_found_does_not_matter() -> None:
    other = replace(INDEX, blobs=blobs_by_digest(*reversed(list(INDEX.blobs.values()))))
    assert other.as_bytes() == INDEX.as_bytes()


def test_any_other_content_is_another_bundle() -> None:
    assert replace(INDEX, serial=INDEX.serial + 1).digest != INDEX.digest


def test_the_folder_on_nodes_tells_version_architecture_and_index() -> None:
    assert INDEX.folder_name == f"4.21.3-x86_64-{INDEX.digest.hex[:12]}"


def test_shared_blobs_are_counted_once() -> None:
    assert INDEX.size == 700 * 2 + 300 * 2 + 4096 + 2048 + 2 * PREFIX_STEP + 1 + 900


def test_a_delta_needs_the_blobs_of_its_base() -> None:
    kept = [one for one in INDEX.blobs.values() if one.digest != digest("base")]
    delta = replace(INDEX, blobs=blobs_by_digest(*kept), base=digest("base bundle"))
    assert digest("base") in set(delta.needed())


def test_what_is_needed_are_images_and_signatures() -> None:
    assert set(INDEX.needed()) == set(INDEX.blobs)


def test_a_store_is_a_blob_that_is_needed_and_no_part_of_an_image() -> None:
    index = index_with_store()
    assert set(index.needed()) == set(index.blobs)
    assert digest("store") not in [blob for image in index.images for blob in image.blobs()]


def test_a_blob_lies_under_its_digest() -> None:
    assert blob("base").path == f"blobs/sha256/{digest('base').hex}"


def test_images_of_a_release_are_its_own_and_those_that_were_added() -> None:
    index = path_index()
    first = {str(image.component or image.reason): image for image in index.images_of(index.releases[0])}
    assert list(first) == ["release", "etcd", "pod", "extra"]
    assert first["etcd"].name.digest == digest("etcd 4.19.14/manifest")
    assert sample_index().images_of(sample_index().target) == sample_index().images
