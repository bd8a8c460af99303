# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The calendar as text and page, and the metrics as text: complete, and safe whatever names and reasons hold."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, timezone

from icalendar import Calendar  # type: ignore[import-untyped,import-not-found,unused-ignore]

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.local_time import local_time
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.calendar_feed import calendar_feed
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
from ansible_collections.fieldops.openshift.tests.lab.page_elements import Elements

NOW = read_instant("2026-11-21T12:00:00Z", "now")
OPENED = read_instant("2026-11-22T22:10:00Z", "now")
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


def judged(now: int = NOW) -> list[Judged]:
    assignments = Entries("a", {key: {"changeManagement": stanza} for key, stanza in STANZAS.items()})
    governance = Governance(Entries("p", {"nights": {"spec": NIGHTS}}), assignments, Given())
    resources = [Resource(ResourceName.of_key(key)) for key in STANZAS]
    return judge(resources, governance, ClockComparison(now, now, now, 30), 3)


def calendar(days: int = 3) -> MaintenanceCalendar:
    return maintenance_calendar(judged(), NOW, days)


def test_the_calendar_as_text() -> None:
    lines = calendar_text(calendar()).splitlines()
    assert lines[0] == "Maintenance calendar from Sat 2026-11-21 12:00 for 3 days. Times are UTC."
    assert "  Sun 2026-11-22 00:00 until Sun 2026-11-22 02:00 (2h)" in lines, "the tail of the excluded day's window"
    assert "  Sun 2026-11-22 22:00 until Mon 2026-11-23 02:00 (4h)" in lines
    assert "  Sat 2026-11-21 12:00 without an end" in lines
    assert lines[lines.index("MachineConfigPool infra") + 2] == "  no window in this time"


def test_the_calendar_as_a_page_of_its_own() -> None:
    page = Elements(calendar_page(calendar(), f"Site {HOSTILE}"))
    assert page.open == []
    assert "script" not in page.seen
    assert HOSTILE.strip() in page.words, "shown as text"
    assert page.seen.count("h2") == len(STANZAS)


DECEMBER = {
    "strategy": "MaintenanceSchedule",
    "maintenanceSchedule": {
        "permit": {"startTime": "22:00", "duration": "4h"},
        "exclude": [
            {"fromDate": "2026-11-23", "untilDate": "2026-11-25", "reason": "the shops are open, all night"},
            {"fromDate": "2027-01-01", "reason": "another year"},
        ],
    },
}
BERLIN = local_time("Europe/Berlin")


def told() -> MaintenanceCalendar:
    """A calendar with all that there is to tell."""
    key = "MachineConfigPool.worker"
    assignments = Entries("a", {key: {"changeManagement": STANZAS[key]}, "MachineConfigPool.infra": {}})
    governance = Governance(Entries("p", {"nights": {"spec": DECEMBER}}), assignments, Given())
    reason, since = "1 of 3 machines have x", "2026-11-20T10:00:00Z"
    resources = [
        Resource(ResourceName.of_key(key), pending=True, pending_reason=reason, pending_since=since),
        Resource(ResourceName.of_key("MachineConfigPool.rack"), stanza=None),
    ]
    found = judge(resources, governance, ClockComparison(NOW, NOW, NOW, 30), 3, BERLIN)
    return maintenance_calendar(found, NOW, 7, ["assignment MachineConfigPool.workers: there is none"], BERLIN)


def test_what_is_wrong_and_what_waits_comes_first() -> None:
    lines = calendar_text(told()).splitlines()
    assert lines[2] == "Wrong: assignment MachineConfigPool.workers: there is none"
    assert lines[3].startswith("Wrong: MachineConfigPool rack: change is restricted: ")
    assert lines[5] == (
        "Pending: MachineConfigPool worker: 1 of 3 machines have x, since Fri 2026-11-20 10:00"
        " (Fri 2026-11-20 11:00 CET); it can start at Sat 2026-11-21 22:00 (Sat 2026-11-21 23:00 CET)"
    )
    words = Elements(calendar_page(told(), "Site")).words
    places = [words.index(part) for part in ("MachineConfigPool.workers", "1 of 3", "is closed, until")]
    assert places == sorted(places)


def test_exclusions_of_the_time_shown_stand_there_with_their_reasons() -> None:
    for shown in (calendar_text(told()), calendar_page(told(), "Site"), calendar_feed(told(), "Site")):
        assert "the shops are open" in shown
        assert "another year" not in shown
    assert "  excluded: Mon 2026-11-23 to Tue 2026-11-24, the shops are open, all night" in calendar_text(told())


def test_nothing_on_the_page_goes_stale() -> None:
    words = Elements(calendar_page(told(), "Site")).words
    assert not re.search(r", for \d", words)
    assert "Sat 2026-11-21 23:00 CET until Sun 2026-11-22 03:00 CET" in words, "local time beside UTC"


def test_the_feed_as_a_calendar_reads_it() -> None:
    events = Calendar.from_ical(calendar_feed(told(), f"Site; {'x' * 80}, é" * 2)).walk("VEVENT")
    first, *_others, holiday = events
    assert (first.decoded("dtstart"), first.decoded("dtend")) == (
        datetime(2026, 11, 21, 22, tzinfo=timezone.utc),
        datetime(2026, 11, 22, 2, tzinfo=timezone.utc),
    )
    assert str(first["summary"]) == "Change permitted: MachineConfigPool worker"
    assert (holiday.decoded("dtstart"), holiday.decoded("dtend")) == (date(2026, 11, 23), date(2026, 11, 25))
    assert str(holiday["description"]) == "the shops are open, all night"
    assert len({str(event["uid"]) for event in events}) == len(events)


def test_lines_of_the_feed_are_short_and_what_comes_from_outside_stays_in_its_place() -> None:
    feed = calendar_feed(calendar(), HOSTILE + "é" * 200)
    assert all(len(line.encode()) <= 75 for line in feed.split("\r\n"))
    assert str(Calendar.from_ical(feed)["x-wr-calname"]) == HOSTILE.rstrip() + "é" * 200 or "script" in feed
    assert "\n" not in feed.replace("\r\n", "")


def test_an_open_window_is_the_same_event_in_each_run() -> None:
    days = [maintenance_calendar(judged(moment), moment, 3) for moment in (OPENED, OPENED + 3600)]
    uids = [re.findall("UID:(.*)\r", calendar_feed(one, ""))[0] for one in days]
    assert uids[0] == uids[1]


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
    windows = 3 + 0 + 1
    assert len(samples) == len(STANZAS) * (4 + 3 + 1) + 2 * windows
    assert all(re.fullmatch(r'[a-z_]+\{([a-z]+="[^"\n]*",?)+\} (-?[0-9]+|[+]Inf)', line) for line in samples)


def test_instants_as_metrics_stay_true_between_runs() -> None:
    (worker, infra, _hosted) = judged()
    asked = Resource(infra.resource.name, pending=True, pending_since="2026-11-20T10:00:00Z")
    begun = Resource(worker.resource.name, pending=True)
    lines = exposition([replace(worker, resource=begun), replace(infra, resource=asked)]).splitlines()
    of_worker, of_infra = (
        f'kind="MachineConfigPool",object="{pool}",system="worker-nodes"' for pool in ("worker", "infra")
    )
    opening = read_instant("2026-11-22T00:00:00Z", "opening")
    assert f"change_management_evaluated_timestamp_seconds{{{of_worker}}} {NOW}" in lines
    assert f'change_management_window_start_timestamp_seconds{{{of_worker},window="0"}} {opening}' in lines
    assert f'change_management_window_end_timestamp_seconds{{{of_worker},window="0"}} {opening + 7200}' in lines
    assert f"change_management_waiting_until_timestamp_seconds{{{of_worker}}} {opening}" in lines
    assert f"change_management_pending_since_timestamp_seconds{{{of_worker}}} {NOW}" in lines, "no later than now"
    assert f"change_management_pending_since_timestamp_seconds{{{of_infra}}} {NOW - 26 * 3600}" in lines
    assert f"change_management_waiting_until_timestamp_seconds{{{of_infra}}} +Inf" in lines
