# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import base64
import json
import os
import subprocess
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.registry.skopeo import Skopeo
from ansible_collections.fieldops.openshift.tests.lab.registry.cosign import (
    ANNOTATION,
    CosignKey,
    CosignSignature,
    cosign_signature,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.faults import NOWHERE
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

ROOT_ONLY = pytest.mark.skipif(os.geteuid() != 0, reason="only root builds the root file system of node hosts")


@pytest.fixture
def signing_key(tmp_path: Path) -> CosignKey:
    return CosignKey.create(tmp_path)


def openssl_verifies(key: CosignKey, tmp_path: Path, payload: bytes, signature: bytes) -> bool:
    (tmp_path / "signature").write_bytes(signature)
    command: list[str | Path] = [
        "openssl",
        "dgst",
        "-sha256",
        "-verify",
        key.public,
        "-signature",
        tmp_path / "signature",
    ]
    return subprocess.run(command, input=payload, capture_output=True, check=False).returncode == 0


def demand_signatures(skopeo: Skopeo, registry: Registry, key: CosignKey) -> None:
    """Make skopeo behave like a node under a ClusterImagePolicy for releases."""
    trusted = {
        "type": "sigstoreSigned",
        "keyPath": str(key.public),
        "signedIdentity": {"type": "matchRepository"},
    }
    scope = {"quay.io/openshift-release-dev": [trusted]}
    skopeo.policy({"default": [{"type": "reject"}], "transports": {"docker": scope}})
    attachments = {"docker": {registry.host: {"use-sigstore-attachments": True}}}
    attachments["docker"]["quay.io/openshift-release-dev"] = {"use-sigstore-attachments": True}
    (skopeo.directory / "registries.d/lab.yaml").write_text(json.dumps(attachments))
    skopeo.rules(registry.mirror_rules(["quay.io/openshift-release-dev"], by_digest_only=False))


def test_the_signature_verifies_with_openssl(
    tmp_path: Path, registry: Registry, release: Release, signing_key: CosignKey, skopeo: Skopeo
) -> None:
    signature = cosign_signature(release.pool, signing_key, release.reference)
    registry.publish_images(release.pool, [signature])
    tag = f"sha256-{release.image.digest.hex}.sig"
    assert signature.reference.tag == tag
    address = f"docker://{registry.host}/{release.reference.repository}:{tag}"
    skopeo.ok("copy", "--preserve-digests", "--src-tls-verify=false", address, f"dir:{tmp_path}/x")
    (layer,) = json.loads((tmp_path / "x/manifest.json").read_text())["layers"]
    payload = (tmp_path / "x" / layer["digest"].partition(":")[2]).read_bytes()
    assert openssl_verifies(signing_key, tmp_path, payload, base64.b64decode(layer["annotations"][ANNOTATION]))
    assert json.loads(payload)["critical"]["image"]["docker-manifest-digest"] == str(release.image.digest)


def test_another_key_does_not_verify(tmp_path: Path, release: Release, signing_key: CosignKey) -> None:
    signature = cosign_signature(release.pool, signing_key, release.reference).image
    assert isinstance(signature, CosignSignature)
    payload = release.pool.read(signature.payload.digest)
    other = CosignKey.create(tmp_path, "other")
    assert not openssl_verifies(other, tmp_path, payload, signing_key.sign(payload))


@ROOT_ONLY
def test_a_node_under_a_policy_takes_the_signed_release(
    tmp_path: Path, registry: Registry, release: Release, signing_key: CosignKey, newer_skopeo: Skopeo
) -> None:
    demand_signatures(newer_skopeo, registry, signing_key)
    pull = ("copy", f"docker://{release.reference.by_digest()}", f"dir:{tmp_path}/x")
    assert "A signature was required" in newer_skopeo.failure(*pull)
    registry.publish_images(release.pool, [cosign_signature(release.pool, signing_key, release.reference)])
    newer_skopeo.ok(*pull)


@ROOT_ONLY
def test_a_node_under_a_policy_refuses_a_signature_for_another_digest(
    tmp_path: Path, registry: Registry, release: Release, signing_key: CosignKey, newer_skopeo: Skopeo
) -> None:
    demand_signatures(newer_skopeo, registry, signing_key)
    wrong = cosign_signature(release.pool, signing_key, release.reference, NOWHERE)
    registry.publish_images(release.pool, [wrong])
    pull = ("copy", f"docker://{release.reference.by_digest()}", f"dir:{tmp_path}/x")
    assert "digest" in newer_skopeo.failure(*pull)
