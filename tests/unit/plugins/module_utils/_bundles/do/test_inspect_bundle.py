# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The job that reads every byte of a bundle: its medium stays mounted until it has ended."""

from __future__ import annotations

import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do import inspect_bundle
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.indexes import (
    simple_bundle,
    write_folder,
)

if t.TYPE_CHECKING:
    import pytest


class NoProgress:
    """Takes what a job reports."""

    def report(self, *_words: object, **_values: object) -> None:
        pass


def open_folders() -> set[str]:
    """Return what this process has open; umount(8) refuses a file system of which anything is open."""
    return {str(link.readlink()) for link in Path("/proc/self/fd").iterdir() if link.is_symlink()}


def test_its_folder_is_open_while_it_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index, stored = simple_bundle({"etcd": b"etcd" * 100})
    folder = write_folder(tmp_path / "bundle", index, stored)
    seen: list[set[str]] = []
    reads = inspect_bundle.verify_all

    def verified(*given: t.Any, **options: t.Any) -> t.Any:
        seen.append(open_folders())
        return reads(*given, **options)

    monkeypatch.setattr(inspect_bundle, "verify_all", verified)
    assert inspect_bundle.verify(str(folder), str(index.digest), NoProgress())["damage"] == []
    assert [str(folder) in one for one in seen] == [True]
    assert str(folder) not in open_folders()
