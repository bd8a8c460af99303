# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""When the steps of an update start and end: what a rehearsal says, and what the cluster has recorded afterwards."""

from __future__ import annotations

import re
import typing as t
from collections.abc import Iterable
from datetime import datetime, timedelta

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import NodeRecord
from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import (
    NODES,
    VERSION,
    lines_shown,
)
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient

SHARE = 0.2
"""By how much a forecast may be wrong."""
ALL = "all"
STEP = re.compile(r"(.+?)  (\S+) (\S+) to (?:(\S+) )?(\S+) UTC: ")
Spans = dict[str, tuple[datetime, datetime]]


def foretold(output: str) -> Spans:
    """Return when a rehearsal says that each step starts and ends."""
    lines = lines_shown(output, "Show the steps")
    found = [t.cast("re.Match[str]", STEP.match(line)).groups() for line in lines]
    return {
        name: (_moment(day, starts), _moment(other_day or day, ends)) for name, day, starts, other_day, ends in found
    }


def recorded(client: RestClient, workers: Iterable[str]) -> Spans:
    """Return the same of the newest update, in order, of what the cluster has recorded of it."""
    newest = client.get(VERSION)["status"]["history"][0]
    records = {name: NodeRecord.of(client.get(f"{NODES}/{name}")) for name in workers}
    texts = {
        "release and control plane": (newest["startedTime"], newest["completionTime"]),
        **{name: (one.times["draining"], one.times["done"]) for name, one in records.items() if one},
    }
    found = {name: (instant_of(start), instant_of(end)) for name, (start, end) in texts.items()}
    known = {name: (start, end) for name, (start, end) in found.items() if start and end}
    return dict(sorted(known.items(), key=lambda one: one[1]))


def lengths(spans: Spans) -> dict[str, timedelta]:
    """Return how long each step took, and all of them together."""
    first, last = min(start for start, _end in spans.values()), max(end for _start, end in spans.values())
    return {**{name: end - start for name, (start, end) in spans.items()}, ALL: last - first}


def shares(said: Spans, was: Spans) -> dict[str, float]:
    """Return what share of the real duration a forecast is, for each step and all of them; print all for the report."""
    expected, found = lengths(said), lengths(was)
    print({name: (str(expected[name]), str(found[name])) for name in expected})
    return {name: expected[name] / found[name] for name in expected}


def _moment(day: str, time: str) -> datetime:
    return datetime.fromisoformat(f"{day}T{time}+00:00")
