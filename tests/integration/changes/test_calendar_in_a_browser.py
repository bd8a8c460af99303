# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The page of the calendar in a real browser: Debian's Chromium without a screen."""

from __future__ import annotations

import re
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.local_time import local_time
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.calendar_page import calendar_page
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.calendar_text import (
    CalendarRow,
    MaintenanceCalendar,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import Window
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import DAY, read_instant
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import Exclusion
from ansible_collections.fieldops.openshift.tests.lab.browser import DESK, PHONE, Browser, browser_root
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError

if t.TYPE_CHECKING:
    from pathlib import Path

START = read_instant("2026-11-21T12:00:00Z", "start")
DAYS = 28
ROWS = range(7)
MEASURE = "<script>document.title = 'width ' + document.documentElement.scrollWidth</script>"


@pytest.fixture(scope="module")
def root() -> Path:
    try:
        return browser_root()
    except LabError as error:
        pytest.skip(f"Debian's Chromium cannot be had: {error.line}")


@pytest.fixture
def browser(root: Path, tmp_path: Path) -> Browser:
    return Browser(root, tmp_path)


def shown(browser: Browser, page: str, *words: str) -> str:
    """Open a page, and return what the browser prints."""
    (browser.folder / "calendar.html").write_text(page)
    return browser.open("calendar.html", *words)


@pytest.fixture
def page() -> str:
    """A page with seven resources, whose names and reasons are long."""
    windows = tuple(Window(START + day * DAY, START + day * DAY + 4 * 3600) for day in range(DAYS))
    exclusions = (Exclusion(START + 5 * DAY, START + 9 * DAY, "the shops are open " * 6),)
    reason = f"change is restricted: {'w' * 120}, until 2026-11-21T20:00:00Z"
    rows = [
        CalendarRow(
            f"k{n}", f"NodePool clusters/{'p' * 60}-{n}", reason, n % 2 == 0, n == 3, windows, exclusions, "x " * 99
        )
        for n in ROWS
    ]
    return calendar_page(MaintenanceCalendar(START, DAYS, tuple(rows), ("y" * 200,), local_time("Europe/Oslo")), "Site")


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_nothing_is_wider_than_the_screen(browser: Browser, page: str, width: int) -> None:
    measured = re.sub("<meta http-equiv=[^>]*>", "", page).replace("</body>", f"{MEASURE}</body>")
    assert f"<title>width {width}</title>" in shown(browser, measured, f"--window-size={width},800", "--dump-dom")


def test_the_page_runs_nothing(browser: Browser, page: str) -> None:
    printed = shown(browser, page.replace("</body>", f"{MEASURE}</body>"), "--dump-dom")
    assert "<title>Site</title>" in printed, "its own policy keeps scripts from running"


def test_it_is_printed_with_all_that_it_says(browser: Browser, page: str) -> None:
    shown(browser, page, "--print-to-pdf=/mnt/calendar.pdf", "--no-pdf-header-footer")
    printed = (browser.folder / "calendar.pdf").read_bytes()
    assert printed.startswith(b"%PDF")
    assert 2 <= len(re.findall(rb"/Type ?/Page\b", printed)) <= len(ROWS) + 1, "no resource needs more than a sheet"
