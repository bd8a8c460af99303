# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A rehearsal foretells, by the records of one update, how long the next one takes by OpenShift's own operators."""

from __future__ import annotations

import re
import subprocess
import typing as t
from datetime import datetime, timedelta

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of
from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import VERSION, last_lines
from ansible_collections.fieldops.openshift.tests.integration.site_scenarios.conftest import Operate
from ansible_collections.fieldops.openshift.tests.integration.site_scenarios.operated_site import (
    MINOR,
    OperatedSite,
    Stock,
)

pytestmark = pytest.mark.long
REBOOT_SECONDS = 30.0
"""Hosts take longer. Much shorter, the work between nodes, which is that of this machine, would count for most."""
SHARE = 0.2
STEP = re.compile(r"(.+?)  (\S+) (\S+) to (?:(\S+) )?(\S+) UTC: ")
Spans = dict[str, tuple[datetime, datetime]]


def foretold(run: subprocess.CompletedProcess[str]) -> Spans:
    """Return when a rehearsal says that each of its steps starts and ends."""
    assert run.returncode == 0, run.stdout
    found = [t.cast("re.Match[str]", STEP.match(line)).groups() for line in last_lines(run, "Show the steps")]
    return {name: (moment(day, starts), moment(other_day or day, ends)) for name, day, starts, other_day, ends in found}


def moment(day: str, time: str) -> datetime:
    return datetime.fromisoformat(f"{day}T{time}+00:00")


def measured(site: OperatedSite) -> Spans:
    """Return the same of the update that the site has been through, of what the cluster has recorded of it."""
    newest = site.rest.get(VERSION)["status"]["history"][0]
    times = {name: site.recorded(name).times for name in ("worker-0", "worker-1")}
    texts = {
        "release and control plane": (newest["startedTime"], newest["completionTime"]),
        **{name: (phases["draining"], phases["done"]) for name, phases in times.items()},
    }
    found = {name: (instant_of(start), instant_of(end)) for name, (start, end) in texts.items()}
    return {name: (start, end) for name, (start, end) in found.items() if start and end}


def lengths(spans: Spans) -> dict[str, timedelta]:
    """Return how long each step took, and all of them together."""
    first, last = min(start for start, _end in spans.values()), max(end for _start, end in spans.values())
    return {**{name: end - start for name, (start, end) in spans.items()}, "all": last - first}


def test_the_next_update_takes_as_long_as_the_rehearsal_says(operate: Operate, stock: Stock) -> None:
    site = operate(3, 2)
    site.reboots.seconds = REBOOT_SECONDS
    first = site.update()
    assert first.returncode == 0, first.stdout
    site = site.with_bundle(stock.bundles[MINOR])
    said = foretold(site.rehearse_update())
    run = site.update()
    assert run.returncode == 0, run.stdout
    assert site.is_at_release()
    was = measured(site)
    assert sorted(was, key=was.__getitem__) == list(said), "in this order"
    expected, found = lengths(said), lengths(was)
    print({name: (str(expected[name]), str(found[name])) for name in expected})
    wrong = {name: (expected[name], found[name]) for name in expected if abs(expected[name] / found[name] - 1) > SHARE}
    assert not wrong
