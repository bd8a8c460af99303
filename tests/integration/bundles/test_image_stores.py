# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Image stores made of bundles by real skopeo, mksquashfs and mkfs.erofs, and mounted as a node does."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.merge_bundles import merge
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import NoProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.image_store.build import build_store
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.verify_bundle import verify_all
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import (
    BundleError,
    DamagedBundleError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_index import (
    BundledStore,
    BundleIndex,
)
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle
from ansible_collections.fieldops.openshift.tests.integration.plays import PlayRun, run_play
from ansible_collections.fieldops.openshift.tests.lab.debian import require_packages
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release, ReleaseFactory

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(os.geteuid() != 0, reason="files in images belong to all kinds of users"),
]


@pytest.fixture(scope="module", autouse=True)
def _programs() -> None:
    require_packages(["skopeo", "squashfs-tools", "erofs-utils"])


@pytest.fixture(scope="module")
def written(factory: ReleaseFactory, release: Release, tmp_path_factory: pytest.TempPathFactory) -> list[WrittenBundle]:
    """Four releases: each rebuilt half of the images of the one before."""
    releases = [release]
    for number in range(4, 7):
        spec = releases[-1].spec.next_z_stream(f"4.21.{number}", share=0.5, keeps=2, including=["etcd"])
        releases.append(factory.release(spec))
    folder = tmp_path_factory.mktemp("written")
    return [write_bundle(folder / one.spec.version, one) for one in releases]


class Workshop:
    """Copies of the bundles, and stores made of them."""

    def __init__(self, folder: Path, written: list[WrittenBundle]) -> None:
        self.folder = folder
        self.scratch = folder / "scratch"
        self.scratch.mkdir()
        self._written = written

    def bundle(self, number: int = 0) -> BundleFolder:
        """Return the copy of a bundle."""
        source = self._written[number]
        path = self.folder / source.index.version
        if not path.exists():
            shutil.copytree(source.folder, path, copy_function=os.link)
        return BundleFolder(path)

    def make(self, bundle: BundleFolder, *bases: BundleFolder, **changes: t.Any) -> dict[str, t.Any]:
        """Make a store, as the job does."""
        order = {
            "path": str(bundle.path),
            "filesystem": "squashfs",
            "compression": "zstd",
            "bases": [str(base.path) for base in bases],
            "scratch": str(self.scratch),
            **changes,
        }
        return build_store(order, NoProgress())

    def store(self, bundle: BundleFolder) -> BundledStore:
        """Return the newest store of a bundle."""
        return bundle.require_index().stores[0]

    @contextlib.contextmanager
    def mounted(self, bundle: BundleFolder) -> Iterator[Path]:
        """Mount the store of a bundle."""
        store, place = self.store(bundle), self.folder / f"mounted-{bundle.path.name}"
        place.mkdir()
        subprocess.run(["mount", "-t", store.filesystem, "-o", "ro", bundle.blob(store.digest), place], check=True)
        try:
            yield place
        finally:
            subprocess.run(["umount", place], check=True)

    def leftovers(self) -> list[str]:
        """Return what is left of the work: files in the scratch folder, mounts below it."""
        mounts = [line for line in Path("/proc/self/mounts").read_text().splitlines() if str(self.scratch) in line]
        return [*(path.name for path in self.scratch.iterdir()), *mounts]


@pytest.fixture
def workshop(tmp_path: Path, written: list[WrittenBundle]) -> Workshop:
    return Workshop(tmp_path, written)


def names_in(store: Path) -> set[str]:
    """Return the names of the images in a mounted store."""
    book = json.loads((store / "overlay-images/images.json").read_text())
    return {name for image in book for name in image["names"]}


def names_of(index: BundleIndex) -> set[str]:
    return {str(image.name) for image in index.images}


def layers_in(store: Path) -> set[str]:
    return {layer["id"] for layer in json.loads((store / "overlay-layers/layers.json").read_text())}


@pytest.mark.parametrize(
    ("filesystem", "compression"),
    [("squashfs", "zstd"), ("squashfs", "none"), ("squashfs", "lz4"), ("erofs", "none"), ("erofs", "lz4")],
)
def test_a_store_has_every_image_under_its_name(workshop: Workshop, filesystem: str, compression: str) -> None:
    bundle = workshop.bundle()
    before = bundle.require_index()
    result = workshop.make(bundle, filesystem=filesystem, compression=compression)
    index = bundle.require_index()
    store = workshop.store(bundle)
    assert (result["changed"], result["index_digest"]) == (True, str(index.digest))
    assert (store.filesystem, store.compression, store.base, store.depth) == (filesystem, compression, None, 0)
    assert set(index.blobs) == {*before.blobs, store.digest}
    assert not verify_all(bundle, index)
    assert str(store.digest.hex) in (bundle.path / "SHA256SUMS").read_text()
    with workshop.mounted(bundle) as place:
        assert names_in(place) == names_of(index)
        assert store.unpacked_size == sum(path.lstat().st_size for path in place.rglob("*") if not path.is_dir())
    assert workshop.leftovers() == []


def test_a_store_that_is_there_is_left_alone(workshop: Workshop) -> None:
    bundle = workshop.bundle()
    first = workshop.make(bundle)
    second = workshop.make(bundle)
    assert (second["changed"], second["store"], second["index_digest"]) == (
        False,
        first["store"],
        first["index_digest"],
    )


def test_a_bundle_may_have_stores_of_two_formats(workshop: Workshop) -> None:
    bundle = workshop.bundle()
    workshop.make(bundle)
    workshop.make(bundle, filesystem="erofs", compression="none")
    index = bundle.require_index()
    assert [store.filesystem for store in index.stores] == ["erofs", "squashfs"]
    assert not verify_all(bundle, index)


def test_a_store_that_was_lost_is_made_again(workshop: Workshop) -> None:
    bundle = workshop.bundle()
    first = workshop.make(bundle)
    bundle.blob(workshop.store(bundle).digest).unlink()
    second = workshop.make(bundle)
    assert second["changed"] is True
    assert [str(store.digest) for store in bundle.require_index().stores] == [second["store"]]
    assert first["index_digest"] != second["index_digest"]


def test_a_damaged_bundle_becomes_no_store_and_stays_what_it_was(workshop: Workshop) -> None:
    bundle = workshop.bundle()
    index = bundle.require_index()
    victim = max(index.blobs.values(), key=lambda blob: blob.size)
    path = bundle.blob(victim.digest)
    content = bytearray(path.read_bytes())
    content[40] ^= 1
    path.unlink()
    path.write_bytes(content)
    with pytest.raises(DamagedBundleError) as caught:
        workshop.make(bundle)
    assert caught.value.partial["damage"][0]["blob"] == str(victim.digest)
    assert bundle.require_index() == index
    assert workshop.leftovers() == []


def test_a_build_that_was_killed_leaves_nothing_to_the_next_one(workshop: Workshop) -> None:
    bundle = workshop.bundle()
    order = {"path": str(bundle.path), "filesystem": "squashfs", "compression": "zstd", "bases": []}
    module = build_store.__module__
    program = (
        f"import json, sys; from {module} import build_store; from {NoProgress.__module__} import NoProgress; "
        "build_store(json.loads(sys.argv[1]), NoProgress())"
    )
    words = [sys.executable, "-c", program, json.dumps({**order, "scratch": str(workshop.scratch)})]
    with subprocess.Popen(words, start_new_session=True) as process:
        patience = time.monotonic() + 120
        while not any(workshop.scratch.glob("*/store/overlay-layers/layers.json")):
            assert process.poll() is None
            assert time.monotonic() < patience
            time.sleep(0.01)
        os.killpg(process.pid, 9)
    assert workshop.leftovers() != []
    assert workshop.make(bundle)["changed"] is True
    assert workshop.leftovers() == []
    assert not verify_all(bundle, bundle.require_index())


class TestDeltas:
    """A store that holds only what another store lacks."""

    def test_a_delta_holds_only_new_layers_and_names_its_base(self, workshop: Workshop) -> None:
        base, following = workshop.bundle(0), workshop.bundle(1)
        workshop.make(base)
        workshop.make(following, base)
        store = workshop.store(following)
        assert (store.base, store.depth) == (workshop.store(base).digest, 1)
        with workshop.mounted(base) as below, workshop.mounted(following) as above:
            assert names_in(above) == names_of(following.require_index())
            assert not layers_in(above) & layers_in(below)
        assert workshop.leftovers() == []

    def test_over_two_deltas_the_next_store_is_whole_again(self, workshop: Workshop) -> None:
        bundles = [workshop.bundle(number) for number in range(4)]
        results = [workshop.make(one, *reversed(bundles[:number])) for number, one in enumerate(bundles)]
        assert [workshop.store(one).depth for one in bundles] == [0, 1, 2, 0]
        assert [one["merged"] for one in results] == [False, False, False, True]

    def test_a_base_without_a_store_is_refused(self, workshop: Workshop) -> None:
        with pytest.raises(BundleError, match="it has no image store"):
            workshop.make(workshop.bundle(1), workshop.bundle(0))

    def test_a_base_whose_store_is_damaged_is_refused(self, workshop: Workshop) -> None:
        base = workshop.bundle(0)
        workshop.make(base)
        with base.blob(workshop.store(base).digest).open("r+b") as file:
            file.seek(100)
            file.write(b"\xff")
        with pytest.raises(DamagedBundleError, match="damaged"):
            workshop.make(workshop.bundle(1), base)

    def test_a_delta_bundle_gets_a_store_with_the_help_of_its_base(
        self, workshop: Workshop, written: list[WrittenBundle], factory: ReleaseFactory, release: Release
    ) -> None:
        base = workshop.bundle(0)
        workshop.make(base)
        spec = release.spec.next_z_stream("4.21.4", share=0.5, keeps=2, including=["etcd"])
        small = write_bundle(workshop.folder / "delta", factory.release(spec), base=written[0].index)
        delta = BundleFolder(small.folder)
        with pytest.raises(BundleError, match="blobs are only in the base"):
            workshop.make(delta)
        workshop.make(delta, base)
        assert set(workshop.store(delta).images) == names_of(delta.require_index())


class TestOtherWorkOnTheBundle:
    """A store is not reproducible, so nothing may lose it unasked."""

    def test_building_the_bundle_again_keeps_it(self, workshop: Workshop, builder: Builder) -> None:
        builder.build()
        made = workshop.make(builder.folder)
        assert builder.forecast()["changed"] is False
        again = builder.build()
        assert (again["changed"], again["index_digest"]) == (False, made["index_digest"])
        assert not builder.damages()

    def test_it_travels_with_a_copy(self, workshop: Workshop, builder: Builder, tmp_path: Path) -> None:
        builder.build()
        made = workshop.make(builder.folder)
        target = BundleFolder(tmp_path / "copy")
        merge(str(target.path), [str(builder.path)], NoProgress())
        index = target.require_index()
        assert (str(index.digest), verify_all(target, index)) == (made["index_digest"], [])


class TestModule:
    """bundle_image_store and its twin as a user runs them."""

    def run(self, workshop: Workshop, module: str, *words: str, **options: t.Any) -> PlayRun:
        task = {f"fieldops.openshift.{module}": {"path": str(workshop.bundle().path), **options}}
        return run_play(workshop.folder, task, *words, XDG_STATE_HOME=str(workshop.folder / "state"))

    def test_it_makes_shows_keeps_and_removes_a_store(self, workshop: Workshop) -> None:
        wanted = {"scratch": str(workshop.scratch), "wait": True, "wait_timeout": 100}
        first = self.run(workshop, "bundle_image_store", **wanted)
        assert first.result["changed"] is True, first.output
        assert first.result["store"]["kernels"] == "Linux 4.14, RHEL 8"
        assert (first.result["store"]["whole"], first.result["store"]["merged"]) == (True, False)
        assert "has the image store sha256:" in first.output
        second = self.run(workshop, "bundle_image_store", **wanted)
        assert (second.result["changed"], second.result["bundle"]) == (False, first.result["bundle"])
        gone = self.run(workshop, "bundle_image_store", state="absent").result
        assert (gone["changed"], gone["bundle"]["stores"]) == (True, [])
        assert self.run(workshop, "bundle_image_store", state="absent").result["changed"] is False

    def test_check_mode_tells_and_makes_nothing(self, workshop: Workshop) -> None:
        seen = self.run(workshop, "bundle_image_store", "--check", scratch=str(workshop.scratch)).result
        assert (seen["changed"], seen["forecast"]["base"], workshop.leftovers()) == (True, None, [])
        assert workshop.bundle().require_index().stores == ()
