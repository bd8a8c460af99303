# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which clusters of a fleet can begin their update now, or why none can.

A decision depends only on its input: what the hub shows of the clusters, how their last updates went, and the time. A
wave that is interrupted is therefore continued by the next one.
"""

from __future__ import annotations

import typing as t
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.plan.awx_jobs import FAILED, RUNNING, Update
from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.plan.cluster_state import AVAILABLE
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.time_lengths import describe_seconds
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

DONE: t.Final = "done"
READY: t.Final = "ready"
CLOSED: t.Final = "closed"
UNAVAILABLE: t.Final = "unavailable"
WITHOUT_RING: t.Final = "without_ring"
BEGIN, WAIT, STOP = "begin", "wait", "stop"
NAMED = 10
"""Clusters that a sentence names."""


@dataclass(frozen=True)
class Ring:
    """Clusters that are updated together: the seconds before the next ring begins, and how many of them may fail."""

    name: str
    soak: int = 0
    most_failed: int | None = None


@dataclass(frozen=True)
class WaveRules:
    """The rings in their order, the updates at once, and how many of the last updates may fail."""

    rings: tuple[Ring, ...]
    at_once: int
    most_failed: int
    out_of: int


@dataclass(frozen=True)
class Member:
    """A cluster in its ring: its standing, and when its update ended, in seconds since the epoch."""

    name: str
    ring: str
    standing: str
    ended: int | None = None


@dataclass(frozen=True)
class Wave:
    """A decision to begin, wait or stop: the clusters to begin, the reason, and until when to wait if that is known."""

    decision: str
    reason: str
    begin: tuple[str, ...] = ()
    ring: str = ""
    until: str = ""


def members_of(
    clusters: Sequence[Mapping[str, t.Any]],
    release: str,
    updates: Mapping[str, Update],
    rules: WaveRules,
    open_windows: frozenset[str] | None,
) -> list[Member]:
    """Return the clusters in their rings; ``open_windows`` is None if any time will do."""
    rings = {ring.name for ring in rules.rings}
    found = []
    for one in clusters:
        name, ring = str(one["cluster_name"]), str(one["cluster_ring"])
        update = updates.get(name)
        standing = WITHOUT_RING if ring not in rings else _standing(one, release, update, open_windows)
        found.append(Member(name, ring, standing, update.ended if update else None))
    return found


def next_wave(members: Sequence[Member], rules: WaveRules, now: int) -> Wave:
    """Return the decision. Raise InvalidInputError for a ring without clusters: its watch would prove nothing."""
    for ring in rules.rings:
        if not any(one.ring == ring.name for one in members):
            raise InvalidInputError(
                "plan a wave",
                on=f"ring {ring.name}",
                seen="no cluster has this ring",
                advice="Label the clusters, or remove the ring.",
            )
    return _stopped(members, rules) or _in_rings(members, rules, now)


def _standing(
    cluster: Mapping[str, t.Any], release: str, update: Update | None, open_windows: frozenset[str] | None
) -> str:
    if update and update.status in (RUNNING, FAILED):
        return update.status
    if cluster["cluster_version"] == release:
        return DONE
    if cluster["cluster_state"] != AVAILABLE:
        return UNAVAILABLE
    return READY if open_windows is None or cluster["cluster_window"] in open_windows else CLOSED


def _stopped(members: Sequence[Member], rules: WaveRules) -> Wave | None:
    ended = [one for one in members if one.standing == FAILED or (one.standing == DONE and one.ended)]
    ended.sort(key=lambda one: (one.ended or float("inf"), one.name))
    last = ended[-rules.out_of :]
    failed = [one.name for one in last if one.standing == FAILED]
    if len(failed) > rules.most_failed:
        return _stop(f"{len(failed)} of the last {len(last)} updates failed", rules.most_failed, failed)
    for ring in rules.rings:
        failed = [one.name for one in members if one.ring == ring.name and one.standing == FAILED]
        if ring.most_failed is not None and len(failed) > ring.most_failed:
            return _stop(f"{len(failed)} updates in ring {ring.name} failed", ring.most_failed, failed, ring.name)
    return None


def _stop(seen: str, most: int, failed: Sequence[str], ring: str = "") -> Wave:
    advice = "Repair them, and run their updates again."
    return Wave(STOP, f"Stopped: {seen}, and at most {most} may fail: {_listed(failed)}. {advice}", ring=ring)


def _in_rings(members: Sequence[Member], rules: WaveRules, now: int) -> Wave:
    running = sum(one.standing == RUNNING for one in members)
    for ring in rules.rings:
        its = [one for one in members if one.ring == ring.name]
        found = _in_ring(ring, its, rules.at_once - running, now)
        if found:
            return found
    return Wave(WAIT, "All clusters that can be reached have the release.")


def _in_ring(ring: Ring, members: Sequence[Member], free: int, now: int) -> Wave | None:
    """Return the decision of a ring, None if the next one may begin."""
    count = Counter(one.standing for one in members)
    ready = sorted(one.name for one in members if one.standing == READY)
    if ready and free > 0:
        chosen = tuple(ready[:free])
        return Wave(BEGIN, f"Begin {len(chosen)} of {len(ready)} clusters of ring {ring.name}.", chosen, ring.name)
    if ready or count[RUNNING] or count[CLOSED]:
        seen = (f"{len(ready)} are ready", f"{count[RUNNING]} are running", f"{count[CLOSED]} wait for their window")
        return Wave(WAIT, f"Ring {ring.name}: {', '.join(seen)}.", ring=ring.name)
    if not count[DONE]:
        return Wave(WAIT, f"Ring {ring.name}: no cluster has the release yet.", ring=ring.name)
    return _watched(ring, members, now)


def _watched(ring: Ring, members: Sequence[Member], now: int) -> Wave | None:
    until = max((one.ended + ring.soak for one in members if one.standing == DONE and one.ended), default=now)
    if until <= now:
        return None
    instant = timestamp(datetime.fromtimestamp(until, timezone.utc))
    reason = f"Ring {ring.name} is watched until {instant}, for {describe_seconds(until - now)}."
    return Wave(WAIT, reason, ring=ring.name, until=instant)


def _listed(names: Sequence[str]) -> str:
    more = len(names) - NAMED
    return f"{', '.join(sorted(names)[:NAMED])}{f' and {more} more' if more > 0 else ''}"
