# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A real browser for tests: Debian's Chromium without a screen, and axe, which looks for what people cannot read."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import typing as t
from pathlib import Path
from urllib.parse import unquote

from ansible_collections.fieldops.openshift.tests.lab.cache import cached, key_of
from ansible_collections.fieldops.openshift.tests.lab.debian import (
    require_packages,
    require_root,
    run_in_root,
    suite_root,
)
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError

DESK, PHONE = 1280, 375
"""Widths of screens in pixels."""
PACKAGES = ("chromium-headless-shell", "fonts-dejavu-core")
AXE = "axe-core@4.10.3"
BROWSER = (
    "chromium-headless-shell",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--virtual-time-budget=5000",
)


PAGE = "page.html"
DARK = ("--force-dark-mode", "--blink-settings=preferredColorScheme=0")
"""What makes a browser prefer dark colors."""
MEASURE = "<script>document.title = 'width ' + document.documentElement.scrollWidth</script>"
CHECK = """<script src="axe.js"></script><script>
  addEventListener("load", async () => {
    const {violations} = await axe.run();
    const found = violations.map(one => [one.id, one.nodes.map(node => node.html.slice(0, 160))]);
    document.body.textContent = `FOUND ${encodeURIComponent(JSON.stringify(found))} END`;
  });
</script>"""


def scripted(page: str, script: str) -> str:
    """Return a page that runs a script, without its own policy against scripts."""
    return re.sub("<meta http-equiv=[^>]*>", "", page).replace("</body>", f"{script}</body>")


class Browser:
    """Chromium in a root of its own, without a network; it sees one folder."""

    def __init__(self, root: Path, folder: Path) -> None:
        self._root = root
        self.folder = folder

    def open(self, name: str, *words: str) -> str:
        """Open a page of the folder, and return what the browser prints."""
        command = [*BROWSER, *words, f"file:///mnt/{name}"]
        return run_in_root(command, writable={self.folder: "/mnt"}, readable={}, root=self._root)

    def show(self, page: str, *words: str) -> str:
        """Open a page that is given as text, and return what the browser prints."""
        (self.folder / PAGE).write_text(page)
        return self.open(PAGE, *words)

    def measure(self, page: str, width: int) -> int:
        """Return how wide a page becomes on a screen of ``width`` pixels."""
        shown = self.show(scripted(page, MEASURE), f"--window-size={width},800", "--dump-dom")
        return int(re.findall("<title>width ([0-9]+)</title>", shown)[-1])

    def violations(self, page: str, *words: str) -> list[t.Any]:
        """Return what axe finds on a page: the rule and the beginnings of the elements that break it."""
        shutil.copy(axe_script(), self.folder / "axe.js")
        shown = self.show(scripted(page, CHECK), f"--window-size={DESK},2000", "--dump-dom", *words)
        found: list[t.Any] = json.loads(unquote(re.findall("FOUND (.*) END", shown)[-1]))
        return found


def browser_root() -> Path:
    """Return the root with the browser; raise LabError where it cannot be had."""
    require_root()
    require_packages()
    return suite_root("trixie", PACKAGES)


def axe_script() -> Path:
    """Return the script of axe, got once with npm; raise LabError where it cannot be had."""

    def build(folder: Path) -> None:
        command = ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", str(folder), AXE]
        try:
            done = subprocess.run(command, env=dict(os.environ), capture_output=True, text=True, check=False)
        except FileNotFoundError as error:
            raise _lacking(str(error)) from error
        if done.returncode:
            raise _lacking(done.stderr)

    return cached("axe", key_of([AXE]), build) / "node_modules" / "axe-core" / "axe.min.js"


def _lacking(seen: str) -> LabError:
    return LabError("get axe with npm", on="this machine", seen=seen, advice="Let npm reach a registry.")
