# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the modules of change management answer and write, through the work behind them, on a real API server."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do import write_override, write_policy
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.changes_info import look_at_changes
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.changes_store import (
    ChangeConflictError,
    Edit,
    edit_entries,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.enforce import WrongClockError
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.enforce import carry_out as enforce
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.store_documents import Entries
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import (
    DONE,
    DRAINING,
    ROLLOUT_ANNOTATION,
    NodeRecord,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result
from ansible_collections.fieldops.openshift.plugins.modules import (
    change_enforcement,
    change_management_info,
    change_override,
    change_policy,
)
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import (
    CONFIG_MAPS,
    NAMESPACE,
    WHY,
    Json,
    WrongClock,
    by_policy,
    client_of,
    closed_now,
    open_now,
    params,
)
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

ASSIGN_ALWAYS = {"MachineConfigPool.worker": by_policy("always")}
ASSIGN = {"MachineConfigPool.worker": by_policy("nights")}
TYPO = {"kind": "MachineConfigPool", "name": "workers"}
TYPO_KEY = "MachineConfigPool.workers"
OPENED = {"strategy": "Permissive"}
POOL = {"kind": "MachineConfigPool", "name": "worker"}


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as running:
        plant(running.rest, healthy_cluster("4.21.3", control_plane=3, workers=2))
        running.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
        yield running


@pytest.fixture
def site(server: ApiServer) -> ApiServer:
    """The cluster without any change management."""
    for name in ("change-policies", "change-assignments", "change-overrides"):
        if server.rest.exists(f"{CONFIG_MAPS}/{name}"):
            server.rest.delete(f"{CONFIG_MAPS}/{name}")
    return server


@pytest.fixture
def client(site: ApiServer) -> Iterator[ClusterClient]:
    with client_of(site) as made:
        yield made


def ask(client: ClusterClient, **given: t.Any) -> Json:
    return look_at_changes(client, params(change_management_info.SPEC, **given))[0]


def worker_of(client: ClusterClient, **given: t.Any) -> Json:
    (found,) = ask(client, **POOL, **given)["resources"]
    worker: Json = found
    return worker


def set_policy(client: ClusterClient, **given: t.Any) -> Result:
    return write_policy.carry_out(client, params(change_policy.SPEC, **{"reason": WHY, **given}))


def override(client: ClusterClient, **given: t.Any) -> Result:
    return write_override.carry_out(client, params(change_override.SPEC, **{"reason": WHY, **given}))


def stored(site: ApiServer, name: str, key: str) -> Json:
    document: Json = json.loads(site.rest.get(f"{CONFIG_MAPS}/{name}")["data"][key])
    return document


def keep(site: ApiServer, name: str, **data: str) -> None:
    metadata = {"name": name, "namespace": NAMESPACE}
    body = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"schemaVersion": "1", **data}}
    site.rest.apply(body)


def in_hours(hours: int) -> str:
    return f"{datetime.now(timezone.utc) + timedelta(hours=hours):%Y-%m-%dT%H:%M:%SZ}"


def test_a_cluster_without_change_management_is_permissive(client: ClusterClient) -> None:
    report = ask(client)
    assert (report["permitted"], report["policies"], report["calendar"]) == (True, [], None)
    assert [(one["kind"], one["name"], one["reason_code"]) for one in report["resources"]] == [
        ("ClusterVersion", "version", "NoChangeManagement"),
        ("MachineConfigPool", "master", "NoChangeManagement"),
        ("MachineConfigPool", "worker", "NoChangeManagement"),
    ]
    assert {node["pool"] for node in report["nodes"]} == {"master", "worker"}
    assert (report["clock"]["skew"], report["who"]) == (0, "system:admin")


def test_the_answer_for_one_pool(client: ClusterClient) -> None:
    set_policy(client, name="nights", spec=closed_now(), assignments=ASSIGN)
    arguments = params(change_management_info.SPEC, **POOL, calendar_days=7, calendar_title="Site <b>one</b>")
    report, sentence, delay = look_at_changes(client, arguments)
    (worker,) = report["resources"]
    assert (report["permitted"], worker["permitted"], worker["reason_code"]) == (False, False, "MaintenanceSchedule")
    assert 0 < worker["change_management_next_change_eta"] == delay <= 7200
    assert sentence.startswith("MachineConfigPool worker: change is restricted")
    assert [node["permitted"] for node in report["nodes"]] == [False, False]
    sample = 'change_management_permissive_remaining{kind="MachineConfigPool",object="worker",system="worker-nodes"} 0'
    assert sample in report["exposition"].splitlines()
    assert "<h1>Site &lt;b&gt;one&lt;/b&gt;</h1>" in report["calendar"]["html"]


def test_who_when_and_why_are_kept(client: ClusterClient) -> None:
    set_policy(client, name="nights", spec=closed_now(), assignments=ASSIGN)
    set_policy(client, name="nights", spec=open_now())
    report = ask(client, **POOL)
    (policy,) = report["policies"]
    assert [(one["by"], one["reason"], one["did"]) for one in policy["changes"]] == [("system:admin", WHY, "set")] * 2
    assert report["resources"][0]["changes"][0]["by"] == "system:admin"
    assert (policy["valid"], policy["used_by"]) == (True, ["MachineConfigPool worker"])
    behavior = policy["status"]["behavior"]
    assert (behavior["current"]["state"], behavior["next"]["state"]) == ("ChangesUnpaused", "ChangesPaused")
    assert len(behavior["history"]) == 5


def test_only_the_last_changes_are_kept(client: ClusterClient, site: ApiServer) -> None:
    for number in range(7):
        set_policy(
            client, name="p", spec={"strategy": ("Permissive", "Restrictive")[number % 2]}, reason=f"change {number}"
        )
    kept = stored(site, "change-policies", "p")["changes"]
    assert [change["reason"] for change in kept] == [f"change {number}" for number in (6, 5, 4, 3, 2)]


def test_a_resource_that_does_not_exist_is_an_error(client: ClusterClient) -> None:
    with pytest.raises(InvalidInputError, match="MachineConfigPool worker") as caught:
        ask(client, kind="MachineConfigPool", name="worke")
    assert caught.value.on == "MachineConfigPool worke"


def test_policies_from_the_play_take_the_place_of_stored_ones(client: ClusterClient) -> None:
    assert worker_of(client, guard={"policies": {"nights": closed_now()}, "assignments": ASSIGN})["permitted"] is False
    assert worker_of(client)["permitted"] is True


def test_the_master_pool_has_the_stanza_of_the_cluster_version(client: ClusterClient) -> None:
    set_policy(client, assignments={"ClusterVersion.version": {"strategy": "Restrictive"}})
    codes = {one["name"]: one["reason_code"] for one in ask(client)["resources"]}
    assert codes == {"version": "Restrictive", "master": "Restrictive", "worker": "NoChangeManagement"}
    for attempt in (
        lambda: set_policy(client, assignments={"MachineConfigPool.master": {"strategy": "Permissive"}}),
        lambda: override(client, kind="MachineConfigPool", name="master", strategy="Restrictive"),
    ):
        with pytest.raises(PolicyError, match="ClusterVersion version"):
            attempt()


@pytest.mark.parametrize(
    ("wanted", "complaint"),
    [
        ({"name": "p", "spec": {"strategy": "Sometimes"}}, "spec.strategy"),
        ({"name": "p", "spec": {"strategy": "Permissive", "extra": 1}}, "spec.extra"),
        ({"name": "p"}, "spec"),
        ({"name": "P?", "spec": {"strategy": "Permissive"}}, "name"),
        ({"assignments": {"Node.worker-0": {"strategy": "Permissive"}}}, "kind"),
        ({"assignments": {"NodePool.site-a": {"strategy": "Permissive"}}}, "name"),
        ({"assignments": {"MachineConfigPool.worker": {}}}, "assignments.MachineConfigPool.worker"),
        ({"assignments": {"MachineConfigPool.worker": {"strategy": "PermissiveUntil"}}}, "permissiveUntil"),
    ],
)
def test_nothing_that_breaks_a_rule_is_written(
    client: ClusterClient, site: ApiServer, wanted: Json, complaint: str
) -> None:
    with pytest.raises(PolicyError) as caught:
        set_policy(client, **wanted)
    assert complaint in caught.value.on
    assert not site.rest.exists(f"{CONFIG_MAPS}/change-policies")


def test_everything_wrong_is_told_at_once(client: ClusterClient) -> None:
    stanzas = {"MachineConfigPool.worker": {"strategy": "Sometimes"}, "ClusterVersion.version": {}}
    with pytest.raises(PolicyError) as caught:
        set_policy(client, name="p", spec={"strategy": "Never", "extra": 1}, assignments=stanzas)
    assert [one["field"] for one in caught.value.findings()] == [
        "spec.extra",
        "spec.strategy",
        "assignments.MachineConfigPool.worker.strategy",
        "assignments.ClusterVersion.version",
    ]
    assert "assignments.ClusterVersion.version" in str(caught.value)


def test_what_a_policy_comes_to_is_told_in_check_mode_too(site: ApiServer) -> None:
    with client_of(site, dry_run=True) as trial:
        found = set_policy(trial, name="p", spec=open_now(), estimate=4 * 3600, time_zone="Europe/Berlin").objects
    assert found["outlook"]["hours_per_month"] > 90
    assert " CE" in found["outlook"]["next_windows"][0]["words"]
    assert found["warnings_of_policy"] == [
        "No window is as long as the work: it may take 4h, and the longest lasts 3h."
    ]


def test_windows_are_compared_with_the_longest_node_of_the_site(client: ClusterClient, site: ApiServer) -> None:
    noon = NodeRecord(DRAINING, "2026-11-20T12:00:00.000000Z").advanced(DRAINING, "2026-11-20T12:00:00.000000Z")
    notes = {"worker-0": "2026-11-20T12:20:00.000000Z", "worker-1": "2026-11-20T15:30:00.000000Z"}
    texts = {name: noon.advanced(DONE, done).as_text() for name, done in notes.items()}

    def record(**of_nodes: str | None) -> None:
        for name, text in of_nodes.items():
            note = {"metadata": {"annotations": {ROLLOUT_ANNOTATION: text}}}
            site.rest.merge(f"/api/v1/nodes/{name.replace('_', '-')}", note)

    record(master_0="{", **{name.replace("-", "_"): text for name, text in texts.items()})
    found = set_policy(client, name="p", spec=open_now()).objects["warnings_of_policy"]
    silent = set_policy(client, name="p", spec=open_now(), estimate=0).objects["warnings_of_policy"]
    record(master_0=None, worker_0=None, worker_1=None)
    words = "worker-1 took 3h 30m in the last rollout, and the longest lasts 3h"
    assert (found, silent) == ([f"No window is as long as the work: {words}."], [])


def test_a_policy_in_use_stays(client: ClusterClient, site: ApiServer) -> None:
    set_policy(client, name="nights", spec=open_now(), assignments=ASSIGN)
    with pytest.raises(PolicyError, match=r"MachineConfigPool\.worker still refer"):
        set_policy(client, name="nights", state="absent")
    assert stored(site, "change-policies", "nights")


def test_an_override_ends_and_the_stanza_is_back(client: ClusterClient, site: ApiServer) -> None:
    set_policy(client, name="nights", spec=closed_now(), assignments=ASSIGN)
    wanted = {**POOL, "strategy": "Permissive", "until": in_hours(1)}
    assert override(client, **wanted).changed is True
    assert override(client, **wanted).changed is False
    worker = worker_of(client)
    assert f"system:admin set it permissive: {WHY}" in worker["reason"]
    assert worker["overrides"][0]["by"] == "system:admin"
    assert override(client, **POOL, state="absent").changed is True
    assert worker_of(client)["reason_code"] == "MaintenanceSchedule"
    assert override(client, **POOL, state="absent").changed is False
    did = [one["did"] for one in stored(site, "change-overrides", "MachineConfigPool.worker")["changes"]]
    assert did == ["override ended", "override Permissive"]
    assert [one["did"] for one in worker_of(client)["changes"]] == [*did, "set"]


def test_a_restriction_over_a_restriction_does_not_end_in_a_permission(client: ClusterClient) -> None:
    set_policy(client, assignments={"MachineConfigPool.worker": {"strategy": "Restrictive"}})
    override(client, **POOL, strategy="Restrictive", until=in_hours(1))
    assert worker_of(client)["change_management_next_change_eta"] == -1


def test_a_stop_is_not_undone_by_a_permission_of_less(client: ClusterClient) -> None:
    override(client, strategy="Restrictive", reason="nodes do not come back")
    for less in ({"pools": ["worker"]}, {"pools": ["master"]}):
        with pytest.raises(PolicyError, match="nodes do not come back"):
            override(client, **less, strategy="Permissive", duration="1h")
    assert override(client, strategy="Permissive", duration="1h").changed is True
    assert ask(client)["permitted"] is True


def test_the_end_of_a_permission_leaves_a_stop_in_force(client: ClusterClient) -> None:
    override(client, strategy="Restrictive", reason="nodes do not come back")
    assert override(client, state="absent", strategy="Permissive").changed is False
    assert ask(client)["permitted"] is False
    assert override(client, state="absent", strategy="Restrictive").changed is True
    assert ask(client)["permitted"] is True


def test_dated_windows_stand_beside_what_is_in_force(client: ClusterClient) -> None:
    dates = {"from": in_hours(48), "until": in_hours(52)}
    assert override(client, pools=["master", "worker"], strategy="Permissive", **dates).changed is True
    assert override(client, pools=["master", "worker"], strategy="Permissive", **dates).changed is False
    set_policy(client, assignments={"MachineConfigPool.worker": {"strategy": "Restrictive"}})
    override(client, **POOL, strategy="Permissive", duration="2h")
    worker = worker_of(client)
    assert [one["from"] for one in worker["overrides"]] == [None, dates["from"]]
    assert worker["next_windows"][1]["start"] == dates["from"]
    assert override(client, **POOL, state="absent").changed is True
    assert worker_of(client)["next_windows"] == [{"start": dates["from"], "end": dates["until"], "seconds": 14400}]
    assert override(client, pools=["worker"], state="absent", **{"from": dates["from"]}).changed is True
    assert worker_of(client)["overrides"] == []
    assert len(ask(client, kind="ClusterVersion", name="version")["resources"][0]["overrides"]) == 1


def test_both_times_are_told(client: ClusterClient) -> None:
    override(client, **POOL, strategy="Restrictive", until="2099-07-01T20:00:00Z")
    line = "until 2099-07-01T20:00:00Z (Wed 2099-07-01 22:00 CEST), for"
    report = ask(client, **POOL, time_zone="Europe/Berlin")
    assert line in report["summary"][0]
    with pytest.raises(PolicyError, match="time_zone"):
        ask(client, time_zone="Europe/Nowhere")


def test_what_goes_on_is_told(client: ClusterClient, site: ApiServer) -> None:
    notes = {"machineconfiguration.openshift.io/state": "Working"}
    before = site.rest.get("/api/v1/nodes/worker-0")["metadata"]["annotations"]
    site.rest.merge("/api/v1/nodes/worker-0", {"metadata": {"annotations": notes}})
    override(client, strategy="Restrictive")
    report = ask(client)
    site.rest.merge("/api/v1/nodes/worker-0", {"metadata": {"annotations": {name: before.get(name) for name in notes}}})
    assert [one.partition(":")[0] for one in report["going_on"]] == ["node worker-0"]
    assert report["summary"][-1].startswith("continues because it had started: node worker-0")


def test_an_emergency_stop_has_no_end(client: ClusterClient, site: ApiServer) -> None:
    override(client, strategy="Restrictive")
    report = ask(client)
    assert {one["change_management_next_change_eta"] for one in report["resources"]} == {-1}
    assert {(node["pool"], node["permitted"]) for node in report["nodes"]} == {("master", False), ("worker", False)}
    override(client, state="absent")
    assert {one["reason_code"] for one in ask(client)["resources"]} == {"NoChangeManagement"}
    assert not site.rest.exists(f"{CONFIG_MAPS}/change-assignments")


@pytest.mark.parametrize(
    ("wanted", "complaint"),
    [
        ({"strategy": "Permissive"}, "until"),
        ({"strategy": "Permissive", "until": "2020-01-01T00:00:00Z"}, "until"),
        ({"strategy": "Permissive", "until": "2099-01-01T00:00:00"}, "until"),
        ({"strategy": "Permissive", "until": "2099-01-01T00:00:00Z", "clock_limit": -1}, "until"),
        ({}, "strategy"),
        ({"strategy": "Restrictive", "reason": " "}, "reason"),
        ({"strategy": "Permissive", "duration": "1d"}, "duration"),
        ({"strategy": "Restrictive", "scope": "all"}, "scope"),
        ({"strategy": "Permissive", "from": "2099-01-02T00:00:00Z", "until": "2099-01-01T00:00:00Z"}, "until"),
        ({"kind": "ClusterVersion", "name": "version", "strategy": "Restrictive"}, "scope"),
        ({"state": "absent", "strategy": "Restrictive", "duration": "1h"}, "duration"),
        ({"state": "absent", "strategy": "Restrictive", "until": "2099-01-01T00:00:00Z"}, "until"),
    ],
)
def test_overrides_that_are_refused(client: ClusterClient, wanted: Json, complaint: str) -> None:
    with pytest.raises(PolicyError) as caught:
        override(client, **{**POOL, **wanted})
    assert complaint in caught.value.on


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("{not json", "InvalidAssignment", id="not JSON"),
        pytest.param('{"changeManagement": null}', "InvalidStanza", id="null"),
        pytest.param(
            json.dumps({"changeManagement": by_policy("x")}), "PolicyMissing", id="a policy that is not there"
        ),
    ],
)
def test_what_cannot_be_read_restricts(client: ClusterClient, site: ApiServer, text: str, code: str) -> None:
    keep(site, "change-assignments", **{"MachineConfigPool.worker": text})
    worker = worker_of(client)
    assert (worker["permitted"], worker["reason_code"]) == (False, code)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("{not json", "InvalidAssignment", id="not JSON"),
        pytest.param('{"overrides": [{"strategy": "Permissive"}]}', "InvalidOverride", id="without an end"),
        pytest.param('{"changeManagement": {"strategy": "Permissive"}}', "InvalidAssignment", id="a stanza"),
    ],
)
def test_an_override_that_cannot_be_read_restricts(
    client: ClusterClient, site: ApiServer, text: str, code: str
) -> None:
    keep(site, "change-overrides", **{"MachineConfigPool.worker": text})
    worker = worker_of(client)
    assert (worker["permitted"], worker["reason_code"]) == (False, code)


@pytest.mark.parametrize(
    "write",
    [
        pytest.param(lambda client: override(client, **TYPO, strategy="Restrictive"), id="override"),
        pytest.param(lambda client: override(client, **TYPO, state="absent"), id="end of an override"),
        pytest.param(lambda client: set_policy(client, assignments={TYPO_KEY: OPENED}), id="assignment"),
        pytest.param(lambda client: ask(client, guard={"assignments": {TYPO_KEY: OPENED}}), id="of the play"),
    ],
)
def test_a_name_of_nothing_is_refused(
    client: ClusterClient, site: ApiServer, write: t.Callable[[ClusterClient], t.Any]
) -> None:
    with pytest.raises(PolicyError, match=r"MachineConfigPool\.worker, or set allow_missing") as caught:
        write(client)
    assert caught.value.on == f"assignment {TYPO_KEY}"
    assert not site.rest.exists(f"{CONFIG_MAPS}/change-assignments")


@pytest.mark.parametrize(
    "key", ["worker", "machineconfigpool.worker", "MachineConfigPool/worker", "MachineConfigPool.Worker"]
)
def test_keys_of_a_play_that_name_no_resource_are_refused(client: ClusterClient, key: str) -> None:
    with pytest.raises(PolicyError):
        ask(client, guard={"assignments": {key: OPENED}, "allow_missing": True})
    with pytest.raises(PolicyError):
        ask(client, overrides={key: []})


def test_a_play_assigns_nothing_to_the_master_pool(client: ClusterClient) -> None:
    """It would have no effect: the answer for the pool is that of the ClusterVersion."""
    with pytest.raises(PolicyError, match="uses the stanza of ClusterVersion version"):
        ask(client, guard={"assignments": {"MachineConfigPool.master": {"strategy": "Restrictive"}}})


def test_a_policy_of_nothing_is_refused(client: ClusterClient) -> None:
    set_policy(client, name="nights", spec=open_now())
    with pytest.raises(PolicyError, match="there is no policy nigths") as caught:
        set_policy(client, assignments={"MachineConfigPool.worker": by_policy("nigths")})
    assert "nights" in caught.value.advice


def test_what_is_missing_on_purpose_is_listed_everywhere(client: ClusterClient) -> None:
    set_policy(client, assignments={TYPO_KEY: by_policy("later")}, allow_missing=True)
    report = ask(client, calendar_days=1)
    assert report["orphans"] == [TYPO_KEY]
    assert f'change_management_orphan{{assignment="{TYPO_KEY}"}} 1' in report["exposition"].splitlines()
    assert f"Wrong: assignment {TYPO_KEY}: there is no such resource" in report["calendar"]["text"]
    assert f"assignment {TYPO_KEY}: there is no such resource" in report["calendar"]["html"]
    assert override(client, **TYPO, strategy="Restrictive", allow_missing=True).changed is True
    assert override(client, **TYPO, state="absent").changed is True
    assert override(client, **TYPO, state="absent", allow_missing=True).changed is False
    assert set_policy(client, assignments={TYPO_KEY: None}, state="absent").changed is True
    assert ask(client)["orphans"] == []


def test_what_kubectl_has_written_closes(client: ClusterClient, site: ApiServer) -> None:
    keep(site, "change-assignments")
    site.rest.merge(f"{CONFIG_MAPS}/change-assignments", {"binaryData": {"MachineConfigPool.worker": "e30="}})
    assert worker_of(client)["reason_code"] == "InvalidAssignment"


def test_a_governed_site_stays_closed_without_its_documents(client: ClusterClient, site: ApiServer) -> None:
    set_policy(client, name="always", spec={"strategy": "Permissive"}, assignments=ASSIGN_ALWAYS)
    try:
        assert set_policy(client, governed=True).changed is True
        assert set_policy(client, governed=True).changed is False
        assert worker_of(client)["permitted"] is True
        for name in ("change-policies", "change-assignments"):
            site.rest.delete(f"{CONFIG_MAPS}/{name}")
        assert {one["reason_code"] for one in ask(client)["resources"]} == {"NotAssigned"}
    finally:
        assert set_policy(client, governed=False).changed is True
    assert worker_of(client)["permitted"] is True


def test_a_policy_of_the_play_that_is_not_ready_restricts(client: ClusterClient) -> None:
    for wrong, code in (({"ready": False}, "PolicyNotReady"), ({"redy": True}, "InvalidPolicy")):
        given = {"nights": {"spec": {"strategy": "Permissive"}, **wrong}}
        assert worker_of(client, guard={"policies": given, "assignments": ASSIGN})["reason_code"] == code


def test_null_is_no_way_to_govern_no_more(client: ClusterClient) -> None:
    set_policy(client, name="always", spec={"strategy": "Permissive"}, assignments=ASSIGN_ALWAYS)
    with pytest.raises(PolicyError, match="it is null"):
        set_policy(client, assignments={"MachineConfigPool.worker": None})
    assert set_policy(client, assignments={"MachineConfigPool.worker": None}, state="absent").changed is True


def test_a_wrong_clock_enforces_nothing(client: ClusterClient, site: ApiServer) -> None:
    set_policy(client, assignments={"MachineConfigPool.worker": {"strategy": "Restrictive"}})
    client.clock = WrongClock(client, 31 + 3)
    mark = site.audit.mark()
    for state in ("present", "absent"):
        with pytest.raises(WrongClockError, match="Nothing was changed"):
            enforce(client, params(change_enforcement.SPEC, state=state))
    writes = [one.resource for one in site.audit.requests(mark) if one.verb not in ("get", "list")]
    assert writes == ["authentication.k8s.io/selfsubjectreviews"] * 2, "what time it is there"


def test_a_governed_site_is_enforced_without_its_documents(client: ClusterClient, site: ApiServer) -> None:
    assert enforce(client, params(change_enforcement.SPEC)).objects["resources"] == [], "nothing governs it"
    set_policy(client, governed=True)
    try:
        found = enforce(client, params(change_enforcement.SPEC)).objects["resources"]
        assert [(one["name"], one["permitted"], one["paused"]) for one in found] == [
            ("version", False, False),
            ("master", False, True),
            ("worker", False, True),
        ]
        published = site.rest.get(f"{CONFIG_MAPS}/change-state")["data"]
        assert {published[f"MachineConfigPool.{pool}"] for pool in ("master", "worker")} == {""}
    finally:
        set_policy(client, governed=False)
        enforce(client, params(change_enforcement.SPEC, state="absent"))


def test_what_cannot_be_read_is_not_overridden(client: ClusterClient, site: ApiServer) -> None:
    keep(site, "change-assignments", **{"MachineConfigPool.worker": "{"})
    with pytest.raises(PolicyError, match="change_policy"):
        override(client, **POOL, strategy="Permissive", until=in_hours(1))
    set_policy(client, assignments={"MachineConfigPool.worker": {"strategy": "Restrictive"}}, take_over=True)
    assert worker_of(client)["reason_code"] == "Restrictive"


def test_a_stored_policy_that_cannot_be_read_restricts(client: ClusterClient, site: ApiServer) -> None:
    keep(site, "change-policies", nights="{")
    set_policy(client, assignments=ASSIGN)
    report = ask(client, **POOL)
    assert report["resources"][0]["reason_code"] == "InvalidPolicy"
    assert report["policies"][0]["valid"] is False


def test_an_unknown_format_is_an_error(client: ClusterClient, site: ApiServer) -> None:
    keep(site, "change-policies", schemaVersion="2")
    with pytest.raises(PolicyError, match="schemaVersion is '2'"):
        ask(client)


@pytest.mark.parametrize(
    ("ahead", "hours", "permitted", "code"),
    [
        pytest.param(3600, 24, False, "ClockSkew", id="too far ahead"),
        pytest.param(-3600, 24, False, "ClockSkew", id="too far behind"),
        pytest.param(20, 24, True, "MaintenanceSchedule", id="within the limit"),
    ],
)
def test_the_clock_is_compared_with_the_servers(
    client: ClusterClient, ahead: int, hours: int, permitted: bool, code: str
) -> None:
    open_policy = open_now()
    open_policy["maintenanceSchedule"]["permit"]["duration"] = f"{hours}h"
    set_policy(client, name="nights", spec=open_policy, assignments=ASSIGN)
    client.clock = WrongClock(client, ahead)
    report = ask(client, **POOL)
    assert (report["permitted"], report["resources"][0]["reason_code"]) == (permitted, code)
    assert abs(report["clock"]["skew"] + ahead) <= 3


def test_nothing_begins_within_the_difference_of_the_clocks(client: ClusterClient) -> None:
    until = datetime.now(timezone.utc) + timedelta(seconds=15)
    override(client, **POOL, strategy="Restrictive", until=f"{until:%Y-%m-%dT%H:%M:%SZ}")
    client.clock = WrongClock(client, 25)
    worker = worker_of(client)
    assert (worker["permitted"], worker["reason_code"]) == (False, "Override"), "by the server's clock it is too early"


def test_two_writers_do_not_lose_each_others_entries(client: ClusterClient, site: ApiServer) -> None:
    set_policy(client, name="first", spec={"strategy": "Permissive"})
    seen = []

    def decide(found: Entries) -> dict[str, Edit]:
        seen.append(sorted(found.documents))
        if len(seen) == 1:
            with client_of(site) as other:
                set_policy(other, name="second", spec={"strategy": "Permissive"})
        return {"third": Edit({"spec": {"strategy": "Permissive"}}, "set")}

    edit_entries(client, "change-policies", decide, by="system:admin", reason=WHY, at="2026-11-21T00:00:00Z")
    assert seen == [["first"], ["first", "second"]]
    assert [one["name"] for one in ask(client)["policies"]] == ["first", "second", "third"]


def test_a_document_that_never_stands_still_is_given_up(client: ClusterClient, site: ApiServer) -> None:
    set_policy(client, name="p", spec={"strategy": "Permissive"})
    turns: list[int] = []

    def decide(found: Entries) -> dict[str, Edit]:
        assert found.exists
        turns.append(1)
        keep(site, "change-policies", turn=json.dumps({"spec": len(turns)}))
        return {"mine": Edit({"spec": {}}, "set")}

    with pytest.raises(ChangeConflictError, match="8 times"):
        edit_entries(client, "change-policies", decide, by="me", reason=WHY, at="2026-11-21T00:00:00Z")


def test_check_mode_without_a_namespace_writes_nothing(site: ApiServer) -> None:
    with ApiServer() as empty, client_of(empty, dry_run=True) as trial:
        assert set_policy(trial, name="p", spec={"strategy": "Permissive"}).changed is True
        assert not empty.rest.exists(f"/api/v1/namespaces/{NAMESPACE}")
        assert {action["dry_run"] for action in trial.actions.as_data()} == {True}
    assert site.rest.exists(f"/api/v1/namespaces/{NAMESPACE}")
