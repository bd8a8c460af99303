# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Signatures as cosign attaches them to images in a registry.

Source: sigstore/cosign ``specs/SIGNATURE_SPEC.md``; containers/image ``docs/containers-policy.json.5.md``
(``sigstoreSigned``).
"""

from __future__ import annotations

import base64
import json
import subprocess
import typing as t
from dataclasses import dataclass, replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.registry.content import Blob, BlobPool
from ansible_collections.fieldops.openshift.tests.lab.registry.images import (
    OCI,
    NamedImage,
    as_bytes,
    descriptor,
    manifest_of,
)
from ansible_collections.fieldops.openshift.tests.lab.registry.programs import program

SIMPLE_SIGNING = "application/vnd.dev.cosign.simplesigning.v1+json"
ANNOTATION = "dev.cosignproject.cosign/signature"
TYPE = "cosign container image signature"


@dataclass(frozen=True)
class CosignKey:
    """An RSA key pair in two PEM files."""

    private: Path
    public: Path

    @classmethod
    def create(cls, directory: Path, name: str = "cosign") -> CosignKey:
        """Make a key of 2048 bits with openssl."""
        key = cls(directory / f"{name}.key", directory / f"{name}.pub")
        _openssl("genpkey", "-quiet", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-out", str(key.private))
        key.private.chmod(0o600)
        _openssl("pkey", "-in", str(key.private), "-pubout", "-out", str(key.public))
        return key

    def sign(self, content: bytes) -> bytes:
        """Return the signature: RSA PKCS#1 v1.5 over SHA-256."""
        return _openssl("dgst", "-sha256", "-sign", str(self.private), content=content)


@dataclass(frozen=True)
class CosignSignature:
    """What lies under the tag ``sha256-<hex>.sig``: a manifest, a configuration, and the signed payload as a layer."""

    manifest: Blob
    config: Blob
    payload: Blob

    @property
    def digest(self) -> Digest:
        """The digest of the manifest."""
        return self.manifest.digest

    @property
    def manifests(self) -> tuple[Blob, ...]:
        """The manifest."""
        return (self.manifest,)

    @property
    def blobs(self) -> tuple[Blob, ...]:
        """The configuration and the payload."""
        return (self.config, self.payload)


def cosign_signature(
    pool: BlobPool, key: CosignKey, reference: ImageReference, digest: Digest | None = None
) -> NamedImage:
    """Sign an image, saying its own digest unless another one is given; publish the result beside the image."""
    assert reference.digest
    payload = payload_of(reference, digest or reference.digest)
    signature = base64.b64encode(key.sign(payload)).decode()
    layer = pool.add(payload)
    config = pool.add(as_bytes(_configuration(layer)))
    document = manifest_of(OCI, config, [])
    document["layers"] = [{**descriptor(SIMPLE_SIGNING, layer), "annotations": {ANNOTATION: signature}}]
    manifest = pool.add(as_bytes(document))
    tag = f"sha256-{reference.digest.hex}.sig"
    return NamedImage(replace(reference, tag=tag, digest=manifest.digest), CosignSignature(manifest, config, layer))


def payload_of(reference: ImageReference, digest: Digest) -> bytes:
    """Return the JSON that is signed."""
    document = {
        "critical": {
            "identity": {"docker-reference": reference.name},
            "image": {"docker-manifest-digest": str(digest)},
            "type": TYPE,
        },
        "optional": None,
    }
    return json.dumps(document, separators=(",", ":")).encode()


def _configuration(layer: Blob) -> dict[str, t.Any]:
    rootfs = {"type": "layers", "diff_ids": [str(layer.digest)]}
    return {"architecture": "", "created": "0001-01-01T00:00:00Z", "os": "", "rootfs": rootfs, "config": {}}


def _openssl(*arguments: str, content: bytes = b"") -> bytes:
    done = subprocess.run([program("openssl"), *arguments], input=content, capture_output=True, check=False)
    if done.returncode:
        seen = done.stderr.decode(errors="replace").strip()
        raise LabError(f"run openssl {arguments[0]}", on="this machine", seen=seen, advice="Install OpenSSL 3.")
    return done.stdout
