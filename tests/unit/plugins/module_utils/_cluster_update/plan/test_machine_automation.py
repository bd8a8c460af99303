# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import copy
import json
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.errors import PauseRecordError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.machine_automation import (
    REQUEST,
    Author,
    Change,
    described,
    is_paused,
    pause,
    restore,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.pause_record import (
    ANNOTATION,
    PauseRecord,
)

Object = dict[str, t.Any]
AUTHOR = Author("technician", "2026-11-21T22:01:07Z", "change 4711")
HELD = "cluster.x-k8s.io/paused"


def autoscaler(**spec: t.Any) -> Object:
    return {"kind": "ClusterAutoscaler", "metadata": {"name": "default"}, **({"spec": spec} if spec else {})}


def group(least: int, most: int) -> Object:
    spec = {"minReplicas": least, "maxReplicas": most}
    return {"kind": "MachineAutoscaler", "metadata": {"name": "a", "namespace": "m"}, "spec": spec}


def check(**annotations: str) -> Object:
    metadata: Object = {"name": "workers", "namespace": "m"}
    if annotations:
        metadata["annotations"] = annotations
    return {"kind": "MachineHealthCheck", "metadata": metadata}


def node_check(*requests: str) -> Object:
    spec: Object = {"minHealthy": "51%", **({"pauseRequests": list(requests)} if requests else {})}
    return {"kind": "NodeHealthCheck", "metadata": {"name": "workers"}, "spec": spec}


def merged(found: t.Any, patch: t.Any) -> t.Any:
    """Apply a JSON merge patch (RFC 7386), as the API server does."""
    if not isinstance(patch, dict):
        return patch
    whole = dict(found) if isinstance(found, dict) else {}
    for key, value in patch.items():
        if value is None:
            whole.pop(key, None)
        else:
            whole[key] = merged(whole.get(key), value)
    return whole


def paused(found: Object, *, nodes: int = 5, replicas: int | None = 3) -> Object:
    change = pause(found, AUTHOR, nodes=nodes, replicas=replicas)
    assert change is not None
    after: Object = merged(found, change.patch)
    return after


def restored(found: Object) -> tuple[Object, tuple[str, ...]]:
    change = restore(found)
    assert isinstance(change, Change)
    after: Object = merged(found, change.patch)
    if not after["metadata"].get("annotations", True):
        del after["metadata"]["annotations"]  # the server keeps no empty ones
    return after, change.left


@pytest.mark.parametrize(
    "found",
    [
        pytest.param(node_check(), id="a health check of nodes"),
        pytest.param(node_check("a cluster upgrade"), id="a health check of nodes that others have paused"),
        pytest.param(autoscaler(), id="an autoscaler without a spec"),
        pytest.param(autoscaler(podPriorityThreshold=-10), id="without either section"),
        pytest.param(autoscaler(scaleDown={"enabled": True, "unneededTime": "5m"}), id="without limits"),
        pytest.param(autoscaler(resourceLimits={"cores": {"min": 8, "max": 96}}), id="without scale down"),
        pytest.param(autoscaler(scaleDown={"enabled": False}, resourceLimits={"maxNodesTotal": 24}), id="with both"),
        pytest.param(group(1, 6), id="a machine autoscaler"),
        pytest.param(check(), id="a health check"),
        pytest.param(check(**{HELD: "by somebody"}), id="a health check that somebody paused"),
        pytest.param(check(note="kept"), id="a health check with annotations"),
    ],
)
def test_all_comes_back_exactly_as_it_was(found: Object) -> None:
    before = copy.deepcopy(found)
    held = paused(found)
    assert is_paused(held)
    assert pause(held, AUTHOR, nodes=9, replicas=9) is None, "what is held is not held again with other values"
    after, left = restored(held)
    assert (after, left) == (before, ())
    assert restore(after) is None


def test_an_autoscaler_neither_removes_nodes_nor_adds_more_than_there_are() -> None:
    held = paused(autoscaler(scaleDown={"enabled": True}, resourceLimits={"maxNodesTotal": 24}), nodes=7)
    assert held["spec"] == {"scaleDown": {"enabled": False}, "resourceLimits": {"maxNodesTotal": 7}}


@pytest.mark.parametrize(("replicas", "sizes"), [(3, (3, 3)), (0, (0, 1))])
def test_a_machine_autoscaler_is_held_at_the_size_of_its_target(replicas: int, sizes: tuple[int, int]) -> None:
    held = paused(group(0, 9), replicas=replicas)
    assert (held["spec"]["minReplicas"], held["spec"]["maxReplicas"]) == sizes


def test_a_machine_autoscaler_without_a_target_is_left() -> None:
    assert pause(group(1, 6), AUTHOR, nodes=5, replicas=None) is None


def test_what_somebody_else_paused_gets_our_record_and_nothing_more() -> None:
    held = paused(check(**{HELD: "by somebody"}))
    assert held["metadata"]["annotations"][HELD] == "by somebody"
    assert described(held)["fields"] == []


@pytest.mark.parametrize(
    ("change", "left"),
    [
        pytest.param({"maxReplicas": 9}, ("spec.maxReplicas",), id="changed by somebody"),
        pytest.param({"maxReplicas": 6}, (), id="set back by somebody"),
    ],
)
def test_a_field_that_somebody_changed_meanwhile_stays(change: dict[str, int], left: tuple[str, ...]) -> None:
    held = paused(group(1, 6))
    held["spec"].update(change)
    after, named = restored(held)
    assert named == left
    assert after["spec"] == {"minReplicas": 1, **change}


def test_a_section_that_somebody_added_to_meanwhile_stays() -> None:
    held = paused(autoscaler(podPriorityThreshold=-10))
    held["spec"]["scaleDown"]["unneededTime"] = "5m"
    after, named = restored(held)
    assert named == ("spec.scaleDown",)
    assert after["spec"] == {"podPriorityThreshold": -10, "scaleDown": {"enabled": False, "unneededTime": "5m"}}


def test_the_record_says_who_when_and_why() -> None:
    assert described(paused(group(1, 6))) == {
        "kind": "MachineAutoscaler",
        "namespace": "m",
        "name": "a",
        "paused": True,
        "by": "technician",
        "since": "2026-11-21T22:01:07Z",
        "reason": "change 4711",
        "fields": [
            {"path": "spec.minReplicas", "was": 1, "paused": 3},
            {"path": "spec.maxReplicas", "was": 6, "paused": 3},
        ],
    }


RECORD = {"schemaVersion": 1, "by": "x", "at": "t", "reason": "", "fields": []}


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("{", "not a document"),
        ("[]", "not a document"),
        ("[" * 9000, "not a document"),
        (json.dumps({**RECORD, "reason": "x" * 20000}), "not a document"),
        (json.dumps({**RECORD, "schemaVersion": 2}), "not a document"),
        (json.dumps({**RECORD, "by": 7}), "its by is not a string"),
        (json.dumps({**RECORD, "fields": {}}), "no list"),
        (json.dumps({**RECORD, "fields": ["spec"]}), "it has an invalid entry in its fields"),
        (
            json.dumps({**RECORD, "fields": [{"path": "spec", "was": 1, "paused": 1}]}),
            "it has an invalid entry in its fields",
        ),
        (
            json.dumps({**RECORD, "fields": [{"path": ["spec"], "was": 1, "paused": 1, "x": 1}]}),
            "it has an invalid entry in its fields",
        ),
        (json.dumps({**RECORD, "fields": [{"path": ["spec", ["x"]], "was": 1, "paused": 1}]}), "never paused"),
        (
            json.dumps({**RECORD, "fields": [{"path": ["metadata", "finalizers"], "was": None, "paused": None}]}),
            "never paused",
        ),
        (json.dumps({**RECORD, "fields": [{"path": ["spec", "scaleDown"], "was": 1, "paused": 1}]}), "never paused"),
    ],
)
def test_a_record_that_cannot_be_ours_is_refused(text: str, seen: str) -> None:
    found = group(1, 6)
    found["metadata"]["annotations"] = {ANNOTATION: text}
    with pytest.raises(PauseRecordError, match=seen):
        PauseRecord.on(found)


def test_of_the_requests_to_pause_a_health_check_of_nodes_only_ours_goes() -> None:
    held = paused(node_check("a cluster upgrade"))
    assert held["spec"]["pauseRequests"] == ["a cluster upgrade", REQUEST]
    held["spec"]["pauseRequests"] = [REQUEST, "a backup"]
    after, left = restored(held)
    assert (after["spec"]["pauseRequests"], left) == (["a backup"], ())
