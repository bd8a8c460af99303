# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of a report in a real browser: on a desk, on a phone, on paper, and in the dark."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

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

ROWS = 30
LONG = "w" * 250


@pytest.fixture(scope="module")
def page() -> str:
    """A page with many nodes, whose names and reasons are long."""
    done = [node(f"worker-{number}-{LONG}", "done", {**DONE, "reason": LONG}) for number in range(ROWS)]
    found = records(
        rollout=rollout(*done, node("worker-a", "in_progress", UNDER_WAY), node("worker-b", "pending")),
        changes=[change("worker", resource=f"NodePool clusters/{LONG}", sentence="x " * 99)],
    )
    found.parts["health"]["findings"].append(finding(seen=LONG, advice=LONG, severity="notice"))
    missing = (("space", f"Could not read {LONG}"),)
    return report_page(site_document(replace(found, runs=(run(sentence=LONG, by=LONG),) * 20, missing=missing)))


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_nothing_is_wider_than_the_screen(browser: Browser, page: str, width: int) -> None:
    assert browser.measure(page, width) == width


def test_the_page_runs_nothing(browser: Browser, page: str) -> None:
    printed = browser.show(page.replace("</body>", f"{MEASURE}</body>"), "--dump-dom")
    assert "<title>Update to 4.21.5</title>" in printed, "its own policy keeps scripts from running"


@pytest.mark.parametrize("words", [(), DARK], ids=["light", "dark"])
def test_the_page_can_be_read(browser: Browser, page: str, words: tuple[str, ...]) -> None:
    assert browser.violations(page, *words) == []


def test_it_is_printed_with_all_that_it_says(browser: Browser, page: str) -> None:
    browser.show(page, "--print-to-pdf=/mnt/report.pdf", "--no-pdf-header-footer")
    printed = (browser.folder / "report.pdf").read_bytes()
    assert printed.startswith(b"%PDF")
    assert 2 <= len(re.findall(rb"/Type ?/Page\b", printed)) <= 16, "text of this amount needs some sheets"
