# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where promtool or Chromium cannot be had their tests are skipped in one line each, and nothing passes for them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.gates.skipped import Skipped

HERE = Path(__file__).parent
BROKEN = "#!/bin/sh\nexit 1\n"

Environment = dict[str, str]


def no_modules(folder: Path) -> Environment:
    """Return an environment with a Go toolchain that cannot have any module."""
    return {"GOPROXY": "off", "GOMODCACHE": str(folder / "modules"), "GOFLAGS": "-mod=mod"}


def no_packages(folder: Path) -> Environment:
    """Return an environment in which no Debian root can be made."""
    programs = folder / "bin"
    programs.mkdir()
    (programs / "mmdebstrap").write_text(BROKEN)
    (programs / "mmdebstrap").chmod(0o755)
    return {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.parametrize(
    ("file", "without", "words"),
    [
        pytest.param(
            "test_change_alerts.py",
            no_modules,
            "promtool cannot be had: .*GOPROXY=off",
            id="go",
        ),
        pytest.param(
            "../reports/test_pages_in_a_browser.py", no_packages, "Debian's Chromium cannot be had", id="debian"
        ),
    ],
)
def test_all_are_skipped_in_one_line(
    tmp_path: Path, file: str, without: t.Callable[[Path], Environment], words: str
) -> None:
    environment = {**os.environ, **without(tmp_path), "FIELDOPS_CACHE": str(tmp_path / "cache")}
    environment.pop("KUBEBUILDER_ASSETS", None)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(HERE / file)]
    done = subprocess.run(command, cwd=HERE.parents[2], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    skipped = Skipped()
    skipped.note("changes", done.stdout)
    (line,) = skipped.lines()
    assert re.fullmatch(f"[0-9]+ tests of changes: {words}.*", line)
    assert re.search(rf"(?m)^{line.partition(' ')[0]} skipped in ", done.stdout), done.stdout
