# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_alerts import alert_findings
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_budgets import (
    budget_findings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_pull_policy import (
    pull_findings,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.check_removed_apis import (
    api_findings,
    minor_after_update,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.finding import Finding

Object = dict[str, t.Any]
Told = list[tuple[str, str]]


def told(findings: t.Iterable[Finding]) -> Told:
    return [(one.severity, one.code) for one in findings]


def budget(name: str = "web", *, allowed: int = 0, healthy: int = 3, desired: int = 2, expected: int = 3) -> Object:
    status = {"disruptionsAllowed": allowed, "currentHealthy": healthy, "desiredHealthy": desired}
    spec = {"selector": {"matchLabels": {"app": "web"}}}
    metadata = {"name": name, "namespace": "shop"}
    return {"metadata": metadata, "spec": spec, "status": {**status, "expectedPods": expected}}


def pod(name: str = "web-5d9c7-x1", phase: str = "Running", space: str = "shop", **spec: t.Any) -> Object:
    owner = {"kind": "ReplicaSet", "name": "web-5d9c7", "controller": True}
    labels = {"app": "web", "pod-template-hash": "5d9c7"}
    metadata = {"name": name, "namespace": space, "labels": labels, "ownerReferences": [owner]}
    return {"metadata": metadata, "spec": spec, "status": {"phase": phase}}


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        pytest.param(budget(allowed=1), [], id="one may go"),
        pytest.param(budget(desired=3), [("fault", "budget_impossible")], id="all have to stay"),
        pytest.param(budget(expected=1, healthy=1, desired=1), [("fault", "budget_impossible")], id="a single pod"),
        pytest.param(budget(healthy=2), [("notice", "budget_exhausted")], id="one is away already"),
        pytest.param(budget(expected=0, healthy=0, desired=0), [], id="no pods"),
    ],
)
def test_budgets(found: Object, expected: Told) -> None:
    assert told(budget_findings([found], [pod()])) == expected


def test_pods_under_two_budgets_are_told_once_by_their_owner() -> None:
    both = [budget(allowed=1), budget("other", allowed=1)]
    (one,) = budget_findings(both, [pod(), pod("web-5d9c7-x2"), pod("done", phase="Succeeded")])
    assert (one.code, one.object_name) == ("budget_overlap", "Deployment shop/web")
    assert "other, web" in one.seen


@pytest.mark.parametrize(
    ("selector", "overlaps"),
    [
        (None, False),
        ({}, True),
        ({"matchExpressions": [{"key": "app", "operator": "In", "values": ["web", "api"]}]}, True),
        ({"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["web"]}]}, False),
        ({"matchExpressions": [{"key": "canary", "operator": "Exists"}]}, False),
        ({"matchExpressions": [{"key": "canary", "operator": "DoesNotExist"}]}, True),
        ({"matchExpressions": [{"key": "app", "operator": "Unheard"}]}, False),
    ],
)
def test_selectors_of_budgets(selector: Object | None, overlaps: bool) -> None:
    other = {**budget("other", allowed=1), "spec": {"selector": selector}}
    assert bool(list(budget_findings([budget(allowed=1), other], [pod()]))) is overlaps


def containers(*policies: str) -> list[Object]:
    return [{"name": f"c{number}", "imagePullPolicy": policy} for number, policy in enumerate(policies)]


def test_pods_that_ask_a_registry_each_time_are_told_by_their_owner() -> None:
    pods = [
        pod(containers=containers("Always", "IfNotPresent")),
        pod(
            "web-5d9c7-x2",
            containers=containers("IfNotPresent"),
            initContainers=[{"name": "i", **containers("Always")[0]}],
        ),
        pod("done", phase="Failed", containers=containers("Always")),
        pod("fine", space="other", containers=containers("Never", "IfNotPresent")),
    ]
    (one,) = pull_findings(pods)
    assert (one.severity, one.address) == ("fault", "pull_always:shop/web")
    assert one.seen.startswith("has the pull policy Always for c0")


def test_catalogs_always_ask_and_are_only_worth_knowing() -> None:
    assert told(pull_findings([pod(space="openshift-marketplace", containers=containers("Always"))])) == [
        ("notice", "pull_always")
    ]


def alert(severity: str = "critical", state: str = "firing", **labels: str) -> Object:
    known = {"alertname": "KubeNodeNotReady", "severity": severity, **labels}
    return {"labels": known, "annotations": {"summary": "Node is not ready."}, "state": state}


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([alert()], [("fault", "alert_critical")]),
        ([alert("warning")], [("notice", "alert_warning")]),
        ([alert("none", alertname="Watchdog"), alert("info")], []),
        ([alert(state="pending")], []),
        ([alert(pod="a"), alert(pod="b")], [("fault", "alert_critical")]),
        ([{}], []),
    ],
)
def test_alerts(found: list[Object], expected: Told) -> None:
    assert told(alert_findings(found)) == expected


def count(removed: str, *users: tuple[str, int]) -> Object:
    by_user = [{"username": name, "requestCount": number} for name, number in users]
    hours = [{"requestCount": 1, "byNode": [{"nodeName": "m", "requestCount": 1, "byUser": by_user}]}]
    status = {"removedInRelease": removed, "requestCount": len(users), "last24h": hours}
    return {"metadata": {"name": "flowschemas.v1beta3.flowcontrol.apiserver.k8s.io"}, "status": status}


COLLECTOR = "system:serviceaccount:kube-system:generic-garbage-collector"


@pytest.mark.parametrize(
    ("found", "after", "expected"),
    [
        pytest.param(count("1.35", ("shop:bot", 3)), 35, [("fault", "api_removed")], id="gone after the update"),
        pytest.param(count("1.36", ("shop:bot", 3)), 35, [("notice", "api_removed_later")], id="gone later"),
        pytest.param(
            count("1.35", ("shop:bot", 3)), None, [("notice", "api_removed_later")], id="no update is planned"
        ),
        pytest.param(count("1.35", (COLLECTOR, 3)), 35, [], id="only by what touches every version"),
        pytest.param(count("1.35"), 35, [], id="by nobody"),
        pytest.param(count("", ("shop:bot", 3)), 35, [], id="an API that stays"),
    ],
)
def test_removed_apis(found: Object, after: int | None, expected: Told) -> None:
    assert told(api_findings([found], after)) == expected


def test_who_asks_most_is_named_first() -> None:
    (one,) = api_findings([count("1.35", ("a", 1), ("b", 9), ("c", 5), ("d", 1))], 35)
    assert one.seen.endswith("is used by b, c, a and 1 more")


@pytest.mark.parametrize(
    ("served", "current", "target", "after"),
    [
        ("34", "4.21.3", "4.22.1", 35),
        ("34+", "4.21.3", "4.22.1", 35),
        ("34", "4.21.3", "4.21.5", None),
        ("35", "4.22.9", "5.0.1", 36),
        ("34", "4.21.3", "", None),
        ("", "4.21.3", "4.22.1", None),
        ("34", "", "4.22.1", None),
    ],
)
def test_kubernetes_after_the_update(served: str, current: str, target: str, after: int | None) -> None:
    assert minor_after_update(served, current, target) == after
