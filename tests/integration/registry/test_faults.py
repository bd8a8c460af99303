# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Each fault is one that a real tool trips over."""

from __future__ import annotations

import json
import subprocess
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.registry.skopeo import Skopeo
from ansible_collections.fieldops.openshift.tests.lab.registry import faults
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import Keyring, SigningKey
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Member
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_payload import METADATA, REFERENCES
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signatures import SignatureStore
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry


def pulled(registry: Registry, release: Release, skopeo: Skopeo, component: str) -> str:
    """Return what skopeo has against a component, or an empty text."""
    reference = release.reference_of(component)
    source = f"docker://{registry.host}/{reference.repository}@{reference.digest}"
    done = skopeo.run("copy", "--src-tls-verify=false", source, f"dir:{skopeo.directory}/x")
    return done.stderr if done.returncode else ""


def served_references(registry: Registry, release: Release, skopeo: Skopeo) -> dict[str, str]:
    """Return name and pull specification of each component, read from the release image by skopeo and tar."""
    target = skopeo.directory / "release"
    source = f"docker://{registry.host}/{release.reference.repository}@{release.reference.digest}"
    skopeo.ok("copy", "--src-tls-verify=false", source, f"dir:{target}")
    top = json.loads((target / "manifest.json").read_text())["layers"][-1]["digest"].partition(":")[2]
    command: list[str | Path] = ["tar", "-xzOf", target / top, REFERENCES]
    document = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    return {tag["name"]: tag["from"]["name"] for tag in document["spec"]["tags"]}


@pytest.mark.parametrize(
    ("damage", "complaint"),
    [
        pytest.param(faults.truncate_blob, "did not match", id="truncated"),
        pytest.param(faults.flip_byte, "did not match", id="flipped byte"),
        pytest.param(lambda storage, digest: storage.forget(digest), "404 (Not Found)", id="lost"),
    ],
)
def test_damaged_layers_fail_in_this_registry_and_nowhere_else(
    registry: Registry, release: Release, skopeo: Skopeo, damage: t.Callable[..., None], complaint: str
) -> None:
    assert not pulled(registry, release, skopeo, "etcd")
    damage(registry.storage, release.components["etcd"].instances[0].layers[-1].digest)
    assert complaint in pulled(registry, release, skopeo, "etcd")
    assert not pulled(registry, release, skopeo, "rhel-coreos")
    with Registry(quay=None) as other:
        other.publish(release)
        assert not pulled(other, release, skopeo, "etcd")


def test_a_damaged_manifest_fails(registry: Registry, release: Release, skopeo: Skopeo) -> None:
    document = release.pool.read(release.components["etcd"].digest)
    faults.flip_byte(registry.storage, release.components["etcd"].digest, document.index(b"schemaVersion"))
    assert pulled(registry, release, skopeo, "etcd")


def test_a_tag_moves_to_another_image(
    registry: Registry, factory: ReleaseFactory, release: Release, skopeo: Skopeo
) -> None:
    following = factory.release(release.spec.next_z_stream("4.21.4", share=0.25, keeps=2))
    registry.publish(following)
    tagged = f"docker://{registry.host}/{release.reference.repository}:{release.reference.tag}"
    assert json.loads(skopeo.ok("inspect", "--tls-verify=false", tagged))["Digest"] == str(release.image.digest)
    faults.move_tag(registry.storage, release.reference, following.images[0])
    assert json.loads(skopeo.ok("inspect", "--tls-verify=false", tagged))["Digest"] == str(following.image.digest)


def test_a_wrong_digest_names_nothing_there_is(registry: Registry, release: Release, skopeo: Skopeo) -> None:
    faulty = faults.with_wrong_digest(release, "etcd")
    registry.publish(faulty)
    skopeo.rules(registry.mirror_rules(["quay.io/openshift-release-dev"]))
    references = served_references(registry, faulty, skopeo)
    complaint = skopeo.failure("copy", f"docker://{references['etcd']}", f"dir:{skopeo.directory}/x")
    assert "manifest unknown" in complaint
    skopeo.ok("copy", f"docker://{references['cli']}", f"dir:{skopeo.directory}/x")


def test_an_escaping_reference_is_no_reference(registry: Registry, release: Release, skopeo: Skopeo) -> None:
    faulty = faults.with_escaping_reference(release, "etcd")
    registry.publish(faulty)
    reference = served_references(registry, faulty, skopeo)["etcd"]
    assert "../" in reference
    complaint = skopeo.failure("copy", f"docker://{reference}", f"dir:{skopeo.directory}/x")
    assert "invalid reference format" in complaint


def test_an_escaping_component_leaves_any_directory(
    registry: Registry, release: Release, skopeo: Skopeo, tmp_path: Path
) -> None:
    faulty = faults.with_escaping_component(release, "etcd")
    registry.publish(faulty)
    (name,) = [name for name in served_references(registry, faulty, skopeo) if name not in release.components]
    command: list[str | Path] = ["realpath", "-m", f"--relative-to={tmp_path}", tmp_path / name]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.startswith("../")


def test_a_signature_for_another_digest_is_good_and_does_not_fit(
    tmp_path: Path, keyring: Keyring, key: SigningKey, release: Release, skopeo: Skopeo
) -> None:
    path = faults.sign_another_digest(SignatureStore(tmp_path), keyring, key, release)
    assert path.parent.name == f"sha256={release.image.digest.hex}"
    manifest = release.pool.path(release.image.digest)
    name = f"{release.reference.name}:{release.reference.tag}"
    environment = {"GNUPGHOME": str(keyring.directory)}
    complaint = skopeo.failure("standalone-verify", manifest, name, key.fingerprint, path, **environment)
    assert str(faults.NOWHERE) in complaint
    gpg = subprocess.run(
        ["gpg", "--batch", "--verify", path], env={**environment, "PATH": "/usr/bin:/bin"}, check=False
    )
    assert gpg.returncode == 0


def test_upper_layers_replace_and_remove_what_lies_below(release: Release) -> None:
    newer = Member(METADATA, b'{"kind":"cincinnati-metadata-v0","version":"6.6.6"}')
    faulty = faults.with_payload(release, {}, above=[[newer], [Member.whiteout(REFERENCES)]])
    assert faulty.image.digest != release.image.digest
    layers = faulty.image.instances[0].layers
    listings = [
        subprocess.run(["tar", "-tzf", release.pool.path(layer.digest)], capture_output=True, text=True, check=True)
        for layer in layers[-3:]
    ]
    assert REFERENCES in listings[0].stdout.splitlines()
    assert listings[1].stdout.splitlines() == [METADATA]
    assert listings[2].stdout.splitlines() == ["release-manifests/.wh.image-references"]


def test_members_may_lead_out_of_the_layer(release: Release) -> None:
    faulty = faults.with_payload(release, {}, above=[[Member("../../etc/cron.d/lab", b"hostile")]])
    path = release.pool.path(faulty.image.instances[0].layers[-1].digest)
    listing = subprocess.run(["tar", "-tzf", path], capture_output=True, text=True, check=True)
    assert "Removing leading `../../' from member names" in listing.stderr


def test_files_of_the_payload_can_be_missing(release: Release) -> None:
    faulty = faults.with_payload(release, {}, without=[METADATA])
    path = release.pool.path(faulty.image.instances[0].layers[-1].digest)
    done = subprocess.run(["tar", "-xzOf", path, METADATA], capture_output=True, text=True, check=False)
    assert "Not found in archive" in done.stderr


def test_lists_are_changed_in_every_architecture(multi: Release) -> None:
    faulty = faults.with_wrong_digest(multi, "etcd")
    assert faulty.image.digest != multi.image.digest
    for instance in faulty.image.instances:
        command: list[str | Path] = ["tar", "-xzOf", multi.pool.path(instance.layers[-1].digest), REFERENCES]
        assert str(faults.NOWHERE) in subprocess.run(command, capture_output=True, text=True, check=True).stdout
