# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The calendar as text and page, and the metrics as text: complete, and safe whatever names and reasons hold."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.calendar_page import calendar_page
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.calendar_text import (
    MOST_WINDOWS,
    MaintenanceCalendar,
    calendar_text,
    maintenance_calendar,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.clock_comparison import ClockComparison
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.exposition import exposition
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import read_instant
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import Resource, ResourceName
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import (
    Given,
    Governance,
    Judged,
    judge,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.store_documents import Entries

NOW = read_instant("2026-11-21T12:00:00Z", "now")
HOSTILE = '</p><script>alert("1")</script>\n'
STANZAS = {
    "MachineConfigPool.worker": {"strategy": "ByPolicy", "byPolicy": {"name": "nights"}},
    "MachineConfigPool.infra": {"strategy": "Restrictive"},
    "HostedCluster.clusters.site-a": {"strategy": "Permissive"},
}
NIGHTS = {
    "strategy": "MaintenanceSchedule",
    "maintenanceSchedule": {
        "permit": {"startTime": "22:00", "duration": "4h"},
        "exclude": [{"fromDate": "2026-11-21", "reason": HOSTILE}],
    },
}


def judged() -> list[Judged]:
    assignments = Entries("a", {key: {"changeManagement": stanza} for key, stanza in STANZAS.items()})
    governance = Governance(Entries("p", {"nights": {"spec": NIGHTS}}), assignments, Given())
    resources = [Resource(ResourceName.of_key(key)) for key in STANZAS]
    return judge(resources, governance, ClockComparison(NOW, NOW, NOW, 30), 3)


def calendar(days: int = 3) -> MaintenanceCalendar:
    return maintenance_calendar(judged(), NOW, days)


def test_the_calendar_as_text() -> None:
    lines = calendar_text(calendar()).splitlines()
    assert lines[0] == "Maintenance calendar from Sat 2026-11-21 12:00 for 3 days. All times are UTC."
    assert "  Sun 2026-11-22 00:00 until Sun 2026-11-22 02:00 (2h)" in lines, "the tail of the excluded day's window"
    assert "  Sun 2026-11-22 22:00 until Mon 2026-11-23 02:00 (4h)" in lines
    assert "  Sat 2026-11-21 12:00 without an end" in lines
    assert lines[lines.index("MachineConfigPool infra") + 2] == "  no window in this time"


class Elements(HTMLParser):
    """The elements of a page, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.words = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        assert not [name for name, _value in attrs if name in ("src", "href") or name.startswith("on")]
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def test_the_calendar_as_a_page_of_its_own() -> None:
    page = Elements(calendar_page(calendar(), f"Site {HOSTILE}"))
    assert page.open == []
    assert "script" not in page.seen
    assert HOSTILE.strip() in page.words, "shown as text"
    assert page.seen.count("h2") == len(STANZAS)


def test_bars_stay_within_the_calendar() -> None:
    places = re.findall(r"left:([0-9.]+)%;width:([0-9.]+)%", calendar_page(calendar(), "Site"))
    assert places
    assert all(float(left) >= 0 and float(left) + float(width) <= 100.001 for left, width in places)


def test_a_schedule_of_thousands_of_windows_is_cut() -> None:
    (worker, *_others) = maintenance_calendar(judged(), NOW, 4000).rows
    assert len(worker.windows) == MOST_WINDOWS


def test_metrics_as_prometheus_reads_them() -> None:
    lines = exposition(judged()).splitlines()
    assert (
        'change_management_next_change_eta{kind="MachineConfigPool",object="infra",system="worker-nodes"} -1' in lines
    )
    hosted = 'kind="HostedCluster",object="clusters/site-a",system="control-plane"'
    assert f"change_management_permissive_remaining{{{hosted}}} -1" in lines
    assert f'change_management_strategy_enabled{{{hosted},strategy="Permissive"}} 1' in lines
    samples = [line for line in lines if not line.startswith("#")]
    assert len(samples) == len(STANZAS) * (4 + 3)
    assert all(re.fullmatch(r'[a-z_]+\{([a-z]+="[^"\n]*",?)+\} -?[0-9]+', line) for line in samples)
