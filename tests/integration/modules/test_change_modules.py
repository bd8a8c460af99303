# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""change_policy, change_override and change_management_info as users run them, against a real API server."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import (
    CONFIG_MAPS,
    WHY,
    Json,
    as_user,
    by_policy,
    closed_now,
    task,
)
from ansible_collections.fieldops.openshift.tests.integration.plays import finish_play, run_play, start_play
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._changes.plan.recurrences import (
    yearly_dates,
)

ASSIGN = {"MachineConfigPool.worker": by_policy("nights")}
POOL = {"kind": "MachineConfigPool", "name": "worker"}
POOLS = "machineconfiguration.openshift.io/machineconfigpools"


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift(users={"manager": [], "reader": []}) as running:
        plant(running.rest, healthy_cluster("4.21.3", control_plane=1, workers=2))
        yield running


@pytest.fixture
def site(server: ApiServer) -> ApiServer:
    """The cluster without any change management."""
    for name in ("change-policies", "change-assignments", "change-overrides"):
        if server.rest.exists(f"{CONFIG_MAPS}/{name}"):
            server.rest.delete(f"{CONFIG_MAPS}/{name}")
    return server


def stored(site: ApiServer, name: str, key: str) -> Json:
    document: Json = json.loads(site.rest.get(f"{CONFIG_MAPS}/{name}")["data"][key])
    return document


def ask(site: ApiServer, folder: Path, **options: t.Any) -> Json:
    return run_play(folder, task(site, "change_management_info", **options)).result


def set_policy(site: ApiServer, folder: Path, *words: str, **options: t.Any) -> Json:
    return run_play(folder, task(site, "change_policy", reason=WHY, **options), *words).result


def override(site: ApiServer, folder: Path, *words: str, **options: t.Any) -> Json:
    return run_play(folder, task(site, "change_override", reason=WHY, **options), *words).result


def in_seconds(seconds: int) -> str:
    return f"{datetime.now(timezone.utc) + timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%SZ}"


def test_steps_of_a_policy(site: ApiServer, tmp_path: Path) -> None:
    wanted = {"name": "nights", "spec": closed_now(), "assignments": ASSIGN}
    gone = {"name": "nights", "state": "absent", "assignments": {"MachineConfigPool.worker": None}}
    checked = set_policy(site, tmp_path, "--check", "--diff", **wanted)
    assert (checked["changed"], checked["diff"]["after"]["change-policies/nights"]) == (True, wanted["spec"])
    assert not site.rest.exists(f"{CONFIG_MAPS}/change-policies")
    assert set_policy(site, tmp_path, **wanted)["changed"] is True
    assert stored(site, "change-policies", "nights")["spec"] == wanted["spec"]
    assert stored(site, "change-assignments", "MachineConfigPool.worker")["changeManagement"] == by_policy("nights")
    again = set_policy(site, tmp_path, "--check", **wanted)
    assert (again["changed"], again["actions"]) == (False, [])
    assert set_policy(site, tmp_path, **gone)["changed"] is True
    assert site.rest.get(f"{CONFIG_MAPS}/change-policies")["data"] == {"schemaVersion": "1"}


def test_a_policy_that_never_opens_is_warned_about(site: ApiServer, tmp_path: Path) -> None:
    spec = closed_now()
    spec["maintenanceSchedule"]["permit"]["recurrence"] = yearly_dates("February", 30)
    play = start_play(tmp_path, task(site, "change_policy", reason=WHY, name="never", spec=spec))
    output, _unused = play.communicate(timeout=120)
    assert "[WARNING]: The schedule never opens" in output
    assert stored(site, "change-policies", "never")["spec"] == spec


def test_steps_of_an_override(site: ApiServer, tmp_path: Path) -> None:
    set_policy(site, tmp_path, name="nights", spec=closed_now(), assignments=ASSIGN)
    wanted = {**POOL, "strategy": "Permissive", "until": in_seconds(3600)}
    assert override(site, tmp_path, "--check", **wanted)["changed"] is True
    first = override(site, tmp_path, "--diff", **wanted)
    recorded = {"strategy": "Permissive", "from": None, "until": wanted["until"], "by": "system:admin", "reason": WHY}
    assert first["override"] == recorded
    assert (first["changed"], first["diff"]["before"]) == (True, {"MachineConfigPool.worker": []})
    result = ask(site, tmp_path, **POOL, calendar_days=7)
    (worker,) = result["resources"]
    assert (result["permitted"], worker["reason_code"], worker["next_transition"]) == (
        True,
        "Override",
        wanted["until"],
    )
    assert result["progress"]["sentence"] == "change is permitted for MachineConfigPool worker"
    assert "MachineConfigPool worker" in result["calendar"]["text"]
    assert override(site, tmp_path, **POOL, state="absent")["changed"] is True


def test_waiting_is_one_sleep_until_the_opening(site: ApiServer, tmp_path: Path) -> None:
    seconds = 15
    override(site, tmp_path, **POOL, strategy="Restrictive", until=in_seconds(seconds))
    mark = site.audit.mark()
    play = start_play(tmp_path, task(site, "change_management_info", **POOL, wait=True, wait_timeout=100))
    result = finish_play(tmp_path, play).result
    sentences = [entry["sentence"] for entry in result["timeline"]]
    assert (result["permitted"], sentences[-1]) == (True, "change is permitted for MachineConfigPool worker")
    assert site.audit.count(mark, verb="list", resource=POOLS) == len(sentences) <= 2, "before and after the sleep"


def test_shipped_rights_are_enough(site: ApiServer, tmp_path: Path) -> None:
    grant(site.rest, "manager", "change-manager.yml")
    grant(site.rest, "manager", "change-management-reader.yml")
    grant(site.rest, "reader", "change-management-reader.yml")
    manager, reader = as_user(site, "manager"), as_user(site, "reader")
    written = set_policy(site, tmp_path, name="nights", spec=closed_now(), assignments=ASSIGN, **manager)
    assert (written["changed"], written["who"]) == (True, "manager")
    until = in_seconds(3600)
    assert override(site, tmp_path, **POOL, strategy="Permissive", until=until, **manager)["changed"] is True
    nothing = run_play(tmp_path, task(site, "change_enforcement", if_enforced=True, **manager)).result
    assert (nothing["resources"], nothing["failed"]) == ([], False)
    assert ask(site, tmp_path, **POOL, **reader)["permitted"] is True
    assert "reader" in override(site, tmp_path, **POOL, state="absent", **reader)["msg"]
