# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The discovery cache stands in a directory that nobody else can write to."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.discovery_cache import (
    cache_file,
    check_private,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

SERVER: dict[str, t.Any] = {
    "server": "https://api.site.example:6443",
    "identity": ["options"],
    "library": "kubernetes 37",
}


@pytest.fixture
def private(tmp_path: Path) -> Path:
    directory = tmp_path / "cache"
    directory.mkdir(mode=0o700)
    return directory


def test_a_private_directory_is_used(private: Path) -> None:
    assert Path(cache_file(private, **SERVER)).parent == private


@pytest.mark.parametrize("mode", [0o750, 0o701, 0o777, 0o1777])
def test_a_directory_that_others_may_enter_is_refused(private: Path, mode: int) -> None:
    private.chmod(mode)
    with pytest.raises(InvalidInputError, match=f"its mode is {mode:04o}"):
        check_private(private)


def test_a_symbolic_link_is_refused(private: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(private)
    with pytest.raises(InvalidInputError, match="it is a symbolic link or not a directory"):
        check_private(link)


def test_a_missing_directory_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="No such file"):
        check_private(tmp_path / "absent")


def test_without_a_directory_nothing_can_be_read_or_written() -> None:
    path = Path(cache_file(None, **SERVER))
    assert not path.exists()
    with pytest.raises(OSError, match="Not a directory"):
        path.write_text("{}")


@pytest.mark.parametrize(
    "other",
    [{"server": "https://other:6443"}, {"identity": ["options", "username=me"]}, {"library": "openshift 0.13.2"}],
    ids=["server", "user", "library"],
)
def test_servers_users_and_libraries_do_not_share_a_file(private: Path, other: dict[str, t.Any]) -> None:
    assert cache_file(private, **SERVER) != cache_file(private, **{**SERVER, **other})
    assert cache_file(private, **SERVER) == cache_file(private, **SERVER)


def test_the_name_tells_nothing(private: Path) -> None:
    name = Path(cache_file(private, **{**SERVER, "identity": ["username=canary"]})).name
    assert "canary" not in name
    assert "site.example" not in name
