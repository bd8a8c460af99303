# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The token of a run: made once, for its owner alone, and refused where others could have had a hand in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.token_file import (
    ensure_token,
    new_token,
    read_token,
    with_tokens,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError


def test_made_once(tmp_path: Path) -> None:
    path = tmp_path / "run" / "token"
    token = ensure_token(path)
    assert ensure_token(path) == read_token(path) == token
    assert len(token) == 64
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_no_two_are_equal() -> None:
    assert new_token() != new_token()


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620], ids=oct)
def test_what_others_can_reach_is_refused(tmp_path: Path, mode: int) -> None:
    ensure_token(tmp_path / "token")
    (tmp_path / "token").chmod(mode)
    with pytest.raises(FileAccessError, match="others"):
        ensure_token(tmp_path / "token")


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    ensure_token(tmp_path / "token")
    (tmp_path / "link").symlink_to(tmp_path / "token")
    with pytest.raises(FileAccessError):
        read_token(tmp_path / "link")


@pytest.mark.parametrize("content", ["", "short\n", "x" * 600, "a b" * 20, "ä" * 40], ids=repr)
def test_a_weak_or_broken_token_is_refused_and_not_shown(tmp_path: Path, content: str) -> None:
    path = tmp_path / "token"
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises((InvalidInputError, FileAccessError)) as caught:
        read_token(path)
    assert content.strip() == "" or content.strip() not in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileAccessError):
        read_token(tmp_path / "none")


def test_the_tokens_of_sources_come_from_their_files(tmp_path: Path) -> None:
    token = ensure_token(tmp_path / "token")
    sources = [{"url": "https://192.0.2.1", "token_file": str(tmp_path / "token")}, {"url": "https://192.0.2.2"}]
    assert with_tokens(sources) == [{"url": "https://192.0.2.1", "token": token}, {"url": "https://192.0.2.2"}]


@pytest.mark.parametrize("given", [None, "text", ["text"], [{}], [{"token": "own", "token_file": "/none"}]], ids=repr)
def test_what_has_no_token_file_to_read_stays_as_it_is(given: object) -> None:
    assert with_tokens(given) == given
