# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Release signatures as they are published, and the ConfigMaps that carry them and their keys in a cluster.

Sources: containers/image ``docs/containers-signature.5.md`` (atomic container signature); openshift/library-go
``pkg/verify``; openshift/cluster-update-keys ``manifests.rhel``.
"""

from __future__ import annotations

import base64
import json
import typing as t
from collections.abc import Mapping
from pathlib import Path

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
    from ansible_collections.fieldops.openshift.tests.lab.registry.images import Json
    from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import Keyring, SigningKey

NAMESPACE = "openshift-config-managed"
VERIFICATION = "release.openshift.io/verification-config-map"
SIGNATURES = "release.openshift.io/verification-signatures"
ATOMIC = "atomic container signature"
SIGNED_AT = 1767225600


def signed_message(reference: ImageReference, digest: Digest | None = None) -> bytes:
    """Return what is signed for an image: ``reference`` with its tag, and its digest unless another one is given."""
    name = f"{reference.name}:{reference.tag}" if reference.tag else reference.name
    document = {
        "critical": {
            "type": ATOMIC,
            "image": {"docker-manifest-digest": str(digest or reference.digest)},
            "identity": {"docker-reference": name},
        },
        "optional": {"creator": "fieldops lab", "timestamp": SIGNED_AT},
    }
    return json.dumps(document, separators=(",", ":")).encode()


class SignatureStore:
    """A directory of signatures that can be served as it is: ``sha256=<hex>/signature-<n>``, n from 1."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        directory.mkdir(parents=True, exist_ok=True)

    def sign(self, keyring: Keyring, key: SigningKey, reference: ImageReference) -> Path:
        """Sign an image and keep the signature; return its file."""
        assert reference.digest
        return self.add(reference.digest, keyring.sign(key, signed_message(reference)))

    def add(self, digest: Digest, signature: bytes) -> Path:
        """Keep a signature as the next one of a digest, whatever it says; return its file."""
        folder = self.directory / f"sha256={digest.hex}"
        folder.mkdir(exist_ok=True)
        path = folder / f"signature-{len(self.signatures(digest)) + 1}"
        path.write_bytes(signature)
        return path

    def signatures(self, digest: Digest) -> list[bytes]:
        """Return the signatures of a digest in the order of their numbers."""
        found = (self.directory / f"sha256={digest.hex}").glob("signature-*")
        numbered = sorted(found, key=lambda path: int(path.name.partition("-")[2]))
        return [path.read_bytes() for path in numbered]

    def config_map(self, digest: Digest) -> Json:
        """Return the ConfigMap with the signatures of one release, as ``oc adm release mirror`` writes it."""
        numbered = enumerate(self.signatures(digest), 1)
        return {
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": f"sha256-{digest.hex}", "namespace": NAMESPACE, "labels": {SIGNATURES: ""}},
            "binaryData": {
                f"sha256-{digest.hex}-{number}": base64.b64encode(content).decode() for number, content in numbered
            },
        }


def release_verification(keys: Mapping[str, str], stores: Mapping[str, str]) -> Json:
    """Return the running release's ConfigMap of keys and signature stores.

    ``keys`` are armoured public keys by the end of their entry's name (several may stand in one), each of which some
    signature must satisfy; ``stores`` are URLs likewise.
    """
    entries = {f"verifier-public-key-{name}": armoured for name, armoured in keys.items()}
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "release-verification", "namespace": NAMESPACE, "annotations": {VERIFICATION: ""}},
        "data": entries | {f"store-{name}": url for name, url in stores.items()},
    }
