# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names of files that exist already."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host import file_names
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_names import (
    link_file,
    move_file,
    write_symlinks,
)


def test_a_link_is_a_second_name_of_the_same_file(tmp_path: Path) -> None:
    source, target = tmp_path / "a", tmp_path / "b"
    source.write_text("content")
    assert link_file(source, target)
    source.unlink()
    assert target.read_text() == "content"


def test_a_name_that_is_taken_stays(tmp_path: Path) -> None:
    source, target = tmp_path / "a", tmp_path / "b"
    source.write_text("new")
    target.write_text("old")
    assert link_file(source, target)
    assert target.read_text() == "old"


def test_across_file_systems_there_is_no_link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_paths: object, **_options: object) -> None:
        raise OSError(18, os.strerror(18))

    monkeypatch.setattr(file_names.os, "link", refuse)
    (tmp_path / "a").write_text("content")
    assert not link_file(tmp_path / "a", tmp_path / "b")


def test_a_source_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileAccessError):
        link_file(tmp_path / "a", tmp_path / "b")


def test_symbolic_links_keep_their_targets_as_given(tmp_path: Path) -> None:
    write_symlinks(tmp_path, {"x": "../blobs/1", "y": "/absolute"})
    assert {name: str((tmp_path / name).readlink()) for name in ("x", "y")} == {"x": "../blobs/1", "y": "/absolute"}


def test_a_symbolic_link_does_not_take_a_name(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("there")
    with pytest.raises(FileAccessError):
        write_symlinks(tmp_path, {"x": "y"})


def test_a_move_replaces_what_has_the_name(tmp_path: Path) -> None:
    (tmp_path / "new").write_text("new")
    (tmp_path / "old").write_text("old")
    move_file(tmp_path / "new", tmp_path / "old")
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
    assert (tmp_path / "old").read_text() == "new"
