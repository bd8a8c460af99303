# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What of releases left behind may be removed, and what never is."""

from __future__ import annotations

import dataclasses
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.forecast import (
    FileSystem,
    KubeletPlace,
    Need,
    judge,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.image_gc import ImageGc
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.reclaim import (
    HeldBundle,
    Holdings,
    KnownRelease,
    ReclaimPlan,
    SiteReleases,
    known_together,
    plan_reclaim,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.storage_books import (
    StorageBooks,
    StoredImage,
    StoredLayer,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.stored_images import StoredImages
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest

COMPONENTS = "quay.io/openshift-release-dev/ocp-v4.0-art-dev"
RELEASES = "quay.io/openshift-release-dev/ocp-release"


def digest(character: str) -> Digest:
    return Digest(character * 64)


def component(character: str, repository: str = COMPONENTS) -> str:
    return f"{repository}@{digest(character)}"


def release(character: str) -> str:
    return component(character, RELEASES)


def known(version: str, *names: str) -> KnownRelease:
    return KnownRelease(version, dict.fromkeys(names, ""))


OLD, NOW, NEXT = digest("a"), digest("b"), digest("c")
ETCD_OLD, SHARED, ETCD_NOW, PARTNER = (
    component("1"),
    component("2"),
    component("3"),
    component("4", "registry.site/app"),
)
KNOWN = {
    OLD: known("4.21.3", release("a"), ETCD_OLD, SHARED),
    NOW: known("4.21.4", release("b"), ETCD_NOW, SHARED),
}
SITE = SiteReleases(NOW, (OLD,))


def image(*names: str, image_id: str = "") -> StoredImage:
    found = image_id or (names[0][-8:] if names else "nameless")
    return StoredImage(found, names, (f"layer of {found}",))


def books(*images: StoredImage, **more: t.Any) -> StorageBooks:
    layers = {layer: StoredLayer("", 10, Digest(one.image_id[-1] * 64)) for one in images for layer in one.layers}
    return StorageBooks(images, layers, **more)


def holding(*images: StoredImage, **more: t.Any) -> Holdings:
    return Holdings(**{"books": books(*images), "known": KNOWN, **more})


def bundle(name: str, of: Digest, blobs: dict[str, int], index: str = "e", **more: t.Any) -> HeldBundle:
    return HeldBundle(name, digest(index), of, name, frozenset(more.pop("names", ())), blobs, **more)


def removed(plan: ReclaimPlan) -> list[str]:
    return [name for one in plan.images for name in one.image.names]


def test_images_of_a_release_left_behind_go_and_its_own_image_goes_last() -> None:
    every = [image(name) for name in (release("a"), release("b"), ETCD_OLD, ETCD_NOW, SHARED)]
    plan = plan_reclaim(SITE, holding(*every))
    assert removed(plan) == [ETCD_OLD, release("a")]
    assert (plan.size, plan.problem) == (20, "")
    assert plan.sentence == "removes 20 B of 4.21.3 that nothing uses (2 images)"


@pytest.mark.parametrize(
    ("held", "more"),
    [
        pytest.param(image(PARTNER), {}, id="of another"),
        pytest.param(image(f"{COMPONENTS}@{digest('9')}"), {}, id="unknown in the same repository"),
        pytest.param(image(), {}, id="without a name"),
        pytest.param(image(ETCD_OLD, "localhost/mine:latest"), {}, id="with a name that someone else gave it"),
        pytest.param(image(SHARED), {}, id="that the present release has as well"),
        pytest.param(image(ETCD_OLD), {"wanted": frozenset({ETCD_OLD})}, id="that the next release has"),
        pytest.param(
            image(ETCD_OLD),
            {"wanted": frozenset({component("1", "registry.site/mirror")})},
            id="that is needed under another name",
        ),
        pytest.param(
            image(ETCD_OLD),
            {"bundles": (bundle("4.21.5", NEXT, {}, names=[ETCD_OLD]),)},
            id="that a staged bundle has",
        ),
        pytest.param(
            image(ETCD_OLD, image_id="i"),
            {"books": books(image(ETCD_OLD, image_id="i"), held=frozenset({"i"}))},
            id="of a container in the books, perhaps one that has ended",
        ),
        pytest.param(image(ETCD_OLD), {"used": frozenset({ETCD_OLD})}, id="that a container names"),
        pytest.param(
            image(ETCD_OLD, image_id="f" * 64), {"used": frozenset({"f" * 64})}, id="of a container by its id"
        ),
        pytest.param(
            image(ETCD_OLD, image_id="f" * 64), {"used": frozenset({"sha256:" + "f" * 64})}, id="by its id as a digest"
        ),
        pytest.param(
            image(ETCD_OLD), {"used": frozenset({component("1", "registry.site/mirror")})}, id="used under another name"
        ),
        pytest.param(image(ETCD_OLD), {"pinned": frozenset({ETCD_OLD})}, id="pinned"),
        pytest.param(image(ETCD_OLD), {"pinned": frozenset({f"{COMPONENTS}*"})}, id="pinned by its beginning"),
        pytest.param(image(ETCD_OLD), {"pinned": frozenset({"*art-dev*"})}, id="pinned by a part of it"),
        pytest.param(
            image(ETCD_OLD), {"known": {OLD: KNOWN[OLD]}}, id="while it is not known what the present release has"
        ),
        pytest.param(image(ETCD_OLD), {"known": {NOW: KNOWN[NOW]}}, id="of a release of which nothing is known"),
        pytest.param(
            image(ETCD_OLD),
            {"known": {**KNOWN, NEXT: known("4.21.5", ETCD_OLD)}},
            id="of a known release that was not left behind",
        ),
    ],
)
def test_an_image_never_goes(held: StoredImage, more: dict[str, t.Any]) -> None:
    plan = plan_reclaim(SITE, holding(held, **more))
    assert (plan.images, plan.images_size, plan.lost_layers) == ((), 0, frozenset())


@pytest.mark.parametrize(
    "more", [{"used": frozenset({ETCD_OLD})}, {"pinned": frozenset({ETCD_OLD})}], ids=["used", "pinned"]
)
def test_the_image_of_a_release_stays_as_long_as_what_may_go_later(more: dict[str, t.Any]) -> None:
    every = [image(name) for name in (release("a"), ETCD_OLD, SHARED)]
    assert removed(plan_reclaim(SITE, holding(*every, **more))) == []


@pytest.mark.parametrize(
    "site",
    [SiteReleases(NOW, ()), SiteReleases(OLD, (OLD,)), SiteReleases(NOW, (digest("9"),))],
    ids=["nothing is left behind", "the present release is said to be left behind", "another one is"],
)
def test_what_the_cluster_has_not_left_behind_stays(site: SiteReleases) -> None:
    staged = (bundle("4.21.3", OLD, {"x": 5}),)
    plan = plan_reclaim(site, holding(image(ETCD_OLD), image(release("a")), bundles=staged))
    assert plan.is_empty
    assert plan.sentence == ""


def test_it_says_why_it_keeps_all_images() -> None:
    plan = plan_reclaim(SITE, holding(image(ETCD_OLD), known={OLD: KNOWN[OLD]}))
    assert plan.sentence == f"keeps all images: the images of the present release {NOW.short} are unknown"


@pytest.mark.parametrize(
    ("held", "gone"),
    [
        pytest.param(bundle("4.21.3", OLD, {"x": 5}), ["4.21.3"], id="of a release left behind"),
        pytest.param(bundle("4.21.4", NOW, {"x": 5}), [], id="of the present release"),
        pytest.param(bundle("4.21.5", NEXT, {"x": 5}), [], id="of one that the cluster has not reached"),
        pytest.param(bundle("4.21.3", OLD, {"x": 5}, is_busy=True), [], id="that something works with"),
        pytest.param(bundle("4.21.3", OLD, {"x": 5}, index="d"), [], id="that the next one is a delta to"),
    ],
)
def test_bundles(held: HeldBundle, gone: list[str]) -> None:
    plan = plan_reclaim(SITE, holding(bundles=(held,), wanted=frozenset({str(digest("d"))})))
    assert ([one.folder for one in plan.bundles], plan.size) == (gone, 5 * len(gone))


def test_bytes_that_a_bundle_shares_with_one_that_stays_are_not_freed() -> None:
    staged = (
        bundle("4.21.2", OLD, {"x": 5, "y": 7}),
        bundle("4.21.3", OLD, {"y": 7, "z": 11}),
        bundle("4.21.4", NOW, {"z": 11}),
    )
    assert plan_reclaim(SITE, holding(bundles=staged)).bundles_size == 12


def test_what_goes_counts_as_absent_in_the_storage() -> None:
    plan = plan_reclaim(SITE, holding(image(ETCD_OLD), image(ETCD_NOW)))
    stored = StoredImages(frozenset({ETCD_OLD, ETCD_NOW}), frozenset({Digest("1" * 64), Digest("3" * 64)}))
    assert plan.after(stored) == StoredImages(frozenset({ETCD_NOW}), frozenset({Digest("3" * 64)}))


class TestTold:
    """What other nodes tell of releases."""

    def test_by_it_more_is_known(self) -> None:
        worker = {NOW: KNOWN[NOW]}
        together = known_together(worker, [(OLD, KNOWN[OLD])], NOW)
        assert removed(plan_reclaim(SITE, holding(image(ETCD_OLD), known=together))) == [ETCD_OLD]

    def test_by_it_more_is_kept(self) -> None:
        told = known("4.21.4", ETCD_OLD)
        together = known_together(KNOWN, [(NOW, told)], NOW)
        assert plan_reclaim(SITE, holding(image(ETCD_OLD), known=together)).is_empty

    def test_by_it_nothing_of_others_goes(self) -> None:
        lie = known("4.21.3", *KNOWN[OLD].names, PARTNER)
        together = known_together(KNOWN, [(OLD, lie)], NOW)
        assert removed(plan_reclaim(SITE, holding(image(PARTNER), image(ETCD_OLD), known=together))) == [ETCD_OLD]

    def test_a_node_that_knows_nothing_itself_removes_nothing(self) -> None:
        together = known_together({}, [(OLD, KNOWN[OLD]), (NOW, KNOWN[NOW])], NOW)
        assert plan_reclaim(SITE, holding(image(ETCD_OLD), known=together)).is_empty


GB = 10**9
DISK = 120 * GB


@dataclasses.dataclass(frozen=True)
class Site:
    """A node with the enhancement's figures: a release of 16 GB packed and 32 GB unpacked, on the smallest disk.

    Ten of each 16 GB are layers that releases share, since most of what a z-stream release brings is what it had.
    """

    packed: int = 16 * GB
    unpacked: int = 32 * GB
    shared: int = 10 * GB
    others: int = 12 * GB

    def held(self, update: int, *, cleaned: bool) -> Holdings:
        """What it holds when ``update`` begins: images of all releases so far, and the bundle of the present one."""
        names = [chr(ord("a") + number) for number in range(update)]
        kept = names[-2:] if cleaned else names
        images = [image(release(name), image_id=name * 8) for name in kept]
        layers = {one.layers[0]: StoredLayer("", self.unpacked) for one in images}
        lists = {digest(name): KnownRelease(f"4.21.{names.index(name)}", {release(name): ""}) for name in kept}
        blobs = {f"own {names[-1]}": self.packed - self.shared, "shared": self.shared}
        bundles = (bundle(f"4.21.{update}", digest(names[-1]), blobs),) if update > 1 else ()
        return Holdings(StorageBooks(tuple(images), layers), bundles, lists)

    def lacking(self, update: int, *, reclaims: bool) -> int:
        """Bytes that are lacking for an update, where each one before has been reclaimed or none has."""
        held = self.held(update, cleaned=reclaims)
        present, *left = sorted(held.known, reverse=True)
        plan = plan_reclaim(SiteReleases(present, tuple(left)), held)
        used = self.others + held.books.size_of(held.books.layers) + sum(sum(b.sizes.values()) for b in held.bundles)
        disk = FileSystem(1, "/var", DISK, DISK - used)
        needs = [
            *(plan.gains("/var", "/var") if reclaims else ()),
            Need("the bundle", "/var", self.packed - (self.shared if held.bundles else 0)),
            Need("images", "/var", self.unpacked),
            Need("layers while they are loaded", "/var", GB),
        ]
        (verdict,) = judge([(need, disk) for need in needs], None, [KubeletPlace(1, ImageGc())])
        return verdict.lacking


@pytest.mark.parametrize("update", [1, 2, 5])
def test_updates_fit_on_the_smallest_disk(update: int) -> None:
    assert Site().lacking(update, reclaims=True) == 0


@pytest.mark.parametrize(("update", "fits"), [(1, True), (2, False), (3, False)])
def test_without_a_reclaim_the_second_does_not(update: int, fits: bool) -> None:
    assert (Site().lacking(update, reclaims=False) == 0) == fits


def test_the_numbers_name_what_is_made_room_by() -> None:
    plan = ReclaimPlan(plan_reclaim(SITE, holding(image(ETCD_OLD))).images, images_size=31 * GB)
    needs = [*plan.gains("/var", "/var"), Need("the bundle", "/var", 90 * GB)]
    (verdict,) = judge([(need, FileSystem(1, "/var", DISK, 20 * GB)) for need in needs], 0)
    assert (verdict.needed, verdict.lacking) == (59 * GB, 39 * GB)
    assert "needed are 83.8 GiB for the bundle, less 28.9 GiB of what 4.21.3 left behind; 36.3 GiB" in verdict.sentence


def test_room_alone_lacks_nothing() -> None:
    (verdict,) = judge([(Need("what is gone", "/var", -GB), FileSystem(1, "/var", DISK, 0))], 50)
    assert (verdict.lacking, verdict.warnings) == (0, ())
