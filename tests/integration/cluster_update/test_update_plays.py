# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The modules of an update as a user runs them, with the rights that are shipped and no others."""

from __future__ import annotations

import itertools
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.cluster_update.autoscaling import (
    CLUSTER_AUTOSCALER,
    HEALTH_CHECKS,
    MACHINE_AUTOSCALERS,
    NODE_HEALTH_CHECKS,
    cluster_autoscaler,
    health_check,
    machine_autoscaler,
    machine_set,
)
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.releases import Releases
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.updates import (
    NEXT,
    VERSION,
    requested,
)
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import CONFIG_MAPS, assignments
from ansible_collections.fieldops.openshift.tests.integration.plays import (
    finish_play,
    run_play,
    start_play,
)
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import release_image

RELEASE = {"image": release_image(NEXT), "version": NEXT}


@pytest.fixture(scope="module", autouse=True)
def _rights(own_server: ApiServer) -> None:
    grant(own_server.rest, "technician", "cluster-update.yml", "change-management-reader.yml")
    grant(own_server.rest, "observer", "cluster-update-reader.yml")


def task(site: ApiServer, module: str, user: str = "technician", **options: t.Any) -> dict[str, t.Any]:
    return {f"fieldops.openshift.{module}": {"kubeconfig": str(site.kubeconfig_for(user)), **options}}


def test_a_release_is_reached_with_the_shipped_rights_through_an_outage(
    site: ApiServer, tmp_path: Path, signature: Json, releases: Releases
) -> None:
    wanted = task(site, "cluster_update", **RELEASE, signature_config_map=signature, wait=True, wait_timeout=200)
    play = start_play(tmp_path, wanted)
    # Not as soon as the API has it: the play does not know what it did where the answer is lost.
    lines = itertools.takewhile(lambda line: f"{NEXT} was requested" not in line, iter(play.stdout.readline, ""))
    before = "".join(lines)
    assert play.poll() is None, before
    site.stop()
    site.start()
    with releases.operators(site):
        run = finish_play(tmp_path, play)
    assert run.result["release"]["state"] == "completed", run.output
    assert (run.result["changed"], run.result["current_version"]) == (True, NEXT)
    assert {(one["verb"], one["kind"]) for one in run.result["actions"]} == {
        ("apply", "ConfigMap"),
        ("patch", "ClusterVersion"),
    }
    assert f"the cluster has been at {NEXT} since" in run.output


def test_a_second_run_changes_nothing(site: ApiServer, tmp_path: Path, signature: Json) -> None:
    wanted = task(site, "cluster_update", **RELEASE, signature_config_map=signature)
    assert run_play(tmp_path, wanted).result["changed"] is True
    again = run_play(tmp_path, wanted).result
    assert (again["changed"], again["actions"], again["progress"]["done"]) == (False, [], False)


def test_check_mode_shows_what_would_be_asked_for(site: ApiServer, tmp_path: Path, signature: Json) -> None:
    wanted = task(site, "cluster_update", **RELEASE, signature_config_map=signature, wait=True)
    run = run_play(tmp_path, wanted, "--check", "--diff")
    assert run.result["changed"] is True
    assert all(one["dry_run"] for one in run.result["actions"])
    assert '"desiredUpdate"' in run.output
    assert requested(site.rest) == {}


def test_what_blocks_is_in_the_result(site: ApiServer, tmp_path: Path) -> None:
    wanted = task(site, "cluster_update", **RELEASE, nodes_without_images=["worker-1"])
    result = run_play(tmp_path, wanted).result
    assert (result["failed"], result["error"]["kind"]) == (True, "update_blocked")
    assert [one["code"] for one in result["preconditions"] if one["blocking"]] == ["missing_images"]
    assert requested(site.rest) == {}


def test_what_the_cluster_keeps_decides_and_the_stanza_of_the_run_in_its_place(
    site: ApiServer, tmp_path: Path, signature: Json
) -> None:
    site.rest.apply(assignments(master="Restrictive"))
    wanted: Json = {**RELEASE, "signature_config_map": signature, "wait": True, "wait_timeout": 60}
    try:
        tried = run_play(tmp_path, task(site, "cluster_update", **wanted), "--check").result
        restricted = run_play(tmp_path, task(site, "cluster_update", **wanted)).result
        assert requested(site.rest) == {}
        given: Json = {**RELEASE, "guard": {"stanza": {"strategy": "Permissive"}}}
        permitted = run_play(tmp_path, task(site, "cluster_update", **given)).result
        # Taking back brings nothing about.
        withdrawn = run_play(tmp_path, task(site, "cluster_update", **RELEASE, state="withdrawn")).result
    finally:
        site.rest.delete(f"{CONFIG_MAPS}/change-assignments")
    for result in (tried, restricted):
        assert (result["changed"], result["progress"]["done"], result["actions"]) == (False, True, [])
        assert (result["ended"]["outcome"], result["permission"]["permitted"]) == ("restricted", False)
    assert (permitted["changed"], permitted["ended"], permitted["permission"]["permitted"]) == (True, None, True)
    assert (withdrawn["changed"], withdrawn["ended"], withdrawn["permission"]) == (True, None, None)


def test_without_the_right_to_read_whether_change_is_permitted_nothing_is_asked_for(
    site: ApiServer, tmp_path: Path
) -> None:
    grant(site.rest, "updater", "cluster-update.yml")
    result = run_play(tmp_path, task(site, "cluster_update", "updater", **RELEASE)).result
    assert result["failed"] is True
    assert "updater" in result["msg"]
    assert requested(site.rest) == {}


def test_an_observer_may_look_and_not_ask(site: ApiServer, tmp_path: Path) -> None:
    seen = run_play(tmp_path, task(site, "cluster_update_info", "observer", **RELEASE)).result
    refused = run_play(tmp_path, task(site, "cluster_update", "observer", **RELEASE)).result
    assert (seen["release"]["state"], seen["blocked"], seen["changed"]) == ("none", False, False)
    assert seen["sentence"] == f"the cluster is at 4.21.3, and {NEXT} has not been requested"
    assert refused["failed"] is True
    assert "observer" in refused["msg"]
    assert requested(site.rest) == {}


def test_force_is_no_option(site: ApiServer, tmp_path: Path) -> None:
    result = run_play(tmp_path, task(site, "cluster_update", **RELEASE, force=True)).result
    assert result["failed"] is True
    assert "force" in result["msg"]


def test_automation_is_held_and_let_go_with_the_shipped_rights(site: ApiServer, tmp_path: Path) -> None:
    client = site.rest
    for path in (CLUSTER_AUTOSCALER.rpartition("/")[0], MACHINE_AUTOSCALERS, HEALTH_CHECKS, NODE_HEALTH_CHECKS):
        client.delete(path)  # what other tests have left
    client.apply(cluster_autoscaler(scaleDown={"enabled": True}))
    client.apply_all([machine_set("a", 3), machine_autoscaler("a", 1, 6), health_check("worker")])
    tried = run_play(tmp_path, task(site, "machine_scaling_pause", state="paused"), "--check", "--diff")
    assert client.get(CLUSTER_AUTOSCALER)["spec"] == {"scaleDown": {"enabled": True}}
    held = run_play(tmp_path, task(site, "machine_scaling_pause", state="paused", reason="change 4711")).result
    asked = task(site, "cluster_update_info", "observer", gather=["machine_scaling"])
    seen = run_play(tmp_path, asked).result["machine_scaling"]
    given_back = run_play(tmp_path, task(site, "machine_scaling_pause", state="restored")).result
    assert tried.result["changed"] is True
    assert '"maxReplicas": 3' in tried.output
    assert (held["changed"], held["left"]) == (True, [])
    assert {one["by"] for one in seen["objects"] if one["paused"]} == {"technician"}
    assert (seen["paused"], given_back["changed"]) == (True, True)
    assert client.get(f"{MACHINE_AUTOSCALERS}/a")["spec"]["maxReplicas"] == 6


def test_a_cluster_that_is_no_openshift_is_told_so(site: ApiServer, tmp_path: Path) -> None:
    site.rest.delete(VERSION.rpartition("/")[0])
    result = run_play(tmp_path, task(site, "cluster_update_info", **RELEASE)).result
    assert result["error"]["kind"] == "missing_requirement"
