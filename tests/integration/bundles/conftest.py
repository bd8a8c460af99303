# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One small release in a registry like quay.io, signed; and a builder of bundles from it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.bundles.builder import Builder
from ansible_collections.fieldops.openshift.tests.integration.bundles.partner_catalog import PartnerCatalog
from ansible_collections.fieldops.openshift.tests.lab.registry.keyring import Keyring, SigningKey
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_signatures import SignatureStore
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry


@pytest.fixture(scope="session")
def release(factory: ReleaseFactory) -> Release:
    return factory.release()


@pytest.fixture
def registry(release: Release) -> Iterator[Registry]:
    """A registry of the test's own, holding the small release."""
    with Registry() as registry:
        registry.publish(release)
        yield registry


@pytest.fixture
def signatures(tmp_path: Path, keyring: Keyring, key: SigningKey, release: Release) -> SignatureStore:
    """A store that has the release's signature."""
    store = SignatureStore(tmp_path / "signatures")
    store.sign(keyring, key, release.reference)
    return store


@pytest.fixture
def builder(tmp_path: Path, registry: Registry, signatures: SignatureStore, key: SigningKey) -> Builder:
    """Builds the small release in ``tmp_path/bundle``; it trusts the release's key."""
    trusted = tmp_path / "release-key.asc"
    trusted.write_text(key.public_key)
    return Builder(tmp_path / "bundle", registry, str(signatures.directory), str(trusted))


@pytest.fixture
def catalog(factory: ReleaseFactory, registry: Registry) -> PartnerCatalog:
    """A catalog with the images that it refers to; a test publishes it."""
    return PartnerCatalog(factory, registry)
