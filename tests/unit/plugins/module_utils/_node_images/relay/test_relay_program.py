# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import subprocess
import sys
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay import serving
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_program import relay_program

if t.TYPE_CHECKING:
    from pathlib import Path

IMPORT = f"import sys; sys.path.insert(0, sys.argv[1]); import {serving.__name__}"


def test_the_program_of_a_relay_has_all_that_it_imports(tmp_path: Path) -> None:
    """It runs on a node that has nothing of this collection."""
    (tmp_path / "program.zip").write_bytes(relay_program())
    command = [sys.executable, "-I", "-S", "-c", IMPORT, str(tmp_path / "program.zip")]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
