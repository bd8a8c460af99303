# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A registry with OS images, and hosts that were installed from the first of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.os_images.image_host import ImageHost, copy_tree
from ansible_collections.fieldops.openshift.tests.integration.os_images.images import OsImage, OsImages
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry


@pytest.fixture(scope="session")
def registry() -> Iterator[Registry]:
    if os.geteuid():
        pytest.skip("hosts need root")
    with Registry() as made:
        yield made


@pytest.fixture(scope="session")
def images(registry: Registry, tmp_path_factory: pytest.TempPathFactory) -> OsImages:
    return OsImages(tmp_path_factory.mktemp("images"), registry)


@pytest.fixture(scope="session")
def first(images: OsImages) -> OsImage:
    """The image that hosts were installed from."""
    return images.publish("9.4", "9.4.1")


@pytest.fixture(scope="session")
def second(images: OsImages) -> OsImage:
    """The image that they are to have."""
    return images.publish("9.6", "9.6.1")


@pytest.fixture(scope="session")
def installed(registry: Registry, first: OsImage, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sysroot with the first image."""
    kept = tmp_path_factory.mktemp("installed") / "sysroot"
    with ImageHost(registry) as host:
        host.install(first.name)
        copy_tree(host.folder / "sysroot", kept)
    return kept


@pytest.fixture
def boot(registry: Registry, installed: Path) -> Iterator[Callable[..., ImageHost]]:
    """What boots a host with the first image; ``programs`` as ImageHost takes them."""
    hosts: list[ImageHost] = []

    def booted(*programs: str, composefs: bool = False) -> ImageHost:
        host = ImageHost(registry, programs=programs or ("bootc", "rpm-ostree"), composefs=composefs)
        hosts.append(host)
        copy_tree(installed, host.folder / "sysroot")
        host.first_boot()
        return host

    yield booted
    for host in hosts:
        host.close()


@pytest.fixture
def host(boot: Callable[..., ImageHost]) -> ImageHost:
    """A host with bootc and rpm-ostree."""
    return boot()
