# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The benchmarks at their smallest: contestants end well, and have done the same work."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.benchmarks import bundle_contest, node_staging
from ansible_collections.fieldops.openshift.tests.benchmarks.large_release import large_release
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import write_bundle
from ansible_collections.fieldops.openshift.tests.lab.registry.images import Image, ImageList, NamedImage
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

SIZES = (64 * 1024,)
SPEC = ReleaseSpec(components=6, platform_components=0, base_layers=SIZES, own_layers=SIZES, os_layers=SIZES)


@pytest.fixture(name="release", scope="module")
def _release(tmp_path_factory: pytest.TempPathFactory) -> Release:
    return large_release(tmp_path_factory.mktemp("pool"), SPEC)


def _instances(one: NamedImage) -> tuple[Image, ...]:
    assert isinstance(one.image, (Image, ImageList))
    return one.image.instances


def _digests(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize(("contestant", "blobs"), [("build", "blobs/sha256"), ("floor", ".")])
def test_whatever_fetches_a_release_has_it_whole(release: Release, tmp_path: Path, contestant: str, blobs: str) -> None:
    _fetch(release, tmp_path, contestant)
    fetched = {name.removeprefix("sha256:") for name in _digests(tmp_path / "target" / blobs)}
    assert fetched == {blob.digest.hex for blob in release.blobs}


def test_the_skopeo_loop_has_every_layer(release: Release, tmp_path: Path) -> None:
    _fetch(release, tmp_path, "skopeo")
    layers = {layer.digest.hex for one in release.images for image in _instances(one) for layer in image.layers}
    assert _digests(tmp_path / "target/shared/sha256") >= layers, "manifests and configs are converted"


def _fetch(release: Release, scratch: Path, contestant: str) -> None:
    with Registry() as registry:
        registry.publish(release)
        getattr(bundle_contest.Contest(scratch, registry, release), contestant)()


def test_staging_and_its_peer_bring_the_same(release: Release, tmp_path: Path) -> None:
    bundle = write_bundle(tmp_path / "bundle", release)
    contest = node_staging.Contest(tmp_path, bundle)
    for run in (contest.stage, contest.again, contest.floor):
        run()
    assert _digests(tmp_path / "floor") == _digests(bundle.folder / "blobs/sha256")
