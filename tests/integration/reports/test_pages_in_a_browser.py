# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The pages of the collection in a real browser: on a desk, on a phone, on paper, and in the dark."""

from __future__ import annotations

import re
import typing as t
from dataclasses import dataclass, replace

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
from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.plan.fleet_page import fleet_html
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.document import site_document
from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.report_page import report_page
from ansible_collections.fieldops.openshift.tests.lab.browser import DARK, DESK, MEASURE, PHONE, Browser
from ansible_collections.fieldops.openshift.tests.lab.report_records import (
    DONE,
    UNDER_WAY,
    change,
    finding,
    node,
    records,
    rollout,
    run,
)

START = read_instant("2026-11-21T12:00:00Z", "start")
DAYS, ROWS, CLUSTERS = 28, 7, 90
LONG = "w" * 250


@dataclass(frozen=True)
class Page:
    """A page whose names and reasons are long, and the most sheets of paper that it may need."""

    title: str
    text: str
    most_sheets: int


def calendar() -> Page:
    """Return a calendar of seven resources, of which none needs more than a sheet."""
    windows = tuple(Window(START + day * DAY, START + day * DAY + 4 * 3600) for day in range(DAYS))
    exclusions = (Exclusion(START + 5 * DAY, START + 9 * DAY, "the shops are open " * 6),)
    reason = f"change is restricted: {'w' * 120}, until 2026-11-21T20:00:00Z"
    rows = [
        CalendarRow(
            f"k{n}", f"NodePool clusters/{'p' * 60}-{n}", reason, n % 2 == 0, n == 3, windows, exclusions, "x " * 99
        )
        for n in range(ROWS)
    ]
    whole = MaintenanceCalendar(START, DAYS, tuple(rows), ("y" * 200,), local_time("Europe/Oslo"))
    return Page("Site", calendar_page(whole, "Site"), ROWS + 1)


def report() -> Page:
    """Return the report of a site with many nodes."""
    done = [node(f"worker-{number}-{LONG}", "done", {**DONE, "reason": LONG}) for number in range(30)]
    found = records(
        rollout=rollout(*done, node("worker-a", "in_progress", UNDER_WAY), node("worker-b", "pending")),
        changes=[change("worker", resource=f"NodePool clusters/{LONG}", sentence="x " * 99)],
    )
    found.parts["health"]["findings"].append(finding(seen=LONG, advice=LONG, severity="notice"))
    missing = (("space", f"Could not read {LONG}"),)
    document = site_document(replace(found, runs=(run(sentence=LONG, by=LONG),) * 20, missing=missing))
    return Page("Update to 4.21.5", report_page(document), 16)


def fleet() -> Page:
    """Return the page of a fleet; every third cluster cannot be updated."""
    keys = ("window", "ring", "hardware", "platform")
    clusters: list[dict[str, t.Any]] = [
        {
            "cluster_name": f"edge-{number}-{LONG[:60]}",
            "cluster_state": "available" if number % 3 else "unavailable",
            "cluster_version": "4.21.5",
            "cluster_blocks": [] if number % 3 else [LONG, "x " * 99],
            **{f"cluster_{key}": f"{key}-{number % 5}-{LONG[:60]}" for key in keys},
        }
        for number in range(CLUSTERS)
    ]
    return Page("Fleet status", fleet_html(clusters, START), 16)


@pytest.fixture(scope="module", params=[calendar, report, fleet], ids=lambda make: make.__name__)
def page(request: pytest.FixtureRequest) -> Page:
    made: Page = request.param()
    return made


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_nothing_is_wider_than_the_screen(browser: Browser, page: Page, width: int) -> None:
    assert browser.measure(page.text, width) == width


def test_the_page_runs_nothing(browser: Browser, page: Page) -> None:
    printed = browser.show(page.text.replace("</body>", f"{MEASURE}</body>"), "--dump-dom")
    assert f"<title>{page.title}</title>" in printed, "its own policy keeps scripts from running"


@pytest.mark.parametrize("words", [(), DARK], ids=["light", "dark"])
def test_the_page_can_be_read(browser: Browser, page: Page, words: tuple[str, ...]) -> None:
    assert browser.violations(page.text, *words) == []


def test_it_is_printed_with_all_that_it_says(browser: Browser, page: Page) -> None:
    browser.show(page.text, "--print-to-pdf=/mnt/page.pdf", "--no-pdf-header-footer")
    printed = (browser.folder / "page.pdf").read_bytes()
    assert printed.startswith(b"%PDF")
    assert 2 <= len(re.findall(rb"/Type ?/Page\b", printed)) <= page.most_sheets
