# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Change management binds everybody: by pauses, and by the admission policy that is shipped, on a real API server."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do import write_override
from ansible_collections.fieldops.openshift.plugins.modules import change_override
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import (
    CONFIG_MAPS,
    NAMESPACE,
    WHY,
    Json,
    as_user,
    assignments,
    client_of,
    enforce,
    params,
    task,
)
from ansible_collections.fieldops.openshift.tests.integration.plays import run_play
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import grant, shipped
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

VERSION = "/apis/config.openshift.io/v1/clusterversions/version"
POOLS = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools"
STATE = f"{CONFIG_MAPS}/change-state"
MARK = "fieldops.openshift/enforced"
OPEN, CLOSED = "Permissive", "Restrictive"
UPDATE = {"spec": {"desiredUpdate": {"version": "4.21.4"}}}
UNPAUSE = {"spec": {"paused": False}}
EXPIRED = {"data": {"published": "2020-01-01T00:00:00Z", "expires": "2020-01-01T01:00:00Z"}}


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift(users={"enforcer": [], "editor": []}) as running:
        plant(running.rest, healthy_cluster("4.21.3", control_plane=3, workers=2))
        running.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
        # Before the policy is in force, which refuses a change of a governed pool without a published state.
        governed = {"metadata": {"labels": {MARK: "governed"}}, "spec": {"paused": True}}
        running.rest.merge(f"{POOLS}/worker", governed)
        for document in shipped("change-enforcement.yml"):
            running.rest.apply(document)
        wait_until_in_force(running)
        yield running


def wait_until_in_force(server: ApiServer) -> None:
    """The API server takes a moment to compile a new policy; then it refuses a trial."""
    pending(server)
    require_refusal(server, f"{POOLS}/worker", UNPAUSE, "no params found")


def pending(server: ApiServer, machines: int = 1) -> None:
    """Let a change of the workers be pending, one of two machines being updated."""
    server.rest.merge(f"{POOLS}/worker/status", {"status": {"updatedMachineCount": machines}})


def refusal(server: ApiServer, path: str, body: Json) -> str:
    """Return why the admission policy refuses a trial, nothing where it does not."""
    try:
        server.rest.merge(path, body, dryRun="All")
    except LabApiError as error:
        return str(error)
    return ""


def require_refusal(server: ApiServer, path: str, body: Json, words: str) -> None:
    """Require that a patch is refused for a reason, as soon as the API server sees the state that was published."""
    wait_for(lambda: words in refusal(server, path, body), 60)


def require_consent(server: ApiServer, path: str, body: Json) -> None:
    """Require that a patch is accepted, as soon as the API server sees the state that was published; carry it out."""
    wait_for(lambda: refusal(server, path, body) == "", 60)
    server.rest.merge(path, body)


@pytest.fixture
def site(server: ApiServer) -> Iterator[ApiServer]:
    """The cluster without change management, a change of the workers pending."""
    for name in ("change-policies", "change-assignments", "change-overrides"):
        if server.rest.exists(f"{CONFIG_MAPS}/{name}"):
            server.rest.delete(f"{CONFIG_MAPS}/{name}")
    enforce(server, state="absent")
    for path in (VERSION, f"{POOLS}/master", f"{POOLS}/worker"):
        server.rest.merge(path, {"spec": {"desiredUpdate": None} if path == VERSION else {"paused": False}})
    pending(server)
    yield server
    pending(server)


def override(site: ApiServer, **given: t.Any) -> None:
    with client_of(site) as client:
        write_override.carry_out(client, params(change_override.SPEC, reason=WHY, **given))
    enforce(site, if_enforced=True)


def paused(site: ApiServer, pool: str) -> bool:
    return bool(site.rest.get(f"{POOLS}/{pool}")["spec"].get("paused"))


def test_pools_are_paused_opened_and_given_back(site: ApiServer) -> None:
    site.rest.apply(assignments(worker=CLOSED))
    first = enforce(site)
    assert [(one["name"], one["paused"]) for one in first["resources"]] == [("worker", True)]
    assert (paused(site, "worker"), paused(site, "master"), first["changed"]) == (True, False, True)
    assert enforce(site)["changed"] is False
    site.rest.apply(assignments(worker=OPEN))
    assert enforce(site)["changed"] is True
    assert paused(site, "worker") is False
    site.rest.apply(assignments(worker=CLOSED))
    enforce(site)
    assert enforce(site, state="absent")["changed"] is True
    assert (paused(site, "worker"), site.rest.exists(STATE)) == (False, False)
    assert MARK not in site.rest.get(f"{POOLS}/worker")["metadata"].get("labels", {})


def test_a_pause_of_somebody_else_stays(site: ApiServer) -> None:
    site.rest.merge(f"{POOLS}/worker", {"spec": {"paused": True}})
    for strategy in (CLOSED, OPEN):
        site.rest.apply(assignments(worker=strategy))
        assert enforce(site)["resources"][0]["kept"] == "paused by others"
    assert paused(site, "worker")


def test_nobody_opens_a_pool_that_is_closed(site: ApiServer) -> None:
    site.rest.apply(assignments(worker=CLOSED))
    enforce(site)
    require_refusal(site, f"{POOLS}/worker", UNPAUSE, "change of MachineConfigPool.worker is not permitted now")
    require_consent(site, f"{POOLS}/worker", {"spec": {"maxUnavailable": 1}})  # other fields are free
    pending(site, 2)
    wait_for(lambda: refusal(site, f"{POOLS}/worker", UNPAUSE) == "")  # nothing would begin


def test_nobody_updates_a_cluster_that_is_closed(site: ApiServer) -> None:
    site.rest.apply(assignments(master=CLOSED))
    enforce(site)
    require_refusal(site, VERSION, UPDATE, "change of ClusterVersion.version is not permitted now")
    require_consent(site, VERSION, {"spec": {"channel": "stable-4.22"}})  # other fields are free
    override(site, strategy=OPEN, duration="1h")
    require_consent(site, VERSION, UPDATE)  # break-glass is an override
    override(site, strategy=CLOSED)
    require_consent(site, VERSION, {"spec": {"desiredUpdate": None}})  # an update may be called off


def test_an_update_that_is_chosen_by_a_removal_is_refused(site: ApiServer) -> None:
    site.rest.apply(assignments(master=OPEN))
    enforce(site)
    require_consent(
        site, VERSION, {"spec": {"desiredUpdate": {"version": "4.21.4", "image": f"quay.io/x@sha256:{'0' * 64}"}}}
    )
    require_refusal(site, VERSION, {"spec": {"desiredUpdate": {"version": None}}}, "set the desired value")


def test_nobody_applies_the_field_either(site: ApiServer) -> None:
    site.rest.apply(assignments(worker=CLOSED))
    enforce(site)
    require_refusal(site, f"{POOLS}/worker", UNPAUSE, "not permitted now")
    pool = site.rest.get(f"{POOLS}/worker")
    body = {"apiVersion": pool["apiVersion"], "kind": pool["kind"], "metadata": {"name": "worker"}}
    with pytest.raises(LabApiError, match="not permitted now"):
        site.rest.apply({**body, "spec": {**pool["spec"], "paused": False}})


def test_made_up_times_open_nothing(site: ApiServer) -> None:
    site.rest.apply(assignments(worker=CLOSED))
    enforce(site)
    far = "2098-01-01T00:00:00Z/2099-01-01T00:00:00Z"
    site.rest.merge(STATE, {"data": {"expires": "2099-01-01T00:00:00Z", "MachineConfigPool.worker": far}})
    pool = site.rest.get(f"{POOLS}/worker")
    pool["spec"]["paused"] = False
    made_up = {**pool["metadata"]["managedFields"][0], "manager": "x", "time": "2098-06-01T00:00:00Z"}
    pool["metadata"]["managedFields"].append(made_up)
    require_refusal(site, f"{POOLS}/worker", {**UNPAUSE, "metadata": {"managedFields": [{}]}}, "not permitted now")
    with pytest.raises(LabApiError, match="not permitted now"):
        site.rest.request("PUT", f"{POOLS}/worker", pool, "application/json")


def test_a_pause_that_is_removed_has_no_time_by_which_it_could_be_judged(site: ApiServer) -> None:
    """The API server stamps what takes fields, not what only gives some up; so what is made up would count."""
    site.rest.apply(assignments(worker=CLOSED))
    enforce(site)
    window = "2098-01-01T00:00:00Z/2099-01-01T00:00:00Z"
    site.rest.merge(STATE, {"data": {"expires": "2099-01-01T00:00:00Z", "MachineConfigPool.worker": window}})
    pool = site.rest.get(f"{POOLS}/worker")
    pool["spec"].pop("paused")
    made_up = {**pool["metadata"]["managedFields"][0], "manager": "x", "time": "2098-06-01T00:00:00Z"}
    pool["metadata"]["managedFields"].append(made_up)
    require_refusal(site, f"{POOLS}/worker", UNPAUSE, "not permitted now")
    with pytest.raises(LabApiError, match="set paused to false"):
        site.rest.request("PUT", f"{POOLS}/worker", pool, "application/json")


def test_a_dead_publisher_closes_what_is_governed_and_nothing_else(site: ApiServer) -> None:
    site.rest.apply(assignments(worker=OPEN))
    enforce(site)
    site.rest.merge(f"{POOLS}/worker", {"spec": {"paused": True}})
    wait_for(lambda: refusal(site, f"{POOLS}/worker", UNPAUSE) == "")
    site.rest.merge(STATE, EXPIRED)
    require_refusal(site, f"{POOLS}/worker", UNPAUSE, "the published state has expired")
    require_consent(site, VERSION, UPDATE)  # nothing governs it
    site.rest.delete(STATE)
    require_refusal(site, f"{POOLS}/worker", UNPAUSE, "no params found")
    require_consent(site, VERSION, {"spec": {"desiredUpdate": None}})  # nothing governs it
    require_consent(site, f"{POOLS}/master", {"spec": {"paused": True}})  # nor this
    enforce(site)
    require_consent(site, f"{POOLS}/worker", UNPAUSE)  # it is alive again


def test_the_mark_is_taken_away_by_who_governs_only(site: ApiServer) -> None:
    site.rest.apply(assignments(worker=CLOSED))
    enforce(site)
    editor = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "editor"}}
    rule = {"apiGroups": ["machineconfiguration.openshift.io"], "resources": ["*"], "verbs": ["*"]}
    site.rest.apply({**editor, "rules": [rule]})
    subject = {"kind": "User", "apiGroup": "rbac.authorization.k8s.io", "name": "editor"}
    reference = {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "editor"}
    site.rest.apply({**editor, "kind": "ClusterRoleBinding", "roleRef": reference, "subjects": [subject]})
    require_refusal(site, f"{POOLS}/worker", UNPAUSE, "not permitted now")
    unmarked = {"metadata": {"labels": {MARK: None}}, **UNPAUSE}
    with (
        RestClient(site.url, site.ca_file, site.token_of("editor")) as client,
        pytest.raises(LabApiError, match="editor lacks the verb govern"),
    ):
        client.merge(f"{POOLS}/worker", unmarked)


def test_shipped_rights_are_enough(site: ApiServer, tmp_path: Path) -> None:
    grant(site.rest, "enforcer", "change-enforcer.yml")
    grant(site.rest, "enforcer", "change-management-reader.yml")
    site.rest.apply(assignments(master=CLOSED, worker=CLOSED))
    asked = task(site, "change_enforcement", **as_user(site, "enforcer"))
    checked = run_play(tmp_path, asked, "--check").result
    assert (checked["changed"], paused(site, "worker")) == (True, False)
    assert run_play(tmp_path, asked).result["changed"] is True
    assert (paused(site, "worker"), paused(site, "master")) == (True, True)
    gone = task(site, "change_enforcement", state="absent", **as_user(site, "enforcer"))
    assert run_play(tmp_path, gone).result["changed"] is True
    assert (paused(site, "worker"), paused(site, "master")) == (False, False)


def test_what_is_published_last_is_what_was_written_last(site: ApiServer) -> None:
    site.rest.apply(assignments(worker=OPEN))
    enforce(site)
    override(site, strategy=CLOSED)
    assert paused(site, "worker")
    assert json.dumps(site.rest.get(STATE)["data"]["MachineConfigPool.worker"]) == '""'
