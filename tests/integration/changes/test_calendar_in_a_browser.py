# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The page of the calendar in a real browser: Debian's Chromium without a screen."""

from __future__ import annotations

import re

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
from ansible_collections.fieldops.openshift.tests.lab.browser import DARK, DESK, MEASURE, PHONE, Browser

START = read_instant("2026-11-21T12:00:00Z", "start")
DAYS = 28
ROWS = range(7)


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
    assert browser.measure(page, width) == width


def test_the_page_runs_nothing(browser: Browser, page: str) -> None:
    printed = browser.show(page.replace("</body>", f"{MEASURE}</body>"), "--dump-dom")
    assert "<title>Site</title>" in printed, "its own policy keeps scripts from running"


@pytest.mark.parametrize("words", [(), DARK], ids=["light", "dark"])
def test_the_page_can_be_read(browser: Browser, page: str, words: tuple[str, ...]) -> None:
    assert browser.violations(page, *words) == []


def test_it_is_printed_with_all_that_it_says(browser: Browser, page: str) -> None:
    browser.show(page, "--print-to-pdf=/mnt/calendar.pdf", "--no-pdf-header-footer")
    printed = (browser.folder / "calendar.pdf").read_bytes()
    assert printed.startswith(b"%PDF")
    assert 2 <= len(re.findall(rb"/Type ?/Page\b", printed)) <= len(ROWS) + 1, "no resource needs more than a sheet"
