# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""An update is rehearsed: it is said when each step starts and ends, and nothing is changed."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import CLOSED, NODES, last_lines

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite

BEGINS = "2026-11-28T20:00:00Z"


def test_steps_are_the_release_and_then_each_worker_in_its_window(make_site: MakeSite) -> None:
    site = make_site(1, 2)
    before = site.rest.get(NODES)
    permit = {
        "recurrence": {"frequency": "Daily", "daily": {"interval": 1}},
        "startTime": "22:00",
        "duration": "2h",
    }
    nights = {"strategy": "MaintenanceSchedule", "maintenanceSchedule": {"permit": permit}}
    run = site.rehearse_update(
        site_change_stanza={"strategy": "ByPolicy", "byPolicy": {"name": "nights"}},
        site_change_policies={"nights": nights},
        site_rehearsal_begins=BEGINS,
        site_release_seconds=3600,
        site_node_seconds=1800,
    )
    assert run.returncode == 0, run.stdout
    said = " ".join(run.stdout.split())
    for step in (
        "2026-11-28T22:00:00Z to 2026-11-28T23:00:00Z release and control plane",
        "2026-11-28T23:00:00Z to 2026-11-28T23:30:00Z worker-0",
        "2026-11-28T23:30:00Z to 2026-11-29T00:00:00Z worker-1",
    ):
        assert step in said, run.stdout
    assert "3 steps; done at 2026-11-29T00:00:00Z, after 4h in 2 runs" in last_lines(run, "Show the summary")
    assert [one["metadata"]["resourceVersion"] for one in site.rest.get(NODES)["items"]] == [
        one["metadata"]["resourceVersion"] for one in before["items"]
    ]


def test_an_update_that_never_may_start_says_why(make_site: MakeSite) -> None:
    site = make_site(1, 1)
    run = site.rehearse_update(site_change_stanza={"strategy": "Restrictive"}, site_rehearsal_begins=BEGINS)
    assert run.returncode == 0, run.stdout
    assert "2 steps; release and control plane never starts: " in "\n".join(last_lines(run, "Show the summary"))


def test_a_site_that_is_closed_for_long_waits(make_site: MakeSite) -> None:
    run = make_site(1, 1).rehearse_update(site_change_stanza=CLOSED, site_rehearsal_begins=BEGINS)
    assert "2099-01-01T00:00:00Z to" in run.stdout, run.stdout
