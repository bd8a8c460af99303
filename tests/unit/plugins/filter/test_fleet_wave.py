# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which clusters of a fleet begin now, or why none can."""

from __future__ import annotations

import typing as t

import pytest
from ansible.errors import AnsibleFilterError

from ansible_collections.fieldops.openshift.plugins.filter.fleet_wave import fleet_wave

Json = dict[str, t.Any]
NOW = "2026-11-27T12:00:00Z"
RELEASE = "4.21.5"
RINGS: list[Json] = [{"name": "canary", "soak_hours": 24, "most_failed": 0}, {"name": "all"}]
SATURDAY = {
    "spec": {
        "strategy": "MaintenanceSchedule",
        "maintenanceSchedule": {
            "permit": {
                "recurrence": {"frequency": "Weekly", "weekly": {"interval": 1, "daysOfWeek": ["Saturday"]}},
                "startTime": "20:00",
                "duration": "6h",
            }
        },
    }
}


def clusters(ring: str, *names: str, version: str = "4.21.3", **changed: str) -> list[Json]:
    given = {"ring": ring, "version": version, "state": "available", "window": "saturday", **changed}
    return [{"cluster_name": name, **{f"cluster_{key}": value for key, value in given.items()}} for name in names]


def jobs(status: str, *names: str, finished: str | None = "2026-11-27T11:00:00.5Z", start: int = 1) -> list[Json]:
    given = [f'{{"fleet_cluster": "{name}", "fleet_release": "{RELEASE}"}}' for name in names]
    return [
        {"id": start + number, "status": status, "finished": finished, "extra_vars": text}
        for number, text in enumerate(given)
    ]


def many(count: int) -> list[str]:
    return [f"s{number:03}" for number in range(count)]


DONE_CANARY = clusters("canary", "c", version=RELEASE)
OLD = "2026-11-25T00:00:00Z"
CASES = [
    pytest.param([*clusters("canary", "c"), *clusters("all", "x")], [], {}, "begin", ["c"], "1 of 1", id="canaries"),
    pytest.param(
        [*clusters("canary", "c"), *clusters("all", "x")],
        jobs("running", "c", finished=None),
        {},
        "wait",
        [],
        "Ring canary: 0 are ready, 1 are running, 0 wait for their window.",
        id="canaries run",
    ),
    pytest.param(
        [*DONE_CANARY, *clusters("all", "x")],
        jobs("successful", "c"),
        {},
        "wait",
        [],
        "Ring canary is watched until 2026-11-28T11:00:00Z, for 23h.",
        id="soak time",
    ),
    pytest.param(
        [*DONE_CANARY, *clusters("all", *many(12))],
        jobs("successful", "c", finished=OLD),
        {},
        "begin",
        many(10),
        "Begin 10 of 12 clusters of ring all.",
        id="after the soak time, as many as permitted",
    ),
    pytest.param(
        [*DONE_CANARY, *clusters("all", *many(12))],
        [*jobs("successful", "c", finished=OLD), *jobs("pending", *many(9), finished=None, start=9)],
        {},
        "begin",
        ["s009"],
        "Begin 1 of 3",
        id="continued: those that run count",
    ),
    pytest.param(
        [*DONE_CANARY, *clusters("all", "x")], [], {}, "begin", ["x"], "", id="done before the first wave: no soak time"
    ),
    pytest.param(
        [*clusters("canary", "c"), *clusters("all", "x")],
        jobs("failed", "c"),
        {},
        "stop",
        [],
        "Stopped: 1 updates in ring canary failed, and at most 0 may fail: c. Repair them, and run",
        id="a canary failed",
    ),
    pytest.param(
        [*clusters("canary", "c"), *clusters("all", "x")],
        [*jobs("failed", "c"), *jobs("running", "c", finished=None, start=2)],
        {},
        "wait",
        [],
        "1 are running",
        id="the failed one runs again",
    ),
    pytest.param(
        [*DONE_CANARY, *clusters("all", *many(200))],
        [*jobs("successful", "c", finished=OLD), *jobs("error", *many(3), start=9)],
        {},
        "stop",
        [],
        "Stopped: 3 of the last 4 updates failed, and at most 2 may fail: s000, s001, s002.",
        id="more than two failed",
    ),
    pytest.param(
        [*DONE_CANARY, *clusters("all", *many(200))],
        [*jobs("successful", "c", finished=OLD), *jobs("canceled", *many(2), start=9)],
        {},
        "begin",
        many(12)[2:],
        "",
        id="two may fail",
    ),
    pytest.param(
        [*DONE_CANARY, *clusters("all", "f0", "f1", "f2", "x"), *clusters("all", *many(98), version=RELEASE)],
        [
            *jobs("failed", "f0", finished="2026-11-26T00:00:00Z"),
            *jobs("failed", "f1", "f2", finished="2026-11-26T00:00:01Z", start=2),
            *jobs("successful", *many(98), start=9),
        ],
        {},
        "begin",
        ["x"],
        "",
        id="of the last hundred: an older failure no longer counts",
    ),
    pytest.param(
        [*DONE_CANARY, *clusters("all", "x", state="unavailable"), *clusters("all", "y", version=RELEASE)],
        [],
        {},
        "wait",
        [],
        "All clusters that can be reached have the release.",
        id="those out of reach do not delay",
    ),
    pytest.param(
        [*clusters("canary", "c", state="unavailable"), *clusters("all", "x")],
        [],
        {},
        "wait",
        [],
        "Ring canary: no cluster has the release yet.",
        id="but a ring without any success proves nothing",
    ),
    pytest.param(
        [*clusters("canary", "c"), *clusters("all", "x")],
        [],
        {"policies": {"saturday": SATURDAY}},
        "wait",
        [],
        "1 wait for their window",
        id="window closed",
    ),
    pytest.param(
        [*clusters("canary", "c"), *clusters("all", "x")],
        [],
        {"policies": {"saturday": SATURDAY}, "now": "2026-11-28T20:00:00Z"},
        "begin",
        ["c"],
        "",
        id="window open",
    ),
    pytest.param(
        [*clusters("canary", "c", window="unknown"), *clusters("all", "x")],
        [],
        {"policies": {"saturday": SATURDAY}, "now": "2026-11-28T20:00:00Z"},
        "wait",
        [],
        "1 wait for their window",
        id="a window without a policy never opens",
    ),
    pytest.param(
        [*DONE_CANARY, *clusters("all", "x", version=RELEASE), *clusters("", "y")],
        [],
        {},
        "wait",
        [],
        "All clusters",
        id="without a ring a cluster is never begun",
    ),
    pytest.param(
        [*clusters("canary", "c"), *clusters("all", "x")], [], {"at_once": 0}, "wait", [], "1 are ready", id="paused"
    ),
    pytest.param(
        [*clusters("canary", "c"), *clusters("all", "x")],
        [{"id": 1, "status": "failed", "finished": OLD, "extra_vars": "not JSON"}],
        {},
        "begin",
        ["c"],
        "",
        id="jobs of others",
    ),
]


@pytest.mark.parametrize(("fleet", "listed", "options", "decision", "begin", "reason"), CASES)
def test_decision(
    fleet: list[Json], listed: list[Json], options: Json, decision: str, begin: list[str], reason: str
) -> None:
    wave = fleet_wave(fleet, RELEASE, RINGS, listed, **{"now": NOW, **options})
    assert (wave["decision"], wave["begin"]) == (decision, begin)
    assert reason in wave["reason"]


def test_counts_show_each_standing() -> None:
    fleet = [
        *DONE_CANARY,
        *clusters("all", "x", "y"),
        *clusters("other", "z"),
        *clusters("all", "u", state="importing"),
    ]
    wave = fleet_wave(fleet, RELEASE, RINGS, jobs("failed", "x"), now=NOW)
    assert wave["counts"] == {"done": 1, "failed": 1, "ready": 1, "without_ring": 1, "unavailable": 1}


def test_a_fleet_is_done_in_waves_whatever_interrupts_them() -> None:
    """Each wave sees only what the hub and AWX show; half of the updates that it begins end before the next."""
    fleet = [*clusters("canary", "c0", "c1"), *clusters("all", *many(350))]
    listed: list[Json] = []
    most, waves = 0, 0
    while True:
        wave = fleet_wave(fleet, RELEASE, [{"name": "canary"}, {"name": "all"}], listed, now=NOW, at_once=50)
        running = {one["extra_vars"] for one in listed if one["status"] == "running"}
        most, waves = max(most, len(running) + len(wave["begin"])), waves + 1
        if not running and not wave["begin"]:
            break
        listed += jobs("running", *wave["begin"], finished=None, start=len(listed) + 1)
        ending = [one for one in listed if one["status"] == "running"]
        for one in ending[: max(1, len(ending) // 2)]:
            one.update(status="successful", finished=NOW)
        ended = {one["extra_vars"].split('"')[3] for one in listed if one["status"] == "successful"}
        for one in fleet:
            if one["cluster_name"] in ended:
                one["cluster_version"] = RELEASE
    assert wave["counts"] == {"done": 352}
    assert (most, waves < 40) == (50, True)


@pytest.mark.parametrize(
    ("listed", "rings", "message"),
    [
        pytest.param([], [{"name": "canary"}, {"name": "pilot"}], "ring pilot: no cluster has this ring", id="ring"),
        pytest.param([{**jobs("x", "c")[0]}], RINGS, "job 1: its status is x", id="status"),
        pytest.param([], [{"soak_hours": 1}], "KeyError: 'name'", id="ring without a name"),
    ],
)
def test_refusals(listed: list[Json], rings: list[Json], message: str) -> None:
    fleet = [*clusters("canary", "c"), *clusters("all", "x")]
    with pytest.raises(AnsibleFilterError, match=message):
        fleet_wave(fleet, RELEASE, rings, listed, now=NOW)
