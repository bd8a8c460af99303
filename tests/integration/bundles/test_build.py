# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A bundle is built from a real registry: everything is there, nothing twice, and a second time costs nothing."""

from __future__ import annotations

import base64
import json
import subprocess
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.folder_ownership import worked_in
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.signature_config_map import (
    signature_config_map,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import BundleError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder, tree_digest
from ansible_collections.fieldops.openshift.tests.integration.registry.skopeo import Skopeo
from ansible_collections.fieldops.openshift.tests.lab.registry import faults
from ansible_collections.fieldops.openshift.tests.lab.registry.credentials import Credentials
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Member
from ansible_collections.fieldops.openshift.tests.lab.registry.programs import program
from ansible_collections.fieldops.openshift.tests.lab.registry.release import PartnerSpec, Release, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_payload import METADATA, PULLED_ALWAYS
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signatures import SignatureStore
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

PARTNER = "registry.partner.example/edge/gateway:1.4"


def test_everything_of_the_release_is_there_byte_for_byte(builder: Builder, release: Release) -> None:
    result = builder.build()
    index = builder.index
    assert {image.name.digest for image in index.images} == {one.image.digest for one in release.images}
    assert {blob.digest for blob in release.blobs} <= set(index.blobs)
    assert not builder.damages()
    for blob in release.blobs:
        assert builder.folder.blob(blob.digest).read_bytes() == release.pool.read(blob.digest)
    assert (index.version, index.previous) == ("4.21.3", ("4.21.1", "4.20.12"))
    assert (result["changed"], result["index_digest"]) == (True, str(index.digest))


def test_reasons_and_components_tell_why_an_image_travels(builder: Builder, release: Release) -> None:
    builder.build()
    told = {image.component: image.reason for image in builder.index.images}
    assert told[None] == "release"
    assert told["rhel-coreos"] == "os_image"
    assert told["etcd"] == "component"
    assert set(told) == {None, *release.components}


def test_nothing_but_the_bundle_is_left_in_the_folder(builder: Builder) -> None:
    builder.build()
    blobs = {blob.path for blob in builder.index.blobs.values()}
    assert builder.files() == {"index.json", "SHA256SUMS", *blobs}


def test_the_checksums_are_those_of_sha256sum(builder: Builder) -> None:
    builder.build()
    done = subprocess.run(["sha256sum", "--check", "--strict", "SHA256SUMS"], cwd=builder.path, check=False)
    assert done.returncode == 0


def test_a_second_run_asks_nobody_and_changes_nothing(builder: Builder, registry: Registry) -> None:
    builder.build()
    before = tree_digest(builder.path)
    registry.stop()
    result = builder.build()
    assert (result["changed"], result["fetched"]) == (False, 0)
    assert tree_digest(builder.path) == before


def test_two_builders_come_to_the_same_bundle(builder: Builder, tmp_path: Path) -> None:
    builder.build()
    other = builder.elsewhere(tmp_path / "other")
    other.build(connections=1)
    assert other.index.digest == builder.index.digest


def test_no_blob_is_fetched_twice(builder: Builder, registry: Registry) -> None:
    mark = registry.access.mark()
    builder.build()
    blobs = [request.name for request in registry.access.requests(mark, kind="blobs", method="GET")]
    assert len(blobs) == len(set(blobs))


def test_unpacked_sizes_are_those_of_the_layers(builder: Builder, release: Release) -> None:
    builder.build()
    layers = {layer.digest: layer.tar.size for one in release.components.values() for layer in one.instances[0].layers}
    assert {digest: builder.index.blobs[digest].unpacked_size for digest in layers} == layers


def test_the_signature_travels_in_the_form_that_a_cluster_reads(
    builder: Builder, release: Release, signatures: SignatureStore
) -> None:
    result = builder.build()
    config_map = signature_config_map(builder.index, lambda digest: builder.folder.blob(digest).read_bytes())
    assert config_map is not None
    wanted = signatures.config_map(release.image.digest)
    assert config_map["binaryData"] == wanted["binaryData"]
    assert config_map["metadata"]["name"] == wanted["metadata"]["name"]
    assert config_map["metadata"]["namespace"] == "openshift-config-managed"
    assert result["signers"]


def test_containers_that_are_pulled_always_are_reported(builder: Builder) -> None:
    found = builder.build()["always_pulled"]
    assert [(one["file"], one["name"], one["container"]) for one in found] == [
        (PULLED_ALWAYS, "downloads", "downloads")
    ]


def test_skopeo_reads_an_image_through_a_view_of_links(builder: Builder, release: Release, tmp_path: Path) -> None:
    builder.build()
    skopeo = Skopeo(tmp_path / "skopeo", [program("skopeo")])
    for image in builder.index.images:
        view = tmp_path / image.manifests[0].hex
        view.mkdir()
        (view / "version").write_text("Directory Transport Version: 1.1\n")
        (view / "manifest.json").symlink_to(builder.folder.blob(image.manifests[0]))
        for digest in image.content:
            (view / digest.hex).symlink_to(builder.folder.blob(digest))
        copy = tmp_path / f"copy-{image.manifests[0].hex}"
        skopeo.ok("copy", "--preserve-digests", f"dir:{view}", f"dir:{copy}")
        assert (copy / "manifest.json").read_bytes() == release.pool.read(image.manifests[0])


class TestRequests:
    def test_extra_images_travel_and_their_tags_are_recorded(
        self, builder: Builder, registry: Registry, factory: ReleaseFactory
    ) -> None:
        partner = factory.partner_image()
        registry.storage.publish(factory.pool, [partner])
        builder.build(extra_images=[PARTNER])
        image = builder.index.images[-1]
        assert (image.reason, image.tag, image.name.digest) == ("extra", "1.4", partner.image.digest)

    def test_a_tag_that_moves_moves_nothing_until_it_is_asked_again(
        self, builder: Builder, registry: Registry, factory: ReleaseFactory
    ) -> None:
        first, second = factory.partner_image(), factory.partner_image(PartnerSpec(seed=1))
        registry.storage.publish(factory.pool, [first])
        builder.build(extra_images=[PARTNER])
        registry.storage.publish(factory.pool, [second])
        assert builder.build(extra_images=[PARTNER])["changed"] is False
        assert builder.build(extra_images=[PARTNER], refresh_tags=True)["changed"] is True
        assert builder.index.images[-1].name.digest == second.image.digest
        assert {blob.digest for blob in first.image.blobs} & set(builder.folder.blob_digests()) == set()

    def test_a_changed_request_drops_what_is_not_needed_any_more(self, builder: Builder, release: Release) -> None:
        builder.build()
        result = builder.build(exclude=["etcd"])
        assert result["changed"] is True
        assert release.components["etcd"].digest not in builder.folder.blob_digests()
        assert builder.folder.blob_digests() == set(builder.index.blobs)
        assert result["fetched"] == 0

    def test_other_platforms_stay_at_home(self, builder: Builder) -> None:
        builder.build(platforms=["vsphere"])
        components = {image.component for image in builder.index.images}
        assert "vsphere-csi-driver" in components
        assert "aws-machine-controllers" not in components

    def test_a_release_for_other_machines_is_refused(self, builder: Builder) -> None:
        with pytest.raises(PayloadError, match="built for 'linux/amd64', not for 'linux/arm64'"):
            builder.build(architecture="aarch64")

    def test_an_image_by_digest_needs_no_tag(self, builder: Builder, release: Release) -> None:
        builder.build(release=str(release.reference.by_digest()))
        assert builder.index.release == release.reference.by_digest()
        assert builder.index.images[0].tag is None

    def test_image_references_from_a_file_replace_the_payloads(
        self, builder: Builder, release: Release, tmp_path: Path
    ) -> None:
        document = json.loads(release.payload["release-manifests/image-references"])
        document["spec"]["tags"] = [tag for tag in document["spec"]["tags"] if tag["name"] in ("etcd", "cli")]
        path = tmp_path / "image-references"
        path.write_text(json.dumps(document))
        builder.build(image_references=str(path))
        assert {image.component for image in builder.index.images} == {None, "etcd", "cli"}

    def test_a_version_that_the_image_is_not_is_refused(self, builder: Builder) -> None:
        with pytest.raises(PayloadError, match=r"it is version 4\.21\.3, not 4\.21\.4"):
            builder.build(version="4.21.4")

    def test_a_pattern_without_any_match_is_a_mistake(self, builder: Builder) -> None:
        with pytest.raises(InvalidInputError, match="no component matches 'etdc'"):
            builder.build(exclude=["etdc"])

    def test_check_mode_tells_what_would_be_fetched_and_writes_nothing(self, builder: Builder) -> None:
        seen = builder.forecast()
        assert (seen["changed"], seen["kept"]) == (True, 0)
        assert seen["fetched"] > 1_000_000
        assert not builder.path.exists()
        builder.build()
        after = builder.forecast()
        assert (after["changed"], after["fetched"]) == (False, 0)


class TestLists:
    @pytest.fixture
    def multi(self, factory: ReleaseFactory, registry: Registry) -> Release:
        release = factory.release(ReleaseSpec(architectures=("x86_64", "aarch64")))
        registry.publish(release)
        return release

    def test_the_list_travels_with_the_wanted_instance_alone(self, builder: Builder, multi: Release) -> None:
        builder.build(release=str(multi.reference), trusted_keys=[], architecture="aarch64")
        image = builder.index.images[0]
        assert image.name.digest == multi.image.digest
        wanted, other = multi.image.instances[0], multi.image.instances[1]
        if wanted.architecture.release != "aarch64":
            wanted, other = other, wanted
        assert image.manifests == (multi.image.digest, wanted.digest)
        assert other.digest not in builder.index.blobs
        assert not builder.damages()

    def test_the_list_travels_with_an_instance_for_each_architecture(self, builder: Builder, multi: Release) -> None:
        builder.settings = {
            "release": str(multi.reference),
            "trusted_keys": [],
            "further_architectures": ["aarch64"],
        }
        builder.build()
        index = builder.index
        assert [(one.version, str(one.architecture)) for one in index.releases] == [
            (multi.spec.version, "aarch64"),
            (multi.spec.version, "x86_64"),
        ]
        for named in multi.images:
            (image,) = (one for one in index.images if one.name == named.reference.by_digest())
            assert set(image.manifests) == {manifest.digest for manifest in named.image.manifests}
        assert builder.folder.blob_digests() == {blob.digest for blob in multi.blobs}
        assert not builder.damages()
        forecast = builder.forecast()
        assert (forecast["changed"], forecast["fetched"]) == (False, 0)
        assert builder.build()["changed"] is False

    def test_a_release_for_one_architecture_is_not_taken_for_several(self, builder: Builder) -> None:
        with pytest.raises(PayloadError, match="cannot run on these nodes") as caught:
            builder.build(further_architectures=["aarch64"])
        assert caught.value.on == "aarch64 nodes"

    def test_an_architecture_that_is_not_listed_is_named(self, builder: Builder, multi: Release) -> None:
        with pytest.raises(PayloadError, match="no instance for s390x, only linux/a"):
            builder.build(release=str(multi.reference), trusted_keys=[], architecture="s390x")


class TestFolders:
    def test_an_oci_layout_is_left_alone(self, builder: Builder) -> None:
        builder.path.mkdir()
        (builder.path / "oci-layout").write_text('{"imageLayoutVersion":"1.0.0"}')
        before = tree_digest(builder.path)
        with pytest.raises(BundleError, match="OCI layout"):
            builder.build()
        assert tree_digest(builder.path) == before

    def test_blobs_of_something_else_are_left_alone(self, builder: Builder) -> None:
        (builder.path / "blobs").mkdir(parents=True)
        with pytest.raises(BundleError, match="another format"):
            builder.build()

    def test_other_files_beside_the_bundle_stay(self, builder: Builder) -> None:
        builder.path.mkdir()
        (builder.path / "notes.txt").write_text("for the technician")
        builder.build()
        assert (builder.path / "notes.txt").read_text() == "for the technician"

    def test_two_builds_do_not_work_in_one_folder(self, builder: Builder) -> None:
        with worked_in(builder.folder, SystemClock()), pytest.raises(BundleError, match="another process") as caught:
            builder.build()
        assert caught.value.transient

    def test_a_damaged_index_is_built_anew_from_what_is_there(self, builder: Builder) -> None:
        builder.build()
        digest = builder.index.digest
        builder.folder.index_path.write_text("{")
        result = builder.build()
        assert (builder.index.digest, result["fetched"], result["changed"]) == (digest, 0, True)

    def test_a_damaged_blob_is_fetched_again(self, builder: Builder, release: Release) -> None:
        builder.build()
        blob = release.components["etcd"].instances[0].layers[-1].blob
        path = builder.folder.blob(blob.digest)
        path.write_bytes(b"\0" + path.read_bytes()[1:])
        result = builder.build()
        assert (result["changed"], result["fetched"]) == (True, blob.size)
        assert not builder.damages()

    def test_a_link_in_place_of_a_blob_is_replaced_and_not_followed(
        self, builder: Builder, release: Release, tmp_path: Path
    ) -> None:
        builder.build()
        digest = release.components["etcd"].instances[0].layers[-1].digest
        victim = tmp_path / "victim"
        victim.write_bytes(b"precious")
        builder.folder.blob(digest).unlink()
        builder.folder.blob(digest).symlink_to(victim)
        builder.build()
        assert victim.read_bytes() == b"precious"
        assert not builder.folder.blob(digest).is_symlink()
        assert not builder.damages()


def test_pull_secrets_and_tls_of_a_real_registry(builder: Builder, release: Release, tmp_path: Path) -> None:
    credentials = Credentials()
    with Registry(tls=True, credentials=credentials) as registry:
        registry.publish(release)
        secret = tmp_path / "pull-secret.json"
        secret.write_text(credentials.pull_secret([registry.host]))
        assert registry.authority is not None
        options: dict[str, t.Any] = {
            "mirrors": [{"source": "quay.io", "mirrors": [registry.host], "contact_source": False}],
            "pull_secret": str(secret),
            "ca_file": str(registry.authority.pair.certificate),
        }
        builder.build(registry=options)
        assert not builder.damages()
        token = base64.b64encode(f"{credentials.user}:{credentials.password}".encode())
        for path in builder.path.rglob("*"):
            if path.is_file():
                content = path.read_bytes()
                assert credentials.password.encode() not in content
                assert token not in content


def test_a_payload_that_names_a_component_twice_as_different_files_takes_the_uppermost(
    builder: Builder, release: Release, registry: Registry
) -> None:
    metadata = json.loads(release.payload[METADATA])
    newer = Member(METADATA, json.dumps({**metadata, "previous": ["4.21.2"]}).encode())
    faulty = faults.with_payload(release, {}, above=[[newer]])
    registry.publish(faulty)
    builder.build(release=str(faulty.reference.by_digest()), trusted_keys=[])
    assert builder.index.previous == ("4.21.2",)
