# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A folder of backups is read as it is, and not trusted where others could have written it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.do.read_backups import read_backups
from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.etcd_errors import EtcdBackupError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

STAMP = time.strftime("%Y-%m-%d_%H%M%S", time.gmtime())
SNAPSHOT, RESOURCES = f"snapshot_{STAMP}.db", f"static_kuberesources_{STAMP}.tar.gz"


@pytest.fixture
def kept(folder: Path) -> Path:
    """A folder with one backup of now."""
    folder.mkdir(parents=True, mode=0o755)
    for name, content in {SNAPSHOT: b"\0" * 4128, RESOURCES: b"\x1f\x8b"}.items():
        (folder / name).write_bytes(content)
        (folder / name).chmod(0o600)
    return folder


def test_a_backup_is_found(host: Host, kept: Path) -> None:
    (only,) = read_backups(host, str(kept)).whole
    assert (only.snapshot, only.size) == (SNAPSHOT, 4130)


def test_no_folder_holds_no_backup(host: Host, folder: Path) -> None:
    assert read_backups(host, str(folder)).whole == ()


def test_a_file_that_others_write_is_no_part(host: Host, kept: Path) -> None:
    (kept / SNAPSHOT).chmod(0o666)
    assert read_backups(host, str(kept)).unusable[SNAPSHOT] == "other users can write to it (mode 0666)"


def test_a_link_is_no_part(host: Host, kept: Path) -> None:
    (kept / SNAPSHOT).rename(kept.parent / "elsewhere")
    (kept / SNAPSHOT).symlink_to(kept.parent / "elsewhere")
    assert read_backups(host, str(kept)).unusable[SNAPSHOT] == "it is not a regular file"


def test_a_folder_that_others_write_is_refused(host: Host, kept: Path) -> None:
    kept.chmod(0o777)
    with pytest.raises(EtcdBackupError, match="other users can write to it"):
        read_backups(host, str(kept))


def test_a_folder_behind_a_link_is_refused(host: Host, kept: Path) -> None:
    link = kept.parent / "link"
    link.symlink_to(kept)
    with pytest.raises(FileAccessError):
        read_backups(host, str(link))


def test_a_folder_above_may_be_a_link(host: Host, kept: Path, tmp_path: Path) -> None:
    (tmp_path / "home").symlink_to(kept.parent)
    assert read_backups(host, f"{tmp_path}/home/{kept.name}").whole


def test_a_file_in_place_of_the_folder_is_refused(host: Host, kept: Path) -> None:
    with pytest.raises(FileAccessError):
        read_backups(host, str(kept / SNAPSHOT))


@pytest.mark.parametrize("path", ["backup", "/", "/a b", "/a/../b", "/a/$(reboot)", "/a\n", "", "/a/", "/-rf"])
def test_paths_that_a_script_would_mistake_are_refused(host: Host, path: str) -> None:
    with pytest.raises(InvalidInputError):
        read_backups(host, path)
