# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The documentation site in a real browser: no page is wider than a screen, and axe finds nothing hard to read.

Pages of plugins and roles are made by the same templates, so that one of each stands for all.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import typing as t
from pathlib import Path
from urllib.parse import unquote

import pytest

from ansible_collections.fieldops.openshift.tests.gates.documentation import build_documentation
from ansible_collections.fieldops.openshift.tests.gates.workplace import Workplace
from ansible_collections.fieldops.openshift.tests.lab.browser import DESK, PHONE, Browser, axe_script, browser_root
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

Found = dict[str, dict[str, t.Any]]

pytestmark = pytest.mark.long

PAGES = (
    *("index", "README", "CONTRIBUTING", "errors", "reference/node_drain_module", "roles/roll_nodes/README"),
    *sorted(f"docs/{path.stem}" for path in (ROOT / "docs").glob("*.md")),
)
THEMES = ("light", "dark")
CHECK = """
<script src="AXE"></script>
<script>
  window.addEventListener("load", async () => {
    const found = {width: document.documentElement.scrollWidth};
    for (const theme of innerWidth == DESK ? ["light", "dark"] : []) {
      document.body.dataset.theme = theme;
      const {violations} = await axe.run();
      found[theme] = violations.map(one => [one.id, one.nodes.map(node => node.html.slice(0, 160))]);
    }
    parent.postMessage(found, "*");
  });
</script>
"""
"""In each page, which says what it found to the page around it. Colors do not differ by width, so axe runs once."""
DRIVER = """<!DOCTYPE html><body style="margin: 0"><script>
  (async () => {
    const found = {};
    for (const [name, page, width] of PAGES) {
      const frame = document.createElement("iframe");
      frame.style = `border: 0; width: ${width}px; height: 900px`;
      frame.src = page;
      const message = new Promise(done => window.addEventListener("message", done, {once: true}));
      document.body.append(frame);
      found[`${name} ${width}`] = (await message).data;
      frame.remove();
    }
    document.body.textContent = `FOUND ${encodeURIComponent(JSON.stringify(found))} END`;
  })();
</script></body>"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Found:
    """What the browser found, by page and width."""
    try:
        root, script = browser_root(), axe_script()
    except LabError as error:
        pytest.skip(f"a browser with axe cannot be had: {error.line}")
    folder = build_documentation(Workplace.here(), tmp_path_factory.mktemp("docs")).parent
    return findings(Browser(root, folder), script)


def findings(browser: Browser, script: Path) -> Found:
    """Return what the browser finds in a built site, by page and width."""
    shutil.copy(script, browser.folder / "axe.js")
    checked = [(name, checked_page(browser.folder, name), width) for name in PAGES for width in (DESK, PHONE)]
    (browser.folder / "driver.html").write_text(DRIVER.replace("PAGES", json.dumps(checked)))
    shown = browser.open("driver.html", "--window-size=1400,900", "--virtual-time-budget=3600000", "--dump-dom")
    told: Found = json.loads(unquote(re.findall("FOUND (.*) END", shown)[-1]))
    return told


def checked_page(folder: Path, name: str) -> str:
    """Write a copy of a page that checks itself, and return its name."""
    page = folder / f"{name}.html"
    copy = page.with_name(f"checked-{page.name}")
    axe = os.path.relpath(folder / "axe.js", page.parent)
    check = CHECK.replace("AXE", axe).replace("DESK", str(DESK))
    copy.write_text(page.read_text().replace("</body>", f"{check}</body>"))
    return str(copy.relative_to(folder))


@pytest.mark.parametrize("width", [DESK, PHONE])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_the_screen(found: Found, name: str, width: int) -> None:
    assert found[f"{name} {width}"]["width"] == width


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_can_be_read(found: Found, name: str, theme: str) -> None:
    assert found[f"{name} {DESK}"][theme] == []
