# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Only what the site lacks travels, and what was bundled apart becomes one bundle again."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.bundle_folder import BundleFolder
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build.merge_bundles import merge
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.bundle_objects import NoProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.verify_bundle import verify_all
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_report import comparison
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError, NoSourceError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder, tree_digest
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

NEXT = "4.21.4"


@pytest.fixture
def following(factory: ReleaseFactory, release: Release, registry: Registry) -> Release:
    """The next z-stream, of whose images half were rebuilt on the same base."""
    following = factory.release(release.spec.next_z_stream(NEXT, share=0.5, keeps=2, including=["etcd"]))
    registry.publish(following)
    return following


@pytest.fixture
def base(builder: Builder) -> Builder:
    builder.build()
    return builder


@pytest.fixture
def delta(base: Builder, following: Release, tmp_path: Path) -> Builder:
    delta = base.elsewhere(tmp_path / "delta")
    delta.settings = {"release": str(following.reference), "trusted_keys": [], "base": str(base.path)}
    delta.build()
    return delta


def test_a_delta_holds_no_blob_of_its_base(base: Builder, delta: Builder, following: Release) -> None:
    assert not set(delta.index.blobs) & set(base.index.blobs)
    assert delta.folder.blob_digests() == set(delta.index.blobs)
    assert delta.index.base == base.index.digest
    assert {blob.digest for blob in following.blobs} <= set(delta.index.blobs) | set(base.index.blobs)
    assert delta.index.size < following.size / 2
    assert not delta.damages()


def test_the_index_alone_is_base_enough(base: Builder, delta: Builder, tmp_path: Path) -> None:
    other = delta.elsewhere(tmp_path / "other")
    other.build(base=str(base.folder.index_path))
    assert other.index.digest == delta.index.digest


def test_a_delta_is_idempotent_too(delta: Builder) -> None:
    before = tree_digest(delta.path)
    assert delta.build()["changed"] is False
    assert tree_digest(delta.path) == before


def test_a_base_that_is_none_is_told(delta: Builder, tmp_path: Path) -> None:
    with pytest.raises(BundleError, match="there is no index"):
        delta.build(base=str(tmp_path / "nowhere"))
    (tmp_path / "damaged.json").write_text("{}")
    with pytest.raises(InvalidInputError, match="schemaVersion"):
        delta.build(base=str(tmp_path / "damaged.json"))


def test_what_a_delta_adds_can_be_told_beforehand(base: Builder, delta: Builder) -> None:
    added = comparison(delta.index, base.index)
    assert (added["size"], added["shared"], added["blobs"]) == (delta.index.size, 0, len(delta.index.blobs))
    assert all(name.startswith("quay.io/") for name in added["images"])


class TestMerging:
    def merged(self, target: Path, *sources: Builder | Path) -> dict[str, object]:
        paths = [str(source.path if isinstance(source, Builder) else source) for source in sources]
        return merge(str(target), paths, NoProgress())

    def test_a_delta_and_its_base_are_the_whole_release(
        self, base: Builder, delta: Builder, tmp_path: Path, registry: Registry
    ) -> None:
        registry.stop()
        target = BundleFolder(tmp_path / "merged")
        result = self.merged(target.path, delta, base)
        index = target.require_index()
        assert (index.version, index.base, result["changed"]) == (NEXT, None, True)
        assert not verify_all(target, index)
        assert self.merged(target.path, delta, base)["changed"] is False

    def test_they_are_the_bundle_that_would_have_been_built_at_once(
        self, base: Builder, delta: Builder, tmp_path: Path
    ) -> None:
        whole = delta.elsewhere(tmp_path / "whole")
        whole.build(base=None)
        self.merged(tmp_path / "merged", delta, base)
        assert BundleFolder(tmp_path / "merged").require_index().digest == whole.index.digest

    def test_a_base_that_is_in_place_already_is_used_and_replaced(self, base: Builder, delta: Builder) -> None:
        dropped = set(base.index.blobs) - set(delta.index.needed())
        self.merged(base.path, delta)
        assert (base.index.version, base.index.base) == (NEXT, None)
        assert not base.damages()
        assert not dropped & base.folder.blob_digests()

    def test_without_its_base_a_delta_stays_one(self, delta: Builder, tmp_path: Path) -> None:
        self.merged(tmp_path / "copy", delta)
        assert BundleFolder(tmp_path / "copy").require_index().digest == delta.index.digest

    def test_images_bundled_apart_join_their_release(
        self, base: Builder, factory: ReleaseFactory, registry: Registry, tmp_path: Path
    ) -> None:
        partner = factory.partner_image()
        registry.storage.publish(factory.pool, [partner])
        apart = base.elsewhere(tmp_path / "apart")
        apart.build(only=["etcd"], extra_images=["registry.partner.example/edge/gateway:1.4"])
        self.merged(tmp_path / "merged", base, apart)
        target = BundleFolder(tmp_path / "merged")
        names = {image.name for image in target.require_index().images}
        assert names == {image.name for image in (*base.index.images, *apart.index.images)}
        assert not verify_all(target, target.require_index())

    def test_two_releases_are_not_mixed(self, base: Builder, delta: Builder, tmp_path: Path) -> None:
        whole = delta.elsewhere(tmp_path / "whole")
        whole.build(base=None)
        with pytest.raises(BundleError, match=r"neither of the release 4\.21\.4 nor a base"):
            self.merged(tmp_path / "merged", whole, base)

    def test_a_damaged_source_names_the_blob_and_another_source_helps(self, base: Builder, tmp_path: Path) -> None:
        blob = max(base.index.blobs.values(), key=lambda blob: blob.size)
        copy = base.elsewhere(tmp_path / "copy")
        copy.build()
        path = base.folder.blob(blob.digest)
        path.write_bytes(bytes(blob.size))
        with pytest.raises(NoSourceError, match="it returned wrong bytes for") as caught:
            self.merged(tmp_path / "merged", base)
        assert str(blob.digest) in caught.value.attempted
        self.merged(tmp_path / "merged", base, copy)
        target = BundleFolder(tmp_path / "merged")
        assert not verify_all(target, target.require_index())
