# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Resources, their keys and pending changes; clocks; overrides; what is stored; pauses of hosted resources."""

from __future__ import annotations

import json
import typing as t
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import (
    Question,
    change_state,
    first_windows,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.changes_report import policy_status
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.clock_comparison import ClockComparison
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import (
    read_instant,
    write_instant,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.overrides import read_override
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import (
    Resource,
    ResourceName,
    anticipated,
    is_begun,
    pending_on,
    pool_of,
    resource_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import (
    Given,
    Governance,
    Governed,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.stanzas import stanza_timeline
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.store_documents import (
    MOST_CHANGES,
    Change,
    Entries,
    changed_document,
    read_entries,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_state import NodeState

NOW = read_instant("2026-11-21T12:00:00Z", "now")
RENDERED = "rendered-worker-" + "0a" * 16
NEWER = "rendered-worker-" + "1b" * 16

Json = dict[str, t.Any]


def state_of(stanza: object, policies: object = None) -> t.Any:
    return change_state(stanza_timeline(stanza, policies or {}), Question(NOW))


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("ClusterVersion.version", ResourceName("ClusterVersion", "version")),
        ("MachineConfigPool.rack.2", ResourceName("MachineConfigPool", "rack.2")),
        ("HostedCluster.clusters.site.a", ResourceName("HostedCluster", "site.a", "clusters")),
    ],
)
def test_keys_of_assignments(key: str, name: ResourceName) -> None:
    assert ResourceName.of_key(key) == name
    assert name.key == key


@pytest.mark.parametrize(
    "key",
    [
        "",
        "worker",
        "Pod.x",
        "MachineConfigPool",
        "MachineConfigPool.",
        "MachineConfigPool.-x",
        "MachineConfigPool.x/y",
        "MachineConfigPool." + "x" * 300,
        "NodePool.x",
        "NodePool.a.",
        "NodePool..x",
        "NodePool.A.x",
    ],
)
def test_keys_that_name_nothing(key: str) -> None:
    with pytest.raises(PolicyError):
        ResourceName.of_key(key)


@pytest.mark.parametrize(
    ("kind", "parts", "reason"),
    [
        pytest.param("ClusterVersion", {}, "", id="no update wanted"),
        pytest.param(
            "ClusterVersion",
            {
                "spec": {"desiredUpdate": {"version": "4.21.4", "image": ""}},
                "status": {
                    "history": [{"state": "Partial", "version": "4.21.4"}, {"state": "Completed", "version": "4.21.3"}]
                },
            },
            "4.21.4 is desired, 4.21.3 reached",
            id="an update under way",
        ),
        pytest.param(
            "ClusterVersion",
            {
                "spec": {"desiredUpdate": {"version": "4.21.4"}},
                "status": {"history": [{"state": "Completed", "version": "4.21.4"}]},
            },
            "",
            id="an update that is done",
        ),
        pytest.param(
            "MachineConfigPool",
            {
                "spec": {"configuration": {"name": NEWER}},
                "status": {"configuration": {"name": RENDERED}, "machineCount": 3, "updatedMachineCount": 1},
            },
            f"1 of 3 machines have {NEWER}",
            id="a pool half way",
        ),
        pytest.param("MachineConfigPool", {}, "", id="a pool that is not rendered yet"),
        pytest.param(
            "HostedCluster",
            {
                "spec": {"release": {"image": "b"}},
                "status": {"version": {"history": [{"state": "Completed", "image": "a"}]}},
            },
            "b is desired, a reached",
            id="a hosted cluster",
        ),
        pytest.param(
            "NodePool",
            {"status": {"conditions": [{"type": "UpdatingVersion", "status": "True", "message": "to 4.21.4"}]}},
            "to 4.21.4",
            id="a node pool",
        ),
    ],
)
def test_which_change_is_pending(kind: str, parts: Json, reason: str) -> None:
    found = resource_of({"kind": kind, "metadata": {"name": "x"}, **parts})
    assert (found.pending, found.pending_reason) == (bool(reason), reason)


STARTED, ASKED = "2026-11-20T10:00:00Z", "2026-11-20T09:00:00Z"
WRITTEN = [{"time": ASKED, "fieldsV1": {"f:spec": {"f:desiredUpdate": {}}}}, {"time": STARTED, "fieldsV1": {}}]


@pytest.mark.parametrize(
    ("kind", "parts", "since"),
    [
        pytest.param("ClusterVersion", {}, "", id="an update that the API has no time of"),
        pytest.param("ClusterVersion", {"metadata": {"name": "x", "managedFields": WRITTEN}}, ASKED, id="asked for"),
        pytest.param(
            "ClusterVersion",
            {"status": {"history": [{"state": "Partial", "version": "4.21.4", "startedTime": STARTED}]}},
            STARTED,
            id="begun",
        ),
        pytest.param(
            "MachineConfigPool",
            {"status": {"conditions": [{"type": "Updated", "status": "False", "lastTransitionTime": STARTED}]}},
            STARTED,
            id="a pool",
        ),
    ],
)
def test_since_when_a_change_is_pending(kind: str, parts: Json, since: str) -> None:
    specs: Json = {"ClusterVersion": {"desiredUpdate": {"version": "4.21.4"}}}
    spec = specs.get(kind, {"configuration": {"name": NEWER}})
    found = resource_of({"kind": kind, "metadata": {"name": "x"}, "spec": spec, **parts})
    assert (found.pending, found.pending_since) == (True, since)


def test_pools_wait_since_an_update_was_asked_for() -> None:
    version = {"name": "version", "managedFields": WRITTEN}
    spec = {"desiredUpdate": {"version": "4.21.4"}}
    cluster = resource_of({"kind": "ClusterVersion", "metadata": version, "spec": spec})
    pools = anticipated([cluster, Resource(ResourceName("MachineConfigPool", "worker"))])
    assert (pools[1].pending, pools[1].pending_since) == (True, ASKED)


def node(**annotations: str) -> NodeState:
    prefix = "machineconfiguration.openshift.io/"
    notes = {prefix + name: value for name, value in annotations.items()}
    labels = {"node-role.kubernetes.io/worker": ""}
    return NodeState.of({"metadata": {"name": "worker-0", "annotations": notes, "labels": labels}})


def test_a_node_belongs_to_the_pool_of_its_configuration() -> None:
    infra = node(desiredConfig="rendered-infra-nodes-" + "0a" * 16)
    assert pool_of(infra, {"infra-nodes": 1, "worker": 2}) == "infra-nodes"
    assert pool_of(infra, {"worker": 2}) == "worker"
    assert pool_of(node(), {"worker": 2}) == "worker"
    assert pool_of(node(), {"master": 1}) == ""


@pytest.mark.parametrize(
    ("current", "desired", "pending", "begun"),
    [(RENDERED, RENDERED, True, False), (RENDERED, NEWER, True, True), (NEWER, NEWER, False, True)],
    ids=["waits", "was begun", "is done"],
)
def test_what_is_pending_on_a_node(current: str, desired: str, pending: bool, begun: bool) -> None:
    found = node(currentConfig=current, desiredConfig=desired, state="Done")
    assert (bool(pending_on(found, NEWER)), is_begun(found, NEWER)) == (pending, begun)
    assert pending_on(node(), NEWER) == "", "no daemon runs there"


@pytest.mark.parametrize(
    ("asked", "answered", "server", "skew"),
    [
        (100, 100, 100, 0),
        (100, 103, 102, 0),
        (100, 100, 101, 0),
        (100, 100, 99, 0),
        (100, 101, 110, 8),
        (100, 101, 90, -9),
    ],
)
def test_the_skew_is_the_least_that_is_certain(asked: int, answered: int, server: int, skew: int) -> None:
    clock = ClockComparison(asked, answered, server, 5)
    assert clock.skew == skew
    assert clock.is_too_far == (abs(skew) > 5)
    assert clock.moments() == ((answered,) if skew == 0 else (answered, answered + skew))


WHOLE = {"strategy": "Permissive", "until": "2026-11-22T00:00:00Z", "by": "me", "reason": "because"}


def test_a_permission_always_ends() -> None:
    override = read_override(Field("override", WHOLE))
    assert override.as_data() == {**WHOLE, "from": None}
    with pytest.raises(PolicyError, match=r"override\.until"):
        read_override(Field("override", {**WHOLE, "until": None}))
    assert read_override(Field("override", {**WHOLE, "strategy": "Restrictive", "until": None})).until is None


@pytest.mark.parametrize("part", ["strategy", "by", "reason"])
def test_an_override_says_who_and_why(part: str) -> None:
    with pytest.raises(PolicyError, match=f"override.{part}"):
        read_override(Field("override", {name: value for name, value in WHOLE.items() if name != part}))


@pytest.mark.parametrize(
    ("wrong", "scoped", "field"),
    [
        ({"from": "2026-11-22T00:00:00Z"}, False, "until"),
        ({"scope": "all"}, False, "scope"),
        ({}, True, "scope"),
        ({"scope": "workers"}, True, "scope"),
    ],
)
def test_overrides_that_are_none(wrong: Json, scoped: bool, field: str) -> None:
    with pytest.raises(PolicyError, match=f"override.{field}"):
        read_override(Field("override", {**WHOLE, **wrong}), scoped=scoped)


def test_entries_keep_their_last_changes_and_lose_what_is_unknown() -> None:
    before: Json = {
        "spec": {"strategy": "Permissive"},
        "changes": [{"by": str(n)} for n in range(MOST_CHANGES)],
        "x": 1,
    }
    written = json.loads(
        changed_document("change-policies", before, {"spec": None}, Change("me", "now", "reason", "set"))
    )
    assert "spec" not in written
    assert [change["by"] for change in written["changes"]] == ["me", "0", "1", "2", "3"]
    assert "x" not in written


def test_entries_of_an_absent_or_damaged_config_map() -> None:
    assert not read_entries("change-policies", None).exists
    data = {
        "schemaVersion": "1",
        "good": '{"spec": {}}',
        "bad": "{",
        "list": "[]",
        "twice": '{"spec": {}, "spec": {"strategy": "Permissive"}}',
        "silent": '{"changes": []}',
        "nothing": "{}",
        "deep": "[" * 100000,
        "strange": '{"stanza": {}}',
    }
    found = {"metadata": {"resourceVersion": "7"}, "data": data, "binaryData": {"hidden": "e30="}}
    entries = read_entries("change-policies", found)
    assert set(entries.documents) == {"good"}
    assert set(entries.faults) == {"bad", "list", "twice", "silent", "nothing", "deep", "strange", "hidden"}
    assert entries.resource_version == "7"
    with pytest.raises(PolicyError, match="schemaVersion"):
        read_entries("change-policies", {"metadata": {}, "data": {}})


def test_the_status_of_a_policy() -> None:
    permit = {"startTime": "10:00", "duration": "4h"}
    policy = {"strategy": "MaintenanceSchedule", "maintenanceSchedule": {"permit": permit}}
    timeline = stanza_timeline({"strategy": "ByPolicy", "byPolicy": {"name": "p"}}, {"p": policy})
    status = policy_status(timeline, NOW)
    behavior = status["behavior"]
    assert (behavior["current"]["state"], behavior["current"]["startTime"], behavior["current"]["endTime"]) == (
        "ChangesUnpaused",
        "2026-11-21T10:00:00Z",
        "2026-11-21T14:00:00Z",
    )
    assert behavior["next"]["startTime"] == behavior["current"]["endTime"]
    assert len(behavior["history"]) == 5
    assert [entry["endTime"] for entry in behavior["history"]][-1] == behavior["current"]["startTime"]
    assert [condition["status"] for condition in status["conditions"]] == ["True", "False"]


def test_the_status_of_a_policy_at_fault() -> None:
    timeline = stanza_timeline({"strategy": "ByPolicy", "byPolicy": {"name": "p"}}, {"p": {"strategy": "x"}})
    status = policy_status(timeline, NOW)
    conditions = {condition["type"]: condition for condition in status["conditions"]}
    assert (conditions["Ready"]["status"], conditions["Ready"]["reason"]) == ("False", "InvalidPolicy")
    assert conditions["ChangesRestricted"]["status"] == "True"
    assert (status["behavior"]["next"], status["behavior"]["history"]) == (None, [])


WORKER = Resource(ResourceName("MachineConfigPool", "worker"))
OPEN = {"changeManagement": {"strategy": "Permissive"}}


def governed(resource: Resource, documents: Json, faults: dict[str, str] | None = None, **options: t.Any) -> Governed:
    assignments = Entries("change-assignments", documents, faults or {})
    return Governance(Entries("change-policies"), assignments, Given(**options)).of(resource, NOW)


@pytest.mark.parametrize(
    ("documents", "faults", "options", "code"),
    [
        pytest.param({}, {}, {"governed": True}, "NotAssigned", id="nothing is assigned in a governed site"),
        pytest.param({"MachineConfigPool.worker": {"changeManagement": None}}, {}, {}, "InvalidStanza", id="null"),
        pytest.param(
            {"MachineConfigPool.worker": OPEN, "worker": OPEN}, {}, {}, "InvalidAssignment", id="a key without a kind"
        ),
        pytest.param(
            {"MachineConfigPool.worker": OPEN, "machineconfigpool.worker": OPEN},
            {},
            {},
            "InvalidAssignment",
            id="a kind in lower case",
        ),
        pytest.param(
            {"MachineConfigPool.worker": OPEN, "MachineConfigPool.master": OPEN},
            {},
            {},
            "InvalidAssignment",
            id="the master pool by itself",
        ),
        pytest.param(
            {"MachineConfigPool.worker": OPEN}, {"worker": "x"}, {}, "InvalidAssignment", id="a fault without a kind"
        ),
    ],
)
def test_what_cannot_be_told_is_closed(documents: Json, faults: dict[str, str], options: Json, code: str) -> None:
    found = governed(WORKER, documents, faults, **options)
    assert (found.timeline.at(NOW).permitted, found.timeline.why(NOW).code) == (False, code)
    assert found.binding


def test_without_a_mark_what_nothing_is_assigned_to_is_open_and_not_bound() -> None:
    found = governed(WORKER, {"ClusterVersion.version": {"changeManagement": {"strategy": "Restrictive"}}})
    assert (found.timeline.at(NOW).permitted, found.binding) == (True, False)


def test_the_mark_of_a_governed_site_is_on_cluster_version() -> None:
    notes = {"fieldops.openshift/governed": "true"}
    found = [
        resource_of({"kind": kind, "metadata": {"name": "version", "annotations": notes}})
        for kind in ("ClusterVersion", "MachineConfigPool")
    ]
    assert [one.governs_site for one in found] == [True, False]


STOP, PERMIT = {"strategy": "Restrictive", "by": "me", "reason": "stop"}, {**WHOLE, "reason": "permit"}
LATER = {**PERMIT, "from": "2026-11-21T20:00:00Z", "reason": "one more"}


@pytest.mark.parametrize(
    ("above", "own", "resource", "permitted"),
    [
        pytest.param([{**STOP, "scope": "all"}], [], "worker", False, id="a stop of all binds workers"),
        pytest.param([{**STOP, "scope": "all"}], [], "master", False, id="a stop of all binds the control plane"),
        pytest.param([{**STOP, "scope": "control_plane"}], [], "worker", True, id="one of the control plane does not"),
        pytest.param([{**STOP, "scope": "control_plane"}], [], "master", False, id="it binds the master pool"),
        pytest.param([{**STOP, "scope": "all"}], [PERMIT], "worker", False, id="a stop is in force over a permission"),
        pytest.param([{**PERMIT, "scope": "all"}], [STOP], "worker", False, id="whichever of them is of all"),
        pytest.param([], [STOP, PERMIT], "worker", False, id="and of the same resource"),
    ],
)
def test_what_an_override_binds(above: list[Json], own: list[Json], resource: str, permitted: bool) -> None:
    documents: Json = {"MachineConfigPool.worker": {"overrides": own or None}, "ClusterVersion.version": {}}
    documents["ClusterVersion.version"] = {"overrides": above or None}
    found = governed(Resource(ResourceName("MachineConfigPool", resource)), documents)
    assert found.timeline.at(NOW).permitted is permitted


def test_one_more_window_with_a_date() -> None:
    documents = {"MachineConfigPool.worker": {"changeManagement": {"strategy": "Restrictive"}, "overrides": [LATER]}}
    timeline = governed(WORKER, documents).timeline
    windows = [(write_instant(one.start), write_instant(one.end or 0)) for one in first_windows(timeline, NOW, 3)]
    assert windows == [("2026-11-21T20:00:00Z", "2026-11-22T00:00:00Z")]


def test_a_damaged_entry_of_the_cluster_closes_pools_that_it_may_bind() -> None:
    found = governed(WORKER, {"MachineConfigPool.worker": OPEN}, {"ClusterVersion.version": "it is not JSON"})
    assert found.timeline.why(NOW).code == "InvalidAssignment"


def test_pools_wait_for_an_update_as_soon_as_it_is_asked_for() -> None:
    version = Resource(ResourceName("ClusterVersion", "version"), pending=True, pending_reason="4.21.4 is desired")
    busy = Resource(ResourceName("MachineConfigPool", "busy"), pending=True, pending_reason="its own")
    hosted = Resource(ResourceName("NodePool", "workers", "clusters"))
    told = {one.name.name: one.pending_reason for one in anticipated([version, WORKER, busy, hosted])}
    assert told == {
        "version": "4.21.4 is desired",
        "worker": "it follows the control plane: 4.21.4 is desired",
        "busy": "its own",
        "workers": "",
    }
    assert anticipated([replace(version, pending=False), WORKER])[1].pending is False
