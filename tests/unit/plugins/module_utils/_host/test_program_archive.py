# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.kit import install
from ansible_collections.fieldops.openshift.plugins.module_utils._host.program_archive import program_archive
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay import serving
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source import program as source


@pytest.mark.parametrize(
    "entry", [serving.serve_as_service, source.main, install.main], ids=["relay", "image source", "installer of a kit"]
)
def test_a_program_has_all_that_it_imports(tmp_path: Path, entry: Callable[[], None]) -> None:
    """It runs where nothing of this collection is installed, and ends for want of what it is given there."""
    (tmp_path / "program.zip").write_bytes(program_archive(entry))
    command = [sys.executable, "-I", "-S", str(tmp_path / "program.zip")]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env={})
    assert "ImportError" not in ended.stderr
    assert "ModuleNotFoundError" not in ended.stderr
    wanted = ("CREDENTIALS_DIRECTORY", "usage:", "it has no SHA256SUMS")
    assert any(words in ended.stderr for words in wanted), ended.stderr


def test_the_same_code_makes_the_same_bytes() -> None:
    assert program_archive(source.main) == program_archive(source.main)


def test_lines_that_run_first_may_end_the_program(tmp_path: Path) -> None:
    (tmp_path / "program.zip").write_bytes(program_archive(source.main, before="sys.exit('not here')\n"))
    ended = subprocess.run([sys.executable, str(tmp_path / "program.zip")], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr.strip()) == (1, "not here")
