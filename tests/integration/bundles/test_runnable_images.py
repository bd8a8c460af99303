# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Only images that a node can run travel; what is no image travels where it is asked for as a file."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.tests.integration.bundles.artifacts import HELM, Artifacts, Published
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder
from ansible_collections.fieldops.openshift.tests.lab.registry import faults
from ansible_collections.fieldops.openshift.tests.lab.registry.images import OCI
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

AMD64 = {"os": "linux", "architecture": "amd64"}
CHART = "application/vnd.cncf.helm.chart.content.v1.tar+gzip"
FOREIGN = "application/vnd.docker.image.rootfs.foreign.diff.tar.gzip"


@pytest.fixture
def artifacts(registry: Registry, release: Release) -> Artifacts:
    return Artifacts(release.pool, registry)


def chart(artifacts: Artifacts) -> Published:
    return artifacts.artifact("chart", CHART, b"a chart", config_type=HELM)


def lying_list(artifacts: Artifacts) -> Published:
    return artifacts.listing("lie", (artifacts.image("arm", architecture="arm64"), AMD64))


REFUSED: dict[str, tuple[t.Callable[[Artifacts], Published], str]] = {
    "for other machines": (lambda a: a.image("arm", architecture="arm64"), "built for 'linux/arm64', not for"),
    "for Windows": (lambda a: a.image("windows", os="windows"), "built for 'windows/amd64', not for"),
    "for newer processors": (lambda a: a.image("new", variant="v3"), "built for 'linux/amd64/v3', not for"),
    "a chart": (chart, "not an image: its config is of type 'application/vnd.cncf.helm.config.v1+json'"),
    "an artifact": (
        lambda a: a.artifact("artifact", "application/x", b"content"),
        "not an image: its config is of type 'application/vnd.oci.empty.v1",
    ),
    "a list that lies": (lying_list, "built for 'linux/arm64', not for"),
    "foreign layers": (lambda a: a.image("foreign", layer_type=FOREIGN), "are not in its registry"),
    "no layers": (lambda a: a.image("none", rootfs={"type": "layers", "diff_ids": []}), "1 layers, its config 0"),
}


@pytest.mark.parametrize(("made", "said"), REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("way", ["build", "forecast"])
def test_an_image_that_no_node_can_run_ends_the_build_before_layers_are_fetched(
    builder: Builder,
    artifacts: Artifacts,
    registry: Registry,
    made: t.Callable[[Artifacts], Published],
    said: str,
    way: str,
) -> None:
    odd = made(artifacts)
    mark = registry.access.mark()
    with pytest.raises(PayloadError) as refused:
        getattr(builder, way)(extra_images=[odd.name])
    assert said in refused.value.seen
    assert f"{odd.reference.by_digest(odd.digest)} (extra image)" in refused.value.seen
    fetched = sum(request.size for request in registry.access.requests(mark, kind="blobs"))
    assert fetched < 400_000, "the payload and configs alone were fetched"
    assert not builder.folder.index_path.exists()


def test_all_such_images_are_told_at_once(builder: Builder, artifacts: Artifacts) -> None:
    odd = [chart(artifacts).name, lying_list(artifacts).name, artifacts.image("windows", os="windows").name]
    with pytest.raises(PayloadError, match="3 images cannot run on these nodes") as refused:
        builder.build(extra_images=odd)
    told = refused.value.partial["refused_images"]
    assert sorted(one["image"].partition("@")[0].rpartition("/")[2] for one in told) == ["chart", "lie", "windows"]


def test_a_component_of_the_release_is_judged_like_any_other(
    builder: Builder, artifacts: Artifacts, release: Release
) -> None:
    odd = artifacts.image("arm", architecture="arm64")
    faulty = faults.with_reference(release, "etcd", odd.pinned)
    builder.registry.publish(faulty)
    with pytest.raises(PayloadError, match=r"\(component etcd\): it is built for 'linux/arm64'"):
        builder.build(release=str(faulty.reference.by_digest()), trusted_keys=[])


def test_attestations_in_a_list_are_never_chosen(builder: Builder, artifacts: Artifacts) -> None:
    unknown = {"os": "unknown", "architecture": "unknown"}
    attestation = artifacts.artifact("attestation", "application/vnd.in-toto+json", b"{}", config_type=OCI.config)
    good = artifacts.image("good")
    listed = artifacts.listing("built", (attestation, unknown), (good, AMD64))
    builder.build(extra_images=[listed.name])
    assert builder.index.images[-1].manifests == (listed.digest, good.digest)
    assert attestation.digest not in builder.index.blobs


def test_an_unchanged_bundle_needs_no_registry_to_be_judged_again(
    builder: Builder, artifacts: Artifacts, registry: Registry
) -> None:
    good = artifacts.image("good")
    builder.build(extra_images=[good.name])
    registry.stop()
    assert builder.build(extra_images=[good.name])["changed"] is False


FILES: dict[str, t.Callable[[Artifacts], Published]] = {
    "a chart": chart,
    "an artifact": lambda a: a.artifact("artifact", "application/x", b"one", b"two"),
    "an image for other machines": lambda a: a.image("arm", architecture="arm64"),
    "an image": lambda a: a.image("good"),
    "a list": lambda a: a.listing("list", (chart(a), None), (a.image("arm", architecture="arm64"), AMD64)),
}


@pytest.mark.parametrize("made", FILES.values(), ids=FILES)
@pytest.mark.parametrize("by", ["name", "pinned"])
def test_a_file_travels_with_everything_that_it_is_made_of(
    builder: Builder, artifacts: Artifacts, made: t.Callable[[Artifacts], Published], by: str
) -> None:
    odd = made(artifacts)
    builder.build(extra_files=[getattr(odd, by)])
    carried = builder.index.images[-1]
    assert (str(carried.name), carried.reason) == (odd.pinned, "file")
    assert carried.manifests == tuple(blob.digest for blob in odd.manifests)
    assert set(carried.content) == {blob.digest for blob in odd.blobs}
    assert not builder.damages()
