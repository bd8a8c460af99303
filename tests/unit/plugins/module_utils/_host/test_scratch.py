# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.scratch import scratch_directory


def test_it_is_private_and_goes_with_all_in_it() -> None:
    with scratch_directory() as scratch:
        assert stat.S_IMODE(scratch.stat().st_mode) == 0o700
        (scratch / "folder").mkdir()
        (scratch / "folder" / "file").write_text("x")
    assert not scratch.exists()


def test_it_goes_when_the_work_fails() -> None:
    seen: list[Path] = []

    def fail() -> None:
        with scratch_directory() as scratch:
            seen.append(scratch)
            raise KeyError("work")

    with pytest.raises(KeyError):
        fail()
    assert not seen[0].exists()


def test_a_link_out_of_it_is_not_followed_when_it_goes(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("x")
    with scratch_directory() as scratch:
        (scratch / "link").symlink_to(tmp_path)
    assert (tmp_path / "kept").exists()
