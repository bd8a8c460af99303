# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The digest that registries show, that of a list of images for several architectures: the host compares with its own
architecture's."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.tests.integration.os_images.image_host import ImageHost
from ansible_collections.fieldops.openshift.tests.integration.os_images.images import OsImage, OsImages

Boot = t.Callable[..., t.Any]
RECORD = "/var/lib/fieldops/os-image.json"


@pytest.fixture(scope="session")
def listed(images: OsImages) -> tuple[OsImage, str]:
    """A list, and the digest of its manifest for this architecture."""
    found, each = images.publish_list("listed", "9.7.1")
    return found, each["amd64"]


@pytest.mark.parametrize(
    ("program", "by"),
    [
        ("bootc", "digest"),
        ("rpm-ostree", "tag"),
        pytest.param("bootc", "tag", marks=pytest.mark.long),
        pytest.param("rpm-ostree", "digest", marks=pytest.mark.long),
    ],
)
def test_it_is_switched_proved_and_left_by_its_list(
    boot: Boot, listed: tuple[OsImage, str], first: OsImage, program: str, by: str
) -> None:
    image, own = listed
    host: ImageHost = boot(program)
    name: dict[str, t.Any] = {"image": image.name, **({"digest": image.digest} if by == "digest" else {})}
    assert host.ask(**name).changed
    again = host.ask(image=image.name, digest=image.digest)
    assert not again.changed
    here = {"digest": image.digest, "manifest": own, "booted": False, "next_boot": True}
    assert again.objects["digests"] == [here]
    host.reboot()
    assert host.info(digest=image.digest)["digests"] == [{**here, "booted": True}]
    back = host.ask(state="rolled_back", leave_digest=image.digest)
    assert (back.changed, back.kinds) == (True, ["rollback"])
    assert not host.ask(state="rolled_back", leave_digest=image.digest).changed
    host.reboot()
    assert host.info(digest=image.digest)["os_image"]["booted"]["digest"] == first.digest
    assert not host.ask(state="rolled_back", leave_digest=image.digest).changed


def test_it_is_staged_from_where_it_was_downloaded(boot: Boot, listed: tuple[OsImage, str]) -> None:
    image, own = listed
    host: ImageHost = boot("bootc")
    request: dict[str, t.Any] = {"image": image.name, "digest": image.digest}
    assert host.ask(state="downloaded", **request).kinds == ["download"]
    assert not host.ask(state="downloaded", **request).changed
    assert host.ask(**request).kinds == ["switch"]
    assert host.info(digest=image.digest)["digests"][0]["manifest"] == own


def test_a_list_without_this_architecture_is_refused_by_name(boot: Boot, images: OsImages) -> None:
    host: ImageHost = boot("bootc")
    foreign = images.publish_foreign_list("foreign", "9.7.2")
    failed = host.ask(image=foreign.name, digest=foreign.digest)
    assert "list of manifests without one for" in failed.error["seen"]
    assert host.info()["os_image"]["staged"] is None
