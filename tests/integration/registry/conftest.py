# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The registry's tests: one small release, one registry and one keyring for all of them, and the real skopeo."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.registry.quay_client import Client
from ansible_collections.fieldops.openshift.tests.integration.registry.skopeo import Skopeo
from ansible_collections.fieldops.openshift.tests.lab.debian import node_root
from ansible_collections.fieldops.openshift.tests.lab.registry.programs import program
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release, ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry


@pytest.fixture
def skopeo(tmp_path: Path) -> Skopeo:
    return Skopeo(tmp_path / "skopeo", [program("skopeo")])


@pytest.fixture
def newer_skopeo(tmp_path: Path) -> Skopeo:
    """The skopeo of node hosts, run with their C library; it knows sigstore, Debian 12's was built without."""
    root = node_root()
    (libraries,) = {path.parent for path in root.glob("usr/lib/*/libc.so.6")}
    (loader,) = libraries.glob("ld-linux-*.so.*")
    return Skopeo(tmp_path / "newer-skopeo", [loader, "--library-path", libraries, root / "usr/bin/skopeo"])


@pytest.fixture(scope="session")
def release(factory: ReleaseFactory) -> Release:
    return factory.release()


@pytest.fixture(scope="session")
def multi(factory: ReleaseFactory) -> Release:
    return factory.release(ReleaseSpec(architectures=("x86_64", "aarch64")))


@pytest.fixture(scope="session")
def shared_registry(release: Release, multi: Release) -> Iterator[Registry]:
    """A registry that no test changes."""
    with Registry(quay=None) as registry:
        registry.publish(release, multi)
        yield registry


@pytest.fixture
def registry(release: Release) -> Iterator[Registry]:
    """A registry of the test's own, holding the small release."""
    with Registry(quay=None) as registry:
        registry.publish(release)
        yield registry


@pytest.fixture(scope="module")
def quay(release: Release) -> Iterator[Registry]:
    with Registry() as registry:
        registry.publish(release)
        yield registry


@pytest.fixture
def asked(quay: Registry) -> Client:
    """A client of the front alone."""
    return Client(quay, quay)


@pytest.fixture
def change(quay: Registry) -> Iterator[t.Callable[..., None]]:
    """What changes the front's traits for one test."""
    before = quay.front.traits.document()
    yield quay.front.change
    quay.front.change(**{**before, "private": tuple(before["private"])})
