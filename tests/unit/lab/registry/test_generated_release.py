# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import gzip
import io
import json
import tarfile
import tempfile
import time
import typing as t
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB
from ansible_collections.fieldops.openshift.tests.lab.registry.images import DOCKER, OCI, Image, ImageList
from ansible_collections.fieldops.openshift.tests.lab.registry.release import (
    PartnerSpec,
    Release,
    ReleaseFactory,
    image_references_of,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.release_payload import PULLED_ALWAYS
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec

ART = "quay.io/openshift-release-dev/ocp-v4.0-art-dev@"
LARGE = ReleaseSpec(
    components=40,
    platform_components=8,
    base_layers=(10 * MIB, 10 * MIB),
    own_layers=(5 * MIB,),
    os_layers=(30 * MIB, 10 * MIB),
)


@pytest.fixture(scope="module")
def factory(tmp_path_factory: pytest.TempPathFactory) -> ReleaseFactory:
    return ReleaseFactory(tmp_path_factory.mktemp("pool"))


@pytest.fixture(scope="module")
def release(factory: ReleaseFactory) -> Release:
    return factory.release()


@pytest.fixture(scope="module")
def multi(factory: ReleaseFactory) -> Release:
    return factory.release(ReleaseSpec(architectures=("aarch64", "x86_64")))


def document(release: Release, image: Image | ImageList) -> dict[str, t.Any]:
    content: dict[str, t.Any] = json.loads(release.pool.read(image.digest))
    return content


def files(release: Release, image: Image) -> dict[str, bytes]:
    """Return the regular files of an image, upper layers over lower ones."""
    found = {}
    for layer in image.layers:
        with tarfile.open(fileobj=io.BytesIO(gzip.decompress(release.pool.read(layer.digest)))) as tar:
            for member in tar:
                content = tar.extractfile(member)
                if member.isreg() and content:
                    found[member.name] = content.read()
    return found


def test_the_same_parameters_give_the_same_release_on_every_machine(tmp_path: Path, release: Release) -> None:
    assert ReleaseFactory(tmp_path / "pool").release().image.digest == release.image.digest
    assert release.image.digest.short == "360beaf2c0d2"


def test_the_small_release_is_small(release: Release) -> None:
    assert len(release.images) == 9
    assert release.size < 5_000_000


def test_every_blob_has_the_digest_and_the_size_that_name_it(release: Release, multi: Release) -> None:
    for blob in release.blobs | multi.blobs:
        assert release.pool.add(release.pool.read(blob.digest)) == blob


def test_component_images_share_the_base_layers_and_nothing_else(release: Release) -> None:
    ordinary = [image for name, image in release.components.items() if not name.startswith("rhel-coreos")]
    layers = [layer.digest for image in ordinary for one in image.instances for layer in one.layers]
    os_layers = [layer.digest for name in ("rhel-coreos", "rhel-coreos-extensions") for layer in only(release, name)]
    assert len(layers) == 6 * 3
    assert len(set(layers)) == 2 + 6
    assert len(set(os_layers) - set(layers)) == 4


def only(release: Release, name: str) -> tuple[t.Any, ...]:
    (instance,) = release.components[name].instances
    return instance.layers


def test_a_z_stream_keeps_what_it_states(factory: ReleaseFactory, release: Release) -> None:
    spec = release.spec.next_z_stream("4.21.4", share=0.25, keeps=2, including=["etcd"])
    following = factory.release(spec)
    changed = [name for name, image in following.components.items() if image != release.components[name]]
    assert len(changed) == 2
    assert "etcd" in changed
    assert only(following, "etcd")[:2] == only(release, "etcd")[:2]
    assert only(following, "etcd")[2] != only(release, "etcd")[2]
    assert following.image.digest != release.image.digest
    payload_layer, configurations_and_manifests = 1, 2 * 3
    own_layers = len({layer for name in changed for layer in only(following, name)} - layers_of(release))
    assert len(following.blobs - release.blobs) == own_layers + payload_layer + configurations_and_manifests


def layers_of(release: Release) -> set[t.Any]:
    return {layer for image in release.components.values() for one in image.instances for layer in one.layers}


def test_both_formats_are_there_in_the_stated_shares(release: Release) -> None:
    formats = [document(release, image)["mediaType"] for image in release.components.values()]
    assert formats.count(OCI.manifest) == 4
    assert formats.count(DOCKER.manifest) == 4


def test_image_references_name_every_component_by_digest(release: Release) -> None:
    (instance,) = release.image.instances
    found = json.loads(files(release, instance)["release-manifests/image-references"])
    assert found == image_references_of(release)
    assert found["metadata"]["name"] == "4.21.3"
    named = {tag["name"]: tag["from"] for tag in found["spec"]["tags"]}
    assert named == {
        name: {"kind": "DockerImage", "name": f"{ART}{image.digest}"} for name, image in release.components.items()
    }


def test_release_metadata_names_the_version_and_where_it_can_be_reached_from(release: Release) -> None:
    (instance,) = release.image.instances
    found = json.loads(files(release, instance)["release-manifests/release-metadata"])
    assert found["kind"] == "cincinnati-metadata-v0"
    assert found["version"] == "4.21.3"
    assert found["previous"] == ["4.21.1", "4.20.12"]
    assert "release.openshift.io/architecture" not in found["metadata"]


def test_one_deployment_of_the_payload_pulls_always(release: Release) -> None:
    (instance,) = release.image.instances
    policies = {}
    for name, content in files(release, instance).items():
        if name.startswith("release-manifests/0000"):
            for manifest in yaml.safe_load_all(content):
                containers = manifest.get("spec", {}).get("template", {}).get("spec", {}).get("containers", [])
                for one in containers:
                    policies[name, manifest["kind"]] = one["imagePullPolicy"]
                    assert one["image"].startswith(ART)
    assert [place for place, policy in policies.items() if policy == "Always"] == [(PULLED_ALWAYS, "Deployment")]
    assert len(policies) == 3


def test_the_release_image_is_the_operators_image_with_one_more_layer(release: Release) -> None:
    (instance,) = release.image.instances
    assert instance.layers[:-1] == only(release, "cluster-version-operator")
    found = files(release, instance)
    assert "{{.ReleaseImage}}" in found["manifests/0000_00_cluster-version-operator_03_deployment.yaml"].decode()
    config = json.loads(release.pool.read(instance.config.digest))
    assert config["config"]["Labels"]["io.openshift.release"] == "4.21.3"
    assert config["rootfs"]["diff_ids"] == [str(layer.diff_id) for layer in instance.layers]


def test_references_are_those_of_the_real_registry(release: Release) -> None:
    digest = release.image.digest
    assert str(release.reference) == f"quay.io/openshift-release-dev/ocp-release:4.21.3-x86_64@{digest}"
    assert str(release.reference_of("etcd")) == f"{ART}{release.components['etcd'].digest}"


def test_components_of_version_5_lie_in_their_own_repository(factory: ReleaseFactory) -> None:
    assert factory.release(ReleaseSpec("5.0.1")).reference_of("etcd").repository.endswith("/ocp-v5.0-art-dev")


def test_a_release_for_several_architectures_consists_of_lists(multi: Release, release: Release) -> None:
    assert multi.spec.tag == "4.21.3-multi"
    for image in (multi.image, *multi.components.values()):
        listed = document(multi, image)
        assert listed["mediaType"] in (DOCKER.list, OCI.list)
        assert [one["platform"]["architecture"] for one in listed["manifests"]] == ["arm64", "amd64"]
        assert [one["digest"] for one in listed["manifests"]] == [str(one.digest) for one in image.instances]
    metadata = json.loads(multi.payload["release-manifests/release-metadata"])["metadata"]
    assert metadata["release.openshift.io/architecture"] == "multi"
    assert multi.components["etcd"].instances[1] == release.components["etcd"], "x86_64 is the same image as alone"


def test_os_images_carry_a_version_that_only_a_rebuild_changes(factory: ReleaseFactory, release: Release) -> None:
    same = factory.release(release.spec.next_z_stream("4.21.4", share=0.125, keeps=2, including=["etcd"]))
    other = factory.release(release.spec.next_z_stream("4.21.4", share=0.125, keeps=1, including=["rhel-coreos"]))
    assert os_version(same) == os_version(release) == "machine-os=9.6.20260101-0"
    assert os_version(other) == "machine-os=9.6.20260102-0"


def os_version(release: Release) -> str:
    tags = image_references_of(release)["spec"]["tags"]
    (found,) = [tag["annotations"] for tag in tags if tag["name"] == "rhel-coreos"]
    return str(found["io.openshift.build.versions"])


def test_partner_images_share_nothing_with_a_release(factory: ReleaseFactory, release: Release) -> None:
    partner = factory.partner_image()
    assert str(partner.reference).startswith("registry.partner.example/edge/gateway:1.4@sha256:")
    assert not set(partner.image.blobs) & release.blobs


def test_partner_images_of_the_same_layers_but_another_name_differ(factory: ReleaseFactory) -> None:
    one, other = (
        factory.partner_image(PartnerSpec(f"registry.partner.example/edge/{name}:1", architectures=("amd64", "arm64")))
        for name in ("a", "b")
    )
    assert isinstance(one.image, ImageList)
    assert not set(one.image.blobs) & set(other.image.blobs)


def test_forty_images_of_a_quarter_of_a_gigabyte_take_seconds() -> None:
    with tempfile.TemporaryDirectory() as directory:
        started = time.process_time()
        release = ReleaseFactory(Path(directory)).release(replace(LARGE, compressible=0.0))
    assert time.process_time() - started < 5, "a gigabyte has to be ready within 20 seconds"
    assert release.size > 250 * MIB
