# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How much disk a bundle takes, before it takes it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.eviction import (
    IMAGEFS,
    NODEFS,
    EvictionThreshold,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.forecast import (
    BLOCK,
    PER_IMAGE,
    PER_LAYER,
    FileSystem,
    KubeletPlace,
    Need,
    bundle_need,
    judge,
    spool_need,
    storage_need,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.image_gc import ImageGc
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.missing_blobs import staging_state
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stored_images import StoredImages
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import GIB, MIB
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.indexes import (
    MANIFEST,
    blob_of,
    image_of,
    index_of,
)

SHARED = blob_of(b"s" * 10_000, unpacked=5 * MIB)
FIRST = blob_of(b"1" * 20_000, unpacked=7 * MIB)
SECOND = blob_of(b"2" * 30_000, unpacked=9 * MIB)
MANIFESTS = [blob_of(f"manifest {number}".encode(), MANIFEST) for number in range(2)]
IMAGES = [image_of(MANIFESTS[0], SHARED, FIRST), image_of(MANIFESTS[1], SHARED, SECOND, component="cli")]
INDEX = index_of(IMAGES, [SHARED, FIRST, SECOND, *MANIFESTS])
EMPTY = StoredImages()
NAMES = frozenset(str(image.name) for image in IMAGES)


def test_the_bundle_takes_whole_blocks() -> None:
    need = bundle_need(staging_state(INDEX, INDEX.images, {}, {}), "/var")
    assert need.size == (3 + 5 + 8 + 1 + 1) * BLOCK


def test_what_was_begun_is_on_the_disk_already() -> None:
    need = bundle_need(staging_state(INDEX, INDEX.images, {}, {SECOND.digest.hex: 8192}), "/var")
    assert need.size == (3 + 5 + 8 + 1 + 1 - 2) * BLOCK


def test_a_shared_layer_is_stored_once() -> None:
    need = storage_need(INDEX, INDEX.images, EMPTY, "/var")
    assert need.size == 21 * MIB + 3 * PER_LAYER + 2 * (PER_IMAGE + BLOCK)
    assert not need.is_estimate


def test_layers_that_the_storage_has_cost_nothing() -> None:
    need = storage_need(INDEX, INDEX.images, StoredImages(layers=frozenset({SHARED.digest})), "/var")
    assert need.size == 16 * MIB + 2 * PER_LAYER + 2 * (PER_IMAGE + BLOCK)


def test_images_that_the_storage_has_cost_nothing() -> None:
    stored = StoredImages(names=NAMES)
    assert storage_need(INDEX, INDEX.images, stored, "/var").size == 0
    assert spool_need(INDEX, INDEX.images, stored, "/var").size == 0


def test_a_layer_of_unknown_size_makes_it_an_estimate() -> None:
    unknown = blob_of(b"u" * 40_000)
    image = image_of(MANIFESTS[0], unknown)
    need = storage_need(index_of([image], [unknown, MANIFESTS[0]]), [image], EMPTY, "/var")
    assert need.is_estimate
    assert need.size > 2 * unknown.size


@pytest.mark.parametrize(("parallel", "blocks"), [(1, 3 + 8), (2, 3 + 8 + 3 + 5), (9, 3 + 8 + 3 + 5)])
def test_the_largest_images_are_spooled_at_once(parallel: int, blocks: int) -> None:
    need = spool_need(INDEX, INDEX.images, EMPTY, "/var", parallel)
    assert (need.size, need.is_passing) == (blocks * BLOCK, True)


ROOM = FileSystem(1, "/var", 100 * GIB, 40 * GIB)


@pytest.mark.parametrize(
    ("sizes", "percent", "lacking"),
    [
        pytest.param([10 * GIB], 15, 0, id="fits"),
        pytest.param([25 * GIB], 15, 0, id="fits exactly"),
        pytest.param([25 * GIB + 1], 15, 1, id="one byte too many"),
        pytest.param([20 * GIB, 10 * GIB], 15, 5 * GIB, id="needs add up"),
        pytest.param([40 * GIB], 0, 0, id="nothing to be kept free"),
        pytest.param([0, 0], 90, 0, id="nothing needed, however full"),
    ],
)
def test_verdict_on_one_file_system(sizes: list[int], percent: int, lacking: int) -> None:
    (verdict,) = judge([(Need("a purpose", "/var", size), ROOM) for size in sizes], percent)
    assert verdict.lacking == lacking


def test_each_file_system_is_judged_by_itself() -> None:
    small = FileSystem(2, "/var/tmp", 10 * GIB, 1 * GIB)
    verdicts = judge([(Need("bundle", "/var", GIB), ROOM), (Need("spool", "/var/tmp", 2 * GIB), small)], 0)
    assert [(verdict.file_system.path, verdict.lacking) for verdict in verdicts] == [("/var", 0), ("/var/tmp", GIB)]


def test_the_sentence_has_the_numbers() -> None:
    (verdict,) = judge([(Need("the bundle", "/var", 30 * GIB), ROOM)], 15)
    assert verdict.sentence == (
        "/var has 40.0 GiB free of 100.0 GiB, of which 15.0 GiB must stay free; "
        "needed are 30.0 GiB for the bundle; 5.0 GiB are lacking"
    )


SET = "/etc/kubernetes/kubelet.conf"


@pytest.mark.parametrize(
    ("gc", "percent", "reserve"),
    [
        pytest.param(None, None, 15, id="no images there"),
        pytest.param(ImageGc(), None, 16, id="the kubelet's default, which rounds up"),
        pytest.param(ImageGc(70, SET), None, 31, id="a stricter kubelet"),
        pytest.param(ImageGc(95, SET), None, 15, id="a laxer one, which still evicts"),
        pytest.param(ImageGc(100, SET), None, 15, id="one that never removes images"),
        pytest.param(ImageGc(70, SET), 40, 40, id="more is asked for"),
        pytest.param(ImageGc(70, SET), 5, 5, id="less is asked for"),
        pytest.param(ImageGc(70, SET), 0, 0, id="nothing is asked for"),
    ],
)
def test_what_stays_free(gc: ImageGc | None, percent: int | None, reserve: int) -> None:
    images = KubeletPlace(ROOM.device, gc) if gc else KubeletPlace(7, ImageGc(10, SET))
    (verdict,) = judge([(Need("images", "/var", GIB), ROOM)], percent, [images])
    assert (verdict.reserve, verdict.image_gc) == (reserve * GIB, gc)


def evicts(value: str, signal: str = IMAGEFS, setting: str = "evictionHard") -> EvictionThreshold:
    return EvictionThreshold(setting, signal, value, SET)


@pytest.mark.parametrize(
    ("gc", "evictions", "percent", "reserve"),
    [
        pytest.param(ImageGc(70, SET), ["20%"], None, 31 * GIB, id="images are removed first"),
        pytest.param(ImageGc(70, SET), ["35Gi"], None, 35 * GIB, id="pods are evicted first"),
        pytest.param(ImageGc(95, SET), ["5Gi"], None, 6 * GIB, id="both ask for less than usual"),
        pytest.param(ImageGc(100, SET), ["0%"], None, 0, id="both are switched off"),
        pytest.param(None, ["8Gi"], None, 8 * GIB, id="no images there"),
        pytest.param(None, ["8Gi", "9Gi"], None, 9 * GIB, id="the strictest of several"),
        pytest.param(ImageGc(70, SET), ["35Gi"], 5, 5 * GIB, id="less is asked for"),
    ],
)
def test_what_stays_free_where_a_file_sets_when_pods_are_evicted(
    gc: ImageGc | None, evictions: list[str], percent: int | None, reserve: int
) -> None:
    places = [KubeletPlace(ROOM.device, gc), KubeletPlace(ROOM.device, None, tuple(map(evicts, evictions)))]
    elsewhere = KubeletPlace(7, None, (evicts("39Gi"),))
    (verdict,) = judge([(Need("images", "/var", GIB), ROOM)], percent, [*places, elsewhere])
    assert verdict.reserve == reserve


def test_a_refusal_names_what_evicts_pods_and_its_file() -> None:
    place = KubeletPlace(ROOM.device, None, (evicts("35Gi", NODEFS),))
    (verdict,) = judge([(Need("the bundle", "/var", 10 * GIB), ROOM)], None, [place])
    assert verdict.sentence == (
        "/var has 40.0 GiB free of 100.0 GiB, of which 35.0 GiB must stay free: the kubelet evicts pods below 35Gi "
        "free (evictionHard, nodefs.available in /etc/kubernetes/kubelet.conf); "
        "needed are 10.0 GiB for the bundle; 5.0 GiB are lacking"
    )


@pytest.mark.parametrize(("size", "warned"), [(5 * GIB, False), (5 * GIB + 1, True)])
def test_who_keeps_less_than_keeps_pods_is_warned(size: int, warned: bool) -> None:
    place = KubeletPlace(ROOM.device, ImageGc(100, SET), (evicts("35Gi"),))
    (verdict,) = judge([(Need("images", "/var", size), ROOM)], 1, [place])
    assert ["and evicts pods below 35Gi free" in one for one in verdict.warnings] == [True] * warned
    document = verdict.as_document()
    assert (document["evicts_pods"], document["image_gc"]["removes_images"]) == (warned, False)
    assert document["evictions"] == [
        {
            "setting": "evictionHard",
            "signal": "imagefs.available",
            "value": "35Gi",
            "read_from": SET,
            "reserve": 35 * GIB,
        }
    ]


@pytest.mark.parametrize("percent", [-1, 101])
def test_a_share_that_is_none_is_refused(percent: int) -> None:
    with pytest.raises(InvalidInputError, match=f"keep_free_percent: it is {percent}"):
        judge([], percent)


def test_a_refusal_names_the_threshold_and_its_file() -> None:
    images = KubeletPlace(ROOM.device, ImageGc(70, SET))
    (verdict,) = judge([(Need("the bundle", "/var", 10 * GIB), ROOM)], None, [images])
    assert verdict.sentence == (
        "/var has 40.0 GiB free of 100.0 GiB, of which 31.0 GiB must stay free: "
        "the kubelet removes images at 70 % disk usage (imageGCHighThresholdPercent in /etc/kubernetes/kubelet.conf); "
        "needed are 10.0 GiB for the bundle; 1.0 GiB are lacking"
    )


UNCLEAR = ImageGc(problem="/a: it is not text")


@pytest.mark.parametrize(
    ("gc", "size", "percent", "warning"),
    [
        pytest.param(ImageGc(70, SET), 9 * GIB, None, "", id="the kubelet leaves the images alone"),
        pytest.param(
            ImageGc(70, SET),
            9 * GIB + 1,
            5,
            f"On /var {ImageGc(70, SET).sentence}, and only 31.0 GiB will be free",
            id="less is kept",
        ),
        pytest.param(ImageGc(100, SET), 39 * GIB, 0, "", id="it never removes images"),
        pytest.param(ImageGc(70, SET), 0, 0, "", id="nothing is needed"),
        pytest.param(UNCLEAR, GIB, None, "ignored: /a: it is not text", id="unclear configuration"),
        pytest.param(UNCLEAR, 0, None, "", id="unclear, nothing is needed"),
    ],
)
def test_what_fits_and_still_has_to_be_known(gc: ImageGc, size: int, percent: int | None, warning: str) -> None:
    (verdict,) = judge([(Need("images", "/var", size), ROOM)], percent, [KubeletPlace(ROOM.device, gc)])
    assert verdict.lacking == 0
    assert [warning in one for one in verdict.warnings] == [True] * bool(warning)


def test_the_result_has_the_threshold() -> None:
    images = KubeletPlace(ROOM.device, ImageGc(70, SET))
    other = FileSystem(2, "/boot", GIB, GIB)
    first, second = judge([(Need("images", "/var", 10 * GIB), ROOM), (Need("x", "/boot", 1), other)], 0, [images])
    assert first.as_document()["image_gc"] == {
        "threshold": 70,
        "read_from": SET,
        "problem": "",
        "reserve": 31 * GIB,
        "removes_images": True,
    }
    assert second.as_document()["image_gc"] is None


@given(
    st.lists(st.integers(0, 10**12), max_size=5),
    st.integers(0, 10**12),
    st.integers(0, 100),
)
def test_what_is_found_to_fit_leaves_the_reserve(sizes: list[int], free: int, percent: int) -> None:
    place = FileSystem(1, "/", 10**12, free)
    for verdict in judge([(Need("x", "/", size), place) for size in sizes], percent):
        if verdict.needed and not verdict.lacking:
            assert free - sum(sizes) >= 10**12 * percent // 100
