# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
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
from urllib.parse import unquote

import pytest

from ansible_collections.fieldops.openshift.tests.gates.documentation import build_documentation
from ansible_collections.fieldops.openshift.tests.gates.workplace import Workplace
from ansible_collections.fieldops.openshift.tests.lab.browser import DESK, PHONE, Browser, axe_script, browser_root
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

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
    for (const theme of THEMES) {
      document.body.dataset.theme = theme;
      const {violations} = await axe.run();
      found[theme] = violations.map(one => [one.id, one.nodes.map(node => node.html.slice(0, 160))]);
    }
    document.documentElement.innerHTML = `<body>FOUND ${encodeURIComponent(JSON.stringify(found))} END</body>`;
  });
</script>
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Browser:
    """The browser, which sees the site with the script of axe."""
    try:
        root, script = browser_root(), axe_script()
    except LabError as error:
        pytest.skip(f"a browser with axe cannot be had: {error.line}")
    home = tmp_path_factory.mktemp("site")
    folder = build_documentation(Workplace.here(), home / "docs").parent
    shutil.copy(script, folder / "axe.js")
    return Browser(root, folder)


@pytest.mark.parametrize("width", [DESK, PHONE])
@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_the_screen_and_can_be_read(browser: Browser, name: str, width: int) -> None:
    page = browser.folder / f"{name}.html"
    checked = page.with_name("checked.html")
    axe = os.path.relpath(browser.folder / "axe.js", page.parent)
    check = CHECK.replace("AXE", axe).replace("THEMES", json.dumps(THEMES))
    checked.write_text(page.read_text().replace("</body>", f"{check}</body>"))
    shown = browser.open(str(checked.relative_to(browser.folder)), f"--window-size={width},900", "--dump-dom")
    found: dict[str, t.Any] = json.loads(unquote(re.findall("FOUND (.*) END", shown)[-1]))
    assert found == {"width": width, "light": [], "dark": []}
