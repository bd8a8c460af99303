# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""machine_config_pool, node_machine_config and their twins on the real API with OpenShift's definitions."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.node_config import (
    NODE_CONFIG_OPTIONS,
    node_config_step,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.pool_step import POOL_OPTIONS, pool_step
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import WrongClock, client_of
from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.lab.actors.actor import now
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_configs, rendered_name

POOLS = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools"
DAEMON = "machineconfiguration.openshift.io/"
NODE, OTHER = "worker-0", "worker-1"
OLD, NEW = rendered_name("worker", "4.21.3"), rendered_name("worker", "4.21.5")
Result = dict[str, t.Any]


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as started:
        yield started


@pytest.fixture
def site(server: ApiServer) -> ApiServer:
    """A cluster at rest whose workers are to get another configuration, in a pool that is open."""
    for path in (POOLS, "/api/v1/nodes"):
        server.rest.delete(path)
    plant(server.rest, healthy_cluster("4.21.3", control_plane=1, workers=2))
    server.rest.apply_all(machine_configs("worker", "4.21.5")[-1:])
    server.rest.merge(f"{POOLS}/worker", {"spec": {"configuration": {"name": NEW}}})
    return server


def run(site: ApiServer, tmp_path: Path, module: str, *words: str, **options: t.Any) -> Result:
    task = {f"fieldops.openshift.{module}": {"kubeconfig": str(site.kubeconfig), **options}}
    return run_play(tmp_path, task, *words).result


def pool(site: ApiServer, tmp_path: Path, *words: str, **options: t.Any) -> Result:
    return run(site, tmp_path, "machine_config_pool", *words, name="worker", **options)


def generation(site: ApiServer) -> int:
    found: int = site.rest.get(f"{POOLS}/worker")["metadata"]["generation"]
    return found


def notes(site: ApiServer, **values: str | None) -> None:
    """Write what the daemon of the node would."""
    known = {f"{DAEMON}{name}": value for name, value in values.items()}
    site.rest.merge(f"/api/v1/nodes/{NODE}", {"metadata": {"annotations": known}})


def test_a_pool_is_paused_with_a_record_and_opened_again(site: ApiServer, tmp_path: Path) -> None:
    paused = pool(site, tmp_path, "--diff", paused=True, reason="Saturday only")
    assert (paused["changed"], paused["pool"]["paused"], paused["pool"]["standing"]) == (True, True, "pending")
    assert "Saturday only" in paused["pool"]["paused_by"]
    assert (paused["diff"][0] if isinstance(paused["diff"], list) else paused["diff"])["after"]["paused"] is True
    assert pool(site, tmp_path, paused=True)["changed"] is False
    told = run(site, tmp_path, "machine_config_pool_info")["pools"]
    assert [one["name"] for one in told] == ["master", "worker"]
    assert told[1] == paused["pool"]
    opened = pool(site, tmp_path, paused=False)
    assert (opened["changed"], opened["pool"]["paused"], opened["pool"]["waiting"]) == (True, False, [NODE, OTHER])


def test_check_mode_only_tries(site: ApiServer, tmp_path: Path) -> None:
    trial = pool(site, tmp_path, "--check", paused=True)
    assert (trial["changed"], [one["dry_run"] for one in trial["actions"]]) == (True, [True])
    assert not site.rest.get(f"{POOLS}/worker")["spec"].get("paused")


def test_a_pause_of_others_is_theirs(site: ApiServer, tmp_path: Path) -> None:
    site.rest.merge(f"{POOLS}/worker", {"spec": {"paused": True}})
    refused = pool(site, tmp_path, paused=False)
    assert refused["error"]["kind"] == "foreign_pause"
    assert "fieldops-lab" in refused["msg"]
    unseen = pool(site, tmp_path, wait_for="updated", wait=True, wait_timeout=1)
    assert unseen["error"]["kind"] == "deadline_exceeded", "its operator may still begin a node"
    site.rest.merge(f"{POOLS}/worker/status", {"status": {"observedGeneration": generation(site)}})
    waiting = pool(site, tmp_path, wait_for="updated", wait=True, wait_timeout=5)
    assert waiting["error"]["kind"] == "foreign_pause", "a paused pool at rest will never be updated"
    assert pool(site, tmp_path, paused=False, foreign_pause="open")["changed"] is True


def test_one_node_of_a_paused_pool_is_given_its_configuration(site: ApiServer, tmp_path: Path) -> None:
    refused = run(site, tmp_path, "node_machine_config", name=NODE)
    assert (refused["error"]["kind"], "is open" in refused["msg"]) == ("config_refused", True)
    pool(site, tmp_path, paused=True)
    trial = run(site, tmp_path, "node_machine_config", "--check", name=NODE)
    assert (trial["changed"], trial["progress"]["done"]) == (True, True)
    given = run(site, tmp_path, "node_machine_config", name=NODE)
    assert (given["changed"], given["desired_config"], given["updated"]) == (True, NEW, False)
    assert run(site, tmp_path, "node_machine_config", name=NODE)["changed"] is False
    assert site.rest.get(f"/api/v1/nodes/{OTHER}")["metadata"]["annotations"][f"{DAEMON}desiredConfig"] == OLD
    notes(site, currentConfig=NEW)
    assert run(site, tmp_path, "node_machine_config", name=NODE)["updated"] is True
    assert pool(site, tmp_path)["pool"]["standing"] == "half_updated"


def lose(site: ApiServer, since: str) -> None:
    """Let the node have been silent since then."""
    conditions = site.rest.get(f"/api/v1/nodes/{NODE}")["status"]["conditions"]
    lost = {"status": "Unknown", "message": "silent", "lastTransitionTime": since}
    told = [{**one, **lost} if one["type"] == "Ready" else one for one in conditions]
    site.rest.merge(f"/api/v1/nodes/{NODE}/status", {"status": {"conditions": told}})


def test_a_node_that_does_not_come_back_ends_the_wait(site: ApiServer, tmp_path: Path) -> None:
    pool(site, tmp_path, paused=True)
    run(site, tmp_path, "node_machine_config", name=NODE)
    lose(site, "2026-01-01T00:00:00Z")
    away = run(site, tmp_path, "node_machine_config", name=NODE, away_timeout=60, wait=True, wait_timeout=30)
    assert (away["error"]["kind"], "more than 60 s: silent" in away["msg"]) == ("node_away", True)


def test_a_node_is_away_for_as_long_as_the_cluster_says_whatever_our_clock_shows(
    site: ApiServer, tmp_path: Path
) -> None:
    pool(site, tmp_path, paused=True)
    run(site, tmp_path, "node_machine_config", name=NODE)
    lose(site, now())
    with client_of(site) as door:
        door.clock = WrongClock(door, 3600)
        node = node_config_step(door, {**_defaults(NODE_CONFIG_OPTIONS), "name": NODE})
        pools = pool_step(door, {**_defaults(POOL_OPTIONS), "name": "worker", "wait_for": "updated"})
    assert (node.done, pools.done) == (False, False)


def _defaults(options: t.Mapping[str, t.Any]) -> dict[str, t.Any]:
    return {name: one.get("default") for name, one in options.items()}


def test_a_daemon_that_is_at_work_is_not_sent_elsewhere(site: ApiServer, tmp_path: Path) -> None:
    pool(site, tmp_path, paused=True)
    notes(site, desiredConfig="rendered-other", state="Working")
    refused = run(site, tmp_path, "node_machine_config", name=NODE, config=NEW)
    assert "while it applies rendered-other" in refused["msg"]
    waited = run(site, tmp_path, "node_machine_config", name=NODE)
    assert (waited["changed"], waited["progress"]["done"], waited["desired_config"]) == (False, False, "rendered-other")


@pytest.mark.parametrize(
    ("module", "options", "named"),
    [
        ("machine_config_pool", {"name": "infra"}, "infra"),
        ("machine_config_pool_info", {"names": ["worker", "infra"]}, "infra"),
        ("node_machine_config", {"name": "worker-9"}, "worker-9"),
        ("node_machine_config", {"name": NODE, "config": "rendered-none"}, "rendered-none"),
    ],
)
def test_wrong_names_are_said(
    site: ApiServer, tmp_path: Path, module: str, options: dict[str, t.Any], named: str
) -> None:
    result = run(site, tmp_path, module, **options)
    assert result["failed"] is True
    assert named in result["msg"]
