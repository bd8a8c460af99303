# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who signs the lab's releases: one key, its signatures, and what a cluster is told of both."""

from __future__ import annotations

from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.lab.registry.images import Json
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import RSA2048, Keyring
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signatures import (
    NAMESPACE,
    SignatureStore,
    release_verification,
)

NO_STORE = {"local": "http://127.0.0.1:9/signatures"}
"""A store that refuses connections: the version operator demands one, and a site without a registry reaches none."""


class ReleaseSigner:
    """A key made on the spot and a directory of its signatures; a context manager.

    The key is RSA, as the version operator reads no other kind (golang.org/x/crypto/openpgp).
    """

    def __init__(self, directory: Path) -> None:
        self.keyring = Keyring()
        self.store = SignatureStore(directory)
        try:
            self.key = self.keyring.create("release", RSA2048)
        except BaseException:
            self.close()
            raise

    def sign(self, reference: ImageReference) -> None:
        """Sign a release image, once more if it is signed already."""
        self.store.sign(self.keyring, self.key, reference)

    def trust(self) -> list[Json]:
        """Return what lets a cluster trust the key: the namespace and the ConfigMap of keys."""
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}
        return [namespace, self.verification()]

    def verification(self) -> Json:
        """Return the ConfigMap of keys that a release carries for those that follow it."""
        return release_verification({"lab": self.key.public_key}, NO_STORE)

    def signatures(self, reference: ImageReference) -> Json:
        """Return the ConfigMap by which a site without a registry brings a release's signatures to its cluster."""
        assert reference.digest
        return self.store.config_map(reference.digest)

    def close(self) -> None:
        """Remove the key; signatures stay."""
        self.keyring.close()

    def __enter__(self) -> ReleaseSigner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
