# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Over which stores a new image store is made, and what becomes of a bundle's stores when the bundle changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.merging import merged_index
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.stores.image_store_bases import (
    StoreChain,
    chain_over,
    kept_store,
    with_store,
    with_stores_of,
    without_stores,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.stores.image_store_format import (
    StoreFormat,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.stores.image_store_report import (
    stores_report,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    STORE_MEDIA_TYPES,
    BundledStore,
    BundleIndex,
    blobs_by_digest,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index_reader import read_index
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._terms.bundle_samples import (
    blob,
    digest,
    index_with_store,
    sample_index,
)

SQUASHFS = StoreFormat("squashfs", "zstd")
EROFS = StoreFormat("erofs", "none")
PLAIN = sample_index()
WHOLE = index_with_store()
STORE = WHOLE.stores[0]


def stored(name: str, base: str | None = None, depth: int = 0, form: StoreFormat = SQUASHFS) -> BundleIndex:
    """Return a bundle with one store, called ``name``, over another one."""
    file = blob(name, 4000, STORE_MEDIA_TYPES[form.filesystem])
    store = BundledStore(
        digest=file.digest,
        filesystem=form.filesystem,
        compression=form.compression,
        unpacked_size=9000,
        images=STORE.images,
        base=digest(base) if base else None,
        depth=depth,
    )
    return replace(PLAIN, stores=(store,), blobs=blobs_by_digest(*PLAIN.blobs.values(), file))


def test_without_bases_a_store_is_whole() -> None:
    assert chain_over([], SQUASHFS) == StoreChain()


def test_a_delta_lies_over_the_store_of_the_first_base() -> None:
    base = stored("a")
    chain = chain_over([base], SQUASHFS)
    assert (chain.stores, chain.depth, chain.merged) == (base.stores, 1, False)


def test_what_the_base_lies_over_is_found_among_the_others() -> None:
    lower, upper = stored("a"), stored("b", base="a", depth=1)
    assert chain_over([upper, lower], SQUASHFS).stores == (*upper.stores, *lower.stores)


def test_over_two_deltas_the_next_store_is_whole_again() -> None:
    chain = chain_over([stored("c", base="b", depth=2), stored("b", base="a", depth=1), stored("a")], SQUASHFS)
    assert (chain.stores, chain.merged) == ((), True)


def test_of_several_stores_of_a_base_the_one_of_the_same_format_is_taken() -> None:
    both = with_store(stored("a"), stored("e", form=EROFS).stores[0], blob("e", 4000, STORE_MEDIA_TYPES["erofs"]))
    assert chain_over([both], SQUASHFS).stores[0].filesystem == "squashfs"
    assert chain_over([both], EROFS).stores[0].filesystem == "erofs"


@pytest.mark.parametrize(
    ("bases", "seen"),
    [
        pytest.param([PLAIN], "it has no image store", id="a base without a store"),
        pytest.param([stored("b", base="a", depth=1)], "no base contains", id="a chain that breaks off"),
    ],
)
def test_bases_that_cannot_be_built_on_are_refused(bases: list[BundleIndex], seen: str) -> None:
    with pytest.raises(BundleError, match=seen):
        chain_over(bases, SQUASHFS)


class TestWhatIsThereAlready:
    """A store is made once: it is not reproducible."""

    def test_a_store_of_the_same_form_and_images_is_kept(self) -> None:
        assert kept_store(WHOLE, SQUASHFS, StoreChain()) == STORE

    @pytest.mark.parametrize(
        ("index", "form", "chain"),
        [
            pytest.param(PLAIN, SQUASHFS, StoreChain(), id="none"),
            pytest.param(WHOLE, EROFS, StoreChain(), id="another file system"),
            pytest.param(WHOLE, StoreFormat("squashfs", "lz4"), StoreChain(), id="another compression"),
            pytest.param(WHOLE, SQUASHFS, StoreChain(stored("a").stores), id="over another base"),
            pytest.param(index_with_store(images=STORE.images[:1]), SQUASHFS, StoreChain(), id="fewer images"),
        ],
    )
    def test_any_other_is_not(self, index: BundleIndex, form: StoreFormat, chain: StoreChain) -> None:
        assert kept_store(index, form, chain) is None


class TestStoresOfABundle:
    """What becomes of them when one is added, or the bundle is made anew."""

    def test_a_new_store_comes_first_and_replaces_its_like(self) -> None:
        erofs = stored("e", form=EROFS)
        both = with_store(WHOLE, erofs.stores[0], erofs.blobs[digest("e")])
        assert [one.filesystem for one in both.stores] == ["erofs", "squashfs"]
        again = with_store(both, stored("n").stores[0], blob("n", 1, STORE_MEDIA_TYPES["squashfs"]))
        assert [one.digest for one in again.stores] == [digest("n"), digest("e")]
        assert digest("store") not in again.blobs

    def test_a_store_that_lacks_images_goes_when_a_new_one_comes(self) -> None:
        partial = index_with_store(images=STORE.images[:1])
        erofs = stored("e", form=EROFS)
        assert with_store(partial, erofs.stores[0], erofs.blobs[digest("e")]).stores == erofs.stores

    def test_without_stores_the_bundle_is_what_it_was(self) -> None:
        assert without_stores(WHOLE).digest == PLAIN.digest

    def test_a_bundle_built_again_keeps_its_store(self) -> None:
        again = with_stores_of(PLAIN, WHOLE, set(WHOLE.blobs))
        assert again.digest == WHOLE.digest
        assert read_index(again.as_bytes()) == again

    @pytest.mark.parametrize(
        ("index", "previous", "there"),
        [
            pytest.param(PLAIN, None, set(WHOLE.blobs), id="nothing before"),
            pytest.param(PLAIN, PLAIN, set(WHOLE.blobs), id="no store before"),
            pytest.param(PLAIN, WHOLE, set(PLAIN.blobs), id="its file is gone"),
            pytest.param(
                replace(PLAIN, images=PLAIN.images[:1]), WHOLE, set(WHOLE.blobs), id="an image is not wanted any more"
            ),
        ],
    )
    def test_a_store_that_does_not_fit_any_more_goes(
        self, index: BundleIndex, previous: BundleIndex | None, there: set[object]
    ) -> None:
        assert with_stores_of(index, previous, there).stores == ()  # type: ignore[arg-type]

    def test_merging_keeps_the_stores_of_all_bundles_of_the_release(self) -> None:
        erofs = stored("e", form=EROFS)
        merged = merged_index([PLAIN, WHOLE, erofs])
        assert [one.digest for one in merged.stores] == [digest("store"), digest("e")]
        assert read_index(merged.as_bytes()) == merged

    def test_the_report_says_whether_a_store_has_all_images(self) -> None:
        told = [
            one["whole"] for index in (WHOLE, index_with_store(images=STORE.images[:1])) for one in stores_report(index)
        ]
        assert told == [True, False]


def test_a_file_belongs_into_no_store() -> None:
    file = replace(PLAIN.images[-1], name=PLAIN.images[-1].name.by_digest(digest("file")), reason="file")
    with_file = replace(WHOLE, images=(*WHOLE.images, file))
    assert kept_store(with_file, SQUASHFS, StoreChain()) == STORE
    assert stores_report(with_file)[0]["whole"] is True
