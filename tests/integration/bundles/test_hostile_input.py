# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Registries, payloads and disks at their worst: an error that names image and blob, and the bundle as before."""

from __future__ import annotations

import json
import os
import subprocess
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.bundle_errors import PayloadError
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.build import build_space
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import (
    DiskFullError,
    FileAccessError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._net.registry.registry_errors import (
    LoginRefusedError,
    RegistryError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.bundle_errors import NoSourceError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError, InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder, tree_digest
from ansible_collections.fieldops.openshift.tests.lab.registry import faults
from ansible_collections.fieldops.openshift.tests.lab.registry.credentials import Credentials
from ansible_collections.fieldops.openshift.tests.lab.registry.images import as_bytes
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Member
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_payload import METADATA, REFERENCES
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="file systems are root's")


def layer_of(release: Release, component: str) -> t.Any:
    return release.components[component].instances[0].layers[-1].blob


def publish(builder: Builder, release: Release) -> dict[str, t.Any]:
    """Publish a faulty release and return what the request for it changes."""
    builder.registry.publish(release)
    return {"release": str(release.reference.by_digest()), "trusted_keys": []}


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(faults.truncate_blob, id="truncated"),
        pytest.param(faults.flip_byte, id="a byte flipped"),
        pytest.param(lambda storage, digest: storage.forget(digest), id="lost"),
        pytest.param(lambda storage, digest: storage.overwrite(digest, b""), id="empty"),
        pytest.param(lambda storage, digest: storage.overwrite(digest, b"x" * 10_000_000), id="longer"),
    ],
)
def test_a_damaged_layer_ends_the_build_and_is_fetched_once_it_is_right(
    builder: Builder, release: Release, registry: Registry, damage: t.Callable[..., None]
) -> None:
    blob = layer_of(release, "etcd")
    damage(registry.storage, blob.digest)
    with pytest.raises(NoSourceError) as caught:
        builder.build()
    assert str(release.reference_of("etcd")) in caught.value.on
    assert str(blob.digest) in caught.value.attempted
    assert not builder.folder.index_path.exists()
    complete = sum(builder.folder.blob_size(one) or 0 for one in builder.folder.blob_digests())
    registry.storage.overwrite(blob.digest, release.pool.read(blob.digest))
    fetched = builder.build()["fetched"]
    assert not builder.damages()
    assert 0 < fetched <= builder.index.size - complete, "what was right is not fetched again"
    assert complete, "blobs that came before the damaged one are kept"


def test_a_failed_update_leaves_the_bundle_as_it_was(
    builder: Builder, release: Release, registry: Registry, factory: ReleaseFactory
) -> None:
    builder.build()
    digest = builder.index.digest
    following = factory.release(release.spec.next_z_stream("4.21.4", share=0.5, keeps=2, including=["etcd"]))
    registry.publish(following)
    faults.flip_byte(registry.storage, layer_of(following, "etcd").digest)
    with pytest.raises(NoSourceError):
        builder.build(release=str(following.reference), trusted_keys=[])
    assert builder.index.digest == digest
    assert not builder.damages()


def test_a_damaged_manifest_is_told_by_image(builder: Builder, release: Release, registry: Registry) -> None:
    faults.flip_byte(registry.storage, release.components["etcd"].digest)
    with pytest.raises(FieldOpsError) as caught:
        builder.build()
    assert str(release.components["etcd"].digest) in str(caught.value)


class TestPayloads:
    @pytest.mark.parametrize("name", [REFERENCES, METADATA])
    def test_an_image_without_a_payload_is_no_release(self, builder: Builder, release: Release, name: str) -> None:
        with pytest.raises(PayloadError, match=f"it has no {name}, so it is not a release image"):
            builder.build(**publish(builder, faults.with_payload(release, {}, without=[name])))

    def test_a_payload_that_an_upper_layer_removed_is_not_there(self, builder: Builder, release: Release) -> None:
        faulty = faults.with_payload(release, {}, above=[[Member.whiteout(REFERENCES)]])
        with pytest.raises(PayloadError, match="not a release image"):
            builder.build(**publish(builder, faulty))

    @pytest.mark.parametrize(
        "member",
        [
            pytest.param(Member.symlink(REFERENCES, "/etc/passwd"), id="a link"),
            pytest.param(Member.directory(REFERENCES), id="a directory"),
        ],
    )
    def test_a_payload_that_is_no_file_is_not_read(self, builder: Builder, release: Release, member: Member) -> None:
        faulty = faults.with_payload(release, {}, above=[[member]])
        with pytest.raises(PayloadError, match="not a release image"):
            builder.build(**publish(builder, faulty))

    def test_members_that_lead_out_of_the_layer_are_passed_over(
        self, builder: Builder, release: Release, tmp_path: Path
    ) -> None:
        escape = f"../../../../../../../../{tmp_path}/escaped"
        faulty = faults.with_payload(release, {}, above=[[Member(escape, b"hostile"), Member("/" + escape, b"x")]])
        builder.build(**publish(builder, faulty))
        assert not (tmp_path / "escaped").exists()

    @pytest.mark.parametrize(
        ("fault", "said"),
        [
            pytest.param(lambda r: faults.with_escaping_reference(r, "etcd"), "the repository", id="reference"),
            pytest.param(lambda r: faults.with_escaping_component(r, "etcd"), "characters", id="component"),
            pytest.param(
                lambda r: faults.with_reference(r, "etcd", "quay.io/a/b:latest"), "not named by digest", id="tag"
            ),
            pytest.param(lambda r: faults.with_reference(r, "etcd", "etcd"), "registry host", id="unqualified"),
            pytest.param(
                lambda r: faults.with_reference(r, "etcd", "-v /:/host quay.io/a@sha256:" + "0" * 64),
                "registry",
                id="an option",
            ),
            pytest.param(
                lambda r: faults.with_image_references(r, lambda d: d["spec"]["tags"].append(d["spec"]["tags"][0])),
                "listed twice",
                id="twice",
            ),
            pytest.param(
                lambda r: faults.with_image_references(r, lambda d: d.update(kind="List")), "ImageStream", id="kind"
            ),
            pytest.param(
                lambda r: faults.with_image_references(r, lambda d: d["metadata"].update(name="6.6.6")),
                "that of image-references",
                id="another version",
            ),
            pytest.param(
                lambda r: faults.with_payload(r, {REFERENCES: b"[" * 100_000}), "not JSON", id="nested without end"
            ),
            pytest.param(
                lambda r: faults.with_payload(r, {METADATA: b'{"kind":"x","version":"4.21.3"}'}), "kind", id="metadata"
            ),
        ],
    )
    def test_a_payload_that_cannot_be_right_names_what_is_wrong(
        self, builder: Builder, release: Release, fault: t.Callable[[Release], Release], said: str
    ) -> None:
        with pytest.raises(PayloadError, match=said) as caught:
            builder.build(**publish(builder, fault(release)))
        assert "quay.io/openshift-release-dev/ocp-release@" in caught.value.on
        assert not builder.folder.index_path.exists()

    def test_a_digest_that_nobody_has_is_named(self, builder: Builder, release: Release) -> None:
        with pytest.raises(RegistryError, match=str(faults.NOWHERE)):
            builder.build(**publish(builder, faults.with_wrong_digest(release, "etcd")))


class TestManifests:
    def replaced(self, builder: Builder, release: Release, change: t.Callable[[dict[str, t.Any]], object]) -> str:
        """Publish a changed manifest of the component "cli" and return a name for it."""
        manifest = json.loads(release.pool.read(release.components["cli"].digest))
        change(manifest)
        blob = release.pool.add(as_bytes(manifest))
        storage, repository = builder.registry.storage, "edge/odd"
        storage.publish(release.pool, [_Odd(release, repository, blob)])  # type: ignore[list-item]
        return f"registry.partner.example/{repository}@{blob.digest}"

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            pytest.param(lambda m: m["config"].update(size=1 << 60), "not possible", id="absurd size"),
            pytest.param(lambda m: m["config"].update(size=-1), "not possible", id="negative size"),
            pytest.param(lambda m: m["config"].update(digest="md5:0"), "sha256:", id="other digest"),
            pytest.param(lambda m: m["layers"][0].update(digest="sha256:../../x"), "sha256:", id="path as digest"),
            pytest.param(lambda m: m.pop("config"), "config is missing", id="no config"),
            pytest.param(lambda m: m.update(layers=m["layers"] * 2000), "layers", id="too many layers"),
        ],
    )
    def test_a_manifest_that_cannot_be_right_names_the_field(
        self, builder: Builder, release: Release, change: t.Callable[[dict[str, t.Any]], object], said: str
    ) -> None:
        name = self.replaced(builder, release, change)
        with pytest.raises(FieldOpsError, match=said) as caught:
            builder.build(extra_images=[name])
        assert name.rpartition("@")[2] in str(caught.value)

    def test_two_manifests_that_contradict_each_other_about_a_blob_are_refused(
        self, builder: Builder, release: Release
    ) -> None:
        name = self.replaced(builder, release, lambda m: m["layers"][0].update(size=m["layers"][0]["size"] + 1))
        with pytest.raises(PayloadError, match="another says"):
            builder.build(extra_images=[name])


class TestLogins:
    @pytest.mark.parametrize("secret", ["none", "wrong", "foreign"])
    def test_a_pull_secret_that_does_not_fit_is_told_by_registry(
        self, builder: Builder, release: Release, tmp_path: Path, secret: str
    ) -> None:
        with Registry(credentials=Credentials()) as registry:
            registry.publish(release)
            builder.registry = registry
            options = builder.document()["registry"]
            del options["pull_secret"]
            if secret != "none":
                host = registry.host if secret == "wrong" else "elsewhere.example"
                path = tmp_path / "pull-secret.json"
                path.write_text(Credentials(password="kanarienvogel").pull_secret([host]))
                options["pull_secret"] = str(path)
            with pytest.raises(LoginRefusedError) as caught:
                builder.build(registry=options)
            assert registry.host in str(caught.value)
            assert "kanarienvogel" not in str(caught.value)

    @pytest.mark.parametrize("option", ["pull_secret", "registries_conf"])
    def test_a_file_that_is_missing_is_told_by_option(self, builder: Builder, tmp_path: Path, option: str) -> None:
        options = {**builder.document()["registry"], option: str(tmp_path / "nowhere")}
        with pytest.raises(InvalidInputError, match=f"{option} on .*nowhere: there is no such file"):
            builder.build(registry=options)


class TestDisks:
    @as_root
    def test_a_disk_that_is_too_small_is_refused_before_the_first_layer(
        self, builder: Builder, tmp_path: Path, registry: Registry
    ) -> None:
        disk = tmp_path / "disk"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", disk], check=True)
        try:
            small = builder.elsewhere(disk / "bundle")
            mark = registry.access.mark()
            with pytest.raises(DiskFullError, match="it requires another"):
                small.build()
            fetched = sum(request.size for request in registry.access.requests(mark, kind="blobs"))
            assert fetched < 400_000, "only the payload was read"
        finally:
            subprocess.run(["umount", disk], check=True)

    @as_root
    def test_a_disk_that_fills_meanwhile_names_the_blob_and_the_build_goes_on_later(
        self, builder: Builder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        disk = tmp_path / "disk"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], check=True)
        try:
            builder.build()
            small = builder.elsewhere(disk / "bundle")
            monkeypatch.setattr(build_space, "RESERVE", -(1 << 40))
            with pytest.raises(DiskFullError, match="file system is full") as caught:
                small.build()
            assert caught.value.partial["blob"] in [str(digest) for digest in builder.index.blobs]
            subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
            assert small.build()["kept"] > 500_000
            assert not small.damages()
        finally:
            subprocess.run(["umount", disk], check=True)

    @as_root
    def test_a_read_only_disk_is_told(self, builder: Builder, tmp_path: Path) -> None:
        disk = tmp_path / "disk"
        disk.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", disk], check=True)
        try:
            with pytest.raises(FileAccessError, match="read-only"):
                builder.elsewhere(disk / "bundle").build()
        finally:
            subprocess.run(["umount", disk], check=True)

    def test_a_file_in_place_of_the_folder_is_left_alone(self, builder: Builder) -> None:
        builder.path.write_text("notes")
        with pytest.raises(FileAccessError):
            builder.build()
        assert builder.path.read_text() == "notes"

    def test_a_link_in_place_of_the_blobs_is_not_followed(self, builder: Builder, tmp_path: Path) -> None:
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir()
        builder.build()
        for path in (builder.path / "blobs/sha256").iterdir():
            path.unlink()
        (builder.path / "blobs/sha256").rmdir()
        (builder.path / "blobs/sha256").symlink_to(elsewhere)
        before = tree_digest(elsewhere)
        with pytest.raises(FileAccessError):
            builder.build()
        assert tree_digest(elsewhere) == before


class _Odd:
    """An image that only the registry's storage has to accept."""

    def __init__(self, release: Release, repository: str, manifest: t.Any) -> None:
        self.reference = ImageReference("registry.partner.example", repository, digest=manifest.digest)
        self.image = self
        self.digest = manifest.digest
        self.manifests = (manifest,)
        self.blobs = release.components["cli"].instances[0].blobs
