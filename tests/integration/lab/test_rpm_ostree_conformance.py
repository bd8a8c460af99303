# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The actor rpm-ostree before the machine-config daemon's own client, and words that rpm-ostree takes or refuses.

The program itself cannot be had (its packages need a registry of their own), so that its only consumer is the judge.
"""

from __future__ import annotations

import json
import os
import shutil
import typing as t
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.os_images.image_host import ImageHost
from ansible_collections.fieldops.openshift.tests.integration.os_images.images import OsImage, OsImages
from ansible_collections.fieldops.openshift.tests.lab.go import program
from ansible_collections.fieldops.openshift.tests.lab.registry.server import Registry

CLIENT = "/usr/libexec/daemon-parts"
PULL_SECRET = "/var/lib/kubelet/config.json"
REGISTRY, STORAGE = "ostree-unverified-registry:", "ostree-unverified-image:containers-storage:"
NAMED = "quay.io/example/os"


@pytest.fixture(scope="module")
def registry() -> Iterator[Registry]:
    if os.geteuid():
        pytest.skip("hosts need root")
    with Registry() as made:
        yield made


@pytest.fixture(scope="module")
def images(registry: Registry, tmp_path_factory: pytest.TempPathFactory) -> dict[str, OsImage]:
    made = OsImages(tmp_path_factory.mktemp("images"), registry)
    return {version: made.publish(version, version) for version in ("9.4", "9.6")}


@pytest.fixture(scope="module")
def host(registry: Registry, images: dict[str, OsImage]) -> Iterator[ImageHost]:
    """A host with the first image, and the daemon's client."""
    with ImageHost(registry) as made:
        shutil.copy(program("daemon-parts"), made.upper / CLIENT.lstrip("/"))
        made.write(PULL_SECRET, '{"auths": {}}')
        made.install(images["9.4"].name)
        yield made


@pytest.fixture(autouse=True)
def nothing_staged(host: ImageHost) -> Iterator[None]:
    yield
    host.configure()
    host.run("rpm-ostree", "cleanup", "-p")


def ask(host: ImageHost, *words: str) -> t.Any:
    """Return what the daemon's client makes of the program's answer, which it may pass on before."""
    return json.loads(host.run(CLIENT, "rpm-ostree", *words).splitlines()[-1])


def test_the_daemon_reads_what_is_booted(host: ImageHost, images: dict[str, OsImage]) -> None:
    found = ask(host, "booted-image")
    assert (found["image"], found["version"], len(found["checksum"])) == (images["9.4"].name, "9.4", 64)
    deployments = ask(host, "deployments")
    assert (deployments["booted"]["serial"], deployments["staged"]) == (0, None)
    assert "Deployments:" in ask(host, "status")


@pytest.mark.parametrize("version", ["2022.10", "2023.5", "2024.8", "2025.7", "2026.5"])
def test_every_version_that_the_daemon_meets_is_new_enough(host: ImageHost, version: str) -> None:
    host.configure(rpm_ostree_version=version)
    assert ask(host, "is-new-enough") is True


@pytest.mark.parametrize("version", ["2022.10", "2026.5"])
def test_the_daemon_rebases_to_a_digest(host: ImageHost, images: dict[str, OsImage], version: str) -> None:
    host.configure(rpm_ostree_version=version)
    wanted = f"{NAMED}@{images['9.6'].digest}"
    ask(host, "rebase", wanted)
    staged = ask(host, "deployments")["staged"]
    assert staged["container-image-reference"] == f"{REGISTRY}{wanted}"
    assert (staged["staged"], staged["booted"]) == (True, False)


def test_from_4_19_on_the_daemon_rebases_from_the_container_storage(
    host: ImageHost, images: dict[str, OsImage]
) -> None:
    wanted = f"{NAMED}@{images['9.6'].digest}"
    missing = host.ended(CLIENT, "rpm-ostree", "rebase-from-container-storage", wanted)
    assert missing.returncode == 1
    assert "does not resolve to an image ID" in missing.stderr
    host.run("skopeo", "copy", "--quiet", f"docker://{wanted}", f"containers-storage:{wanted}")
    ask(host, "rebase-from-container-storage", wanted)
    assert ask(host, "deployments")["staged"]["container-image-reference"] == f"{STORAGE}{wanted}"


@pytest.mark.parametrize(
    ("version", "words", "status", "said"),
    [
        ("2026.5", "", 1, "No command specified"),
        ("2026.5", "nosuch", 1, "Unknown command 'nosuch'"),
        ("2026.5", "rebase --bogus a", 1, "Unknown option --bogus"),
        ("2026.5", f"rebase {REGISTRY}{NAMED}:nosuch", 1, "manifest unknown"),
        ("2025.6", f"rebase {REGISTRY}{NAMED}:9.6 9.6", 1, "Cannot look up version while tracking"),
        ("2025.7", f"rebase {REGISTRY}{NAMED}:9.6 9.6", 0, ""),
        ("2026.5", "rollback", 1, "No rollback deployment found"),
        ("2026.5", "upgrade --unchanged-exit-77", 77, ""),
        ("2026.5", "kargs --delete=nosuch", 1, "No karg 'nosuch' found"),
        ("2026.5", "kargs --append-if-missing=root=LABEL=root --unchanged-exit-77", 77, ""),
    ],
)
def test_words_are_taken_or_refused(
    host: ImageHost, images: dict[str, OsImage], version: str, words: str, status: int, said: str
) -> None:
    host.configure(rpm_ostree_version=version)
    revision = [images[word].digest if word in images else word for word in words.split()]
    ended = host.ended("rpm-ostree", *revision)
    assert (ended.returncode, said in ended.stderr) == (status, True), ended.stderr
