# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import subprocess
import sys
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.node_program import node_program
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay import serving
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source import program as source

if t.TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize("entry", [serving.serve_as_service, source.main], ids=["relay", "image source"])
def test_a_program_has_all_that_it_imports(tmp_path: Path, entry: Callable[[], None]) -> None:
    """It runs on a node that has nothing of this collection, and ends for want of what its unit gives it."""
    (tmp_path / "program.zip").write_bytes(node_program(entry))
    command = [sys.executable, "-I", "-S", str(tmp_path / "program.zip")]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, env={})
    assert "ImportError" not in ended.stderr
    assert "ModuleNotFoundError" not in ended.stderr
    assert ("CREDENTIALS_DIRECTORY" in ended.stderr) or ("usage:" in ended.stderr), ended.stderr
