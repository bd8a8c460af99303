# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.merging import merged_index
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import BundleIndex, blobs_by_digest
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    blob,
    digest,
    image,
    sample_index,
)

WHOLE = sample_index()


def without(index: BundleIndex, *names: str, base: BundleIndex) -> BundleIndex:
    left_out = {digest(name) for name in names}
    kept = [one for one in index.blobs.values() if one.digest not in left_out]
    return replace(index, blobs=blobs_by_digest(*kept), base=base.digest)


def older() -> BundleIndex:
    """Return the bundle of another release that has the base layer."""
    release = image("older", "release", "base")
    blobs = [blob("older/manifest"), blob("older/config"), WHOLE.blobs[digest("base")]]
    return sample_index(
        releases=(replace(WHOLE.releases[0], version="4.21.2", image=release.name),),
        images=(release,),
        signatures=(),
        blobs=blobs_by_digest(*blobs),
    )


def test_one_bundle_stays_what_it_is() -> None:
    assert merged_index([WHOLE]) == WHOLE


def test_a_delta_and_its_base_are_whole() -> None:
    base = older()
    assert merged_index([without(WHOLE, "base", base=base), base]).digest == WHOLE.digest


def test_a_chain_of_deltas_is_whole_with_all_its_bases() -> None:
    base = older()
    middle = without(WHOLE, "base", base=base)
    last = without(WHOLE, "base", "large", base=middle)
    assert merged_index([last, middle, base]).digest == WHOLE.digest


def test_a_missing_base_leaves_a_delta() -> None:
    delta = without(WHOLE, "base", base=older())
    assert merged_index([delta]) == delta


def test_two_missing_bases_cannot_be_told() -> None:
    one = without(WHOLE, "base", "large", base=older())
    other = without(WHOLE, "base", "large", base=sample_index(serial=7))
    with pytest.raises(BundleError, match="blobs are in none of them"):
        merged_index([one, other])


def test_images_of_the_same_release_are_joined() -> None:
    extra = image("gateway", "extra", "base", tag="1.4")
    added = [blob("gateway/manifest"), blob("gateway/config")]
    apart = sample_index(
        images=(WHOLE.images[0], extra),
        blobs=blobs_by_digest(*added, *(one for one in WHOLE.blobs.values() if one.digest != digest("large"))),
    )
    merged = merged_index([WHOLE, apart])
    assert [one.name for one in merged.images] == [*(one.name for one in WHOLE.images), extra.name]
    assert set(merged.blobs) == set(WHOLE.blobs) | {one.digest for one in added}


def test_another_release_is_refused() -> None:
    with pytest.raises(BundleError, match="neither of the release"):
        merged_index([WHOLE, older()])
