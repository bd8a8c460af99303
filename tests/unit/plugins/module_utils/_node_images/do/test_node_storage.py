# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The container storage that a host is configured with."""

from __future__ import annotations

import json

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.node_storage import (
    Storage,
    file_system,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


def configure(host: Host, text: str) -> None:
    (host.root / "etc/containers").mkdir(parents=True)
    (host.root / "etc/containers/storage.conf").write_text(text)


def test_without_configuration_it_is_where_it_always_is(host: Host) -> None:
    assert Storage.of(host) == Storage("/var/lib/containers/storage", "overlay")


def test_the_configuration_decides(host: Host) -> None:
    configure(host, '[storage]\ndriver = "vfs"\ngraphroot = "/srv/images" # large\n')
    assert Storage.of(host) == Storage("/srv/images", "vfs")


def test_a_configuration_that_nobody_can_read_is_not_guessed_at(host: Host) -> None:
    configure(host, "[storage\n")
    with pytest.raises(InvalidInputError, match="TOML"):
        Storage.of(host)


def test_an_unused_storage_is_empty(host: Host) -> None:
    assert Storage().read(host).names == frozenset()


def test_the_books_are_read(host: Host) -> None:
    folder = host.root / "srv/images/vfs-images"
    folder.mkdir(parents=True)
    (folder / "images.json").write_text(json.dumps([{"id": "1", "names": ["quay.io/a/b@sha256:1"]}]))
    assert Storage("/srv/images", "vfs").read(host).names == {"quay.io/a/b@sha256:1"}


def test_a_place_that_is_still_to_be_made_lies_on_the_file_system_above(host: Host) -> None:
    found = file_system(host, "/var/lib/fieldops/bundles")
    assert (found.path, found.device) == ("/", host.root.stat().st_dev)
    assert 0 < found.free < found.total
