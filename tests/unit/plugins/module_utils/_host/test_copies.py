# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.copies import (
    copy_file,
    copy_folder,
    files_below,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError


def test_a_copy_replaces_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "from").write_bytes(b"x" * 3_000_000)
    (tmp_path / "to").write_text("before")
    (tmp_path / ".to.part").write_text("left by a copy that was killed")
    copy_file(tmp_path / "from", tmp_path / "to")
    assert (tmp_path / "to").read_bytes() == b"x" * 3_000_000
    assert list(files_below(tmp_path)) == ["from", "to"]


def test_a_link_is_not_copied(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/passwd")
    with pytest.raises(FileAccessError, match="symbolic link"):
        copy_file(tmp_path / "link", tmp_path / "to")


def test_a_folder_is_copied_without_what_is_hidden(tmp_path: Path) -> None:
    for name in ("index.html", "pages/one.html", ".doctrees/environment", ".buildinfo"):
        (tmp_path / "site" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "site" / name).write_text(name)
    (tmp_path / "kept").mkdir()
    (tmp_path / "kept" / "old.html").touch()
    copy_folder(tmp_path / "site", tmp_path / "kept")
    assert list(files_below(tmp_path / "kept")) == ["index.html", "pages/one.html"]
