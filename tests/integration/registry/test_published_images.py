# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.registry.skopeo import Skopeo
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.registry.images import DOCKER, OCI
from ansible_collections.fieldops.openshift.tests.lab.registry.programs import program
from ansible_collections.fieldops.openshift.tests.lab.registry.release import (
    PartnerSpec,
    Release,
    ReleaseFactory,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

PLAIN = "--src-tls-verify=false"
ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="only root unpacks layers with their owners")


def source(registry: Registry, release: Release, component: str = "") -> str:
    reference = release.reference_of(component) if component else release.reference
    return f"docker://{registry.host}/{reference.repository}@{reference.digest}"


def store(tmp_path: Path) -> str:
    return f"containers-storage:[vfs@{tmp_path}/root+{tmp_path}/run]"


def in_format(release: Release, media_type: str) -> str:
    """Return the name of a component whose manifest has that media type."""
    for name, image in release.components.items():
        if json.loads(release.pool.read(image.digest))["mediaType"] == media_type:
            return name
    raise AssertionError(media_type)


def tree(root: Path) -> dict[str, bytes]:
    """Return the files of a registry's storage but for uploads that have ended."""
    files = {path: path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for path, name in files.items() if "/_uploads/" not in name}


def test_storage_is_what_a_real_push_leaves_behind(factory: ReleaseFactory, release: Release, skopeo: Skopeo) -> None:
    partner = factory.partner_image()
    with Registry(quay=None) as planted, Registry(quay=None) as pushed:
        planted.publish(release)
        planted.publish_images(factory.pool, [partner])
        for one in (*release.images, partner):
            place = f"{one.reference.repository}{f':{one.reference.tag}' if one.reference.tag else ''}"
            by_digest = f"{one.reference.repository}@{one.reference.digest}"
            target = place if one.reference.tag else by_digest
            copy = ("copy", "--preserve-digests", PLAIN, "--dest-tls-verify=false")
            skopeo.ok(*copy, f"docker://{planted.host}/{by_digest}", f"docker://{pushed.host}/{target}")
        assert tree(planted.storage.root) == tree(pushed.storage.root)


def test_content_on_another_file_system_is_copied(registry: Registry) -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as elsewhere:
        factory = ReleaseFactory(Path(elsewhere))
        assert factory.pool.directory.stat().st_dev != registry.storage.root.stat().st_dev
        partner = factory.partner_image(PartnerSpec("registry.partner.example/other:1"))
        registry.publish_images(factory.pool, [partner])
        for blob in (*partner.image.blobs, *partner.image.manifests):
            assert registry.storage.blob(blob.digest).read_bytes() == factory.pool.read(blob.digest)


@pytest.mark.parametrize("component", ["", "etcd", "rhel-coreos", "aws-machine-controllers"])
def test_copies_keep_their_digest(
    shared_registry: Registry, release: Release, skopeo: Skopeo, tmp_path: Path, component: str
) -> None:
    image = release.components[component] if component else release.image
    skopeo.ok("copy", "--preserve-digests", PLAIN, source(shared_registry, release, component), f"dir:{tmp_path}/x")
    manifest = (tmp_path / "x/manifest.json").read_bytes()
    assert hashlib.sha256(manifest).hexdigest() == image.digest.hex
    assert {path.name for path in (tmp_path / "x").iterdir()} == {
        "manifest.json",
        "version",
        *(blob.digest.hex for blob in image.blobs),
    }


def test_inspection_shows_what_was_generated(shared_registry: Registry, release: Release, skopeo: Skopeo) -> None:
    tagged = f"docker://{shared_registry.host}/{release.reference.repository}:{release.reference.tag}"
    found = json.loads(skopeo.ok("inspect", "--tls-verify=false", tagged))
    (instance,) = release.image.instances
    assert found["Digest"] == str(release.image.digest)
    assert found["Layers"] == [str(layer.digest) for layer in instance.layers]
    assert found["Labels"]["io.openshift.release"] == release.spec.version
    assert found["Architecture"] == "amd64"
    assert set(found["RepoTags"]) == {"4.21.3-x86_64", "4.21.3-multi"}


def test_mirror_rule_leads_the_real_names_here(
    shared_registry: Registry, release: Release, skopeo: Skopeo, tmp_path: Path
) -> None:
    skopeo.rules(shared_registry.mirror_rules(["quay.io/openshift-release-dev"]))
    for number, one in enumerate(release.images):
        skopeo.ok("copy", f"docker://{one.reference.by_digest()}", f"dir:{tmp_path}/{number}")
    skopeo.rules(shared_registry.mirror_rules(["quay.io/openshift-release-dev"], by_digest_only=False))
    skopeo.ok("copy", f"docker://{release.reference.name}:{release.reference.tag}", f"dir:{tmp_path}/tagged")
    assert (tmp_path / "tagged/manifest.json").read_bytes() == release.pool.read(release.image.digest)


@ROOT_ONLY
@pytest.mark.parametrize("media_type", [DOCKER.manifest, OCI.manifest])
def test_container_storage_takes_images_under_their_name_and_digest(
    shared_registry: Registry, release: Release, skopeo: Skopeo, tmp_path: Path, media_type: str
) -> None:
    component = in_format(release, media_type)
    reference = release.reference_of(component)
    skopeo.ok("copy", "--preserve-digests", PLAIN, source(shared_registry, release, component), f"dir:{tmp_path}/x")
    skopeo.ok("copy", f"dir:{tmp_path}/x", f"{store(tmp_path)}{reference}")
    (found,) = json.loads((tmp_path / "root/vfs-images/images.json").read_text())
    assert found["names"] == [str(reference)]
    assert found["digest"] == str(reference.digest)


@ROOT_ONLY
def test_container_storage_refuses_another_digest(
    shared_registry: Registry, release: Release, skopeo: Skopeo, tmp_path: Path
) -> None:
    skopeo.ok("copy", PLAIN, source(shared_registry, release, "etcd"), f"dir:{tmp_path}/x")
    refusal = skopeo.failure("copy", f"dir:{tmp_path}/x", f"{store(tmp_path)}{release.reference_of('cli')}")
    assert "would not match destination reference" in refusal


@pytest.mark.parametrize("media_type", ["release image", DOCKER.list, OCI.list])
def test_lists_are_copied_whole_and_instance_by_instance(
    shared_registry: Registry, multi: Release, skopeo: Skopeo, tmp_path: Path, media_type: str
) -> None:
    component = "" if media_type == "release image" else in_format(multi, media_type)
    image = multi.components[component] if component else multi.image
    whole = source(shared_registry, multi, component)
    skopeo.ok("copy", "--all", "--preserve-digests", PLAIN, whole, f"dir:{tmp_path}/all")
    assert hashlib.sha256((tmp_path / "all/manifest.json").read_bytes()).hexdigest() == image.digest.hex
    for instance in image.instances:
        target = tmp_path / instance.architecture.oci
        skopeo.ok("--override-arch", instance.architecture.oci, "copy", PLAIN, whole, f"dir:{target}")
        assert hashlib.sha256((target / "manifest.json").read_bytes()).hexdigest() == instance.digest.hex


@ROOT_ONLY
def test_container_storage_knows_list_and_instance(
    shared_registry: Registry, multi: Release, skopeo: Skopeo, tmp_path: Path
) -> None:
    reference = multi.reference_of("etcd")
    skopeo.ok("copy", PLAIN, source(shared_registry, multi, "etcd"), f"{store(tmp_path)}{reference}")
    (found,) = json.loads((tmp_path / "root/vfs-images/images.json").read_text())
    instance = next(one for one in multi.components["etcd"].instances if one.architecture.oci == "amd64")
    manifests = {f"manifest-{digest}" for digest in (reference.digest, instance.digest)}
    assert manifests < set(found["big-data-names"])


def test_layers_are_read_by_gunzip_and_tar(release: Release, tmp_path: Path) -> None:
    for layer in {layer for image in release.components.values() for layer in image.instances[0].layers}:
        packed = release.pool.path(layer.digest)
        plain = tmp_path / layer.digest.hex
        with packed.open("rb") as reader, plain.open("wb") as writer:
            subprocess.run(["gunzip", "--stdout"], stdin=reader, stdout=writer, check=True)
        assert hashlib.sha256(plain.read_bytes()).hexdigest() == layer.diff_id.hex
        listing = subprocess.run(["tar", "-tf", plain], capture_output=True, text=True, check=True)
        assert ".bin" in listing.stdout
        assert not listing.stderr


def test_payload_is_read_by_tar(release: Release) -> None:
    (instance,) = release.image.instances
    command: list[str | Path] = [
        "tar",
        "-xzOf",
        release.pool.path(instance.layers[-1].digest),
        "release-manifests/image-references",
    ]
    content = subprocess.run(command, capture_output=True, check=True).stdout
    assert json.loads(content)["kind"] == "ImageStream"


def test_partner_images_are_served_by_tag_and_digest(
    factory: ReleaseFactory, registry: Registry, skopeo: Skopeo, tmp_path: Path
) -> None:
    partner = factory.partner_image(PartnerSpec(architectures=("x86_64", "aarch64"), is_oci=False))
    registry.publish_images(factory.pool, [partner])
    skopeo.rules(registry.mirror_rules(["registry.partner.example"], by_digest_only=False))
    tagged = f"docker://{partner.reference.name}:{partner.reference.tag}"
    assert hashlib.sha256(skopeo.ok("inspect", "--raw", tagged).encode()).hexdigest() == partner.image.digest.hex
    skopeo.ok("copy", f"docker://{partner.reference.by_digest()}", f"dir:{tmp_path}/x")


@ROOT_ONLY
def test_a_process_starts_in_an_image_with_a_shell(tmp_path: Path) -> None:
    factory = ReleaseFactory(tmp_path / "pool")
    release = factory.release(ReleaseSpec(runnable=True))
    image = release.components["etcd"].instances[0]
    assert {one.instances[0].layers[0] for one in release.components.values()} == {image.layers[0]}
    root = tmp_path / "root"
    root.mkdir()
    for layer in image.layers:
        subprocess.run(["tar", "-xzf", release.pool.path(layer.digest), "-C", root], check=True)
    script = "echo $(ls /usr/share) && test -d /proc && stat -c %a /tmp"
    done = subprocess.run(["chroot", root, "/bin/sh", "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "base-0 base-1 etcd-0\n1777\n"


def test_debian_package_is_named_when_a_program_cannot_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{program.__module__}.SEARCH_PATH", "/nonexistent")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(LabError, match="Install the Debian package skopeo"):
        program("skopeo")
