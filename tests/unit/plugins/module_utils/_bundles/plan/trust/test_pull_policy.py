# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.trust.pull_policy import pulled_always

ALWAYS = {"name": "downloads", "image": "quay.io/a/b", "imagePullPolicy": "Always"}
SELDOM = {"name": "other", "image": "quay.io/c/d", "imagePullPolicy": "IfNotPresent"}


def workload(containers: list[t.Any], kind: str = "Deployment", key: str = "containers") -> dict[str, t.Any]:
    return {
        "kind": kind,
        "metadata": {"name": "downloads", "namespace": "openshift-console"},
        "spec": {"template": {"spec": {key: containers}}},
    }


@pytest.mark.parametrize(
    "document",
    [
        pytest.param(workload([SELDOM, ALWAYS]), id="deployment"),
        pytest.param(workload([ALWAYS], key="initContainers"), id="init container"),
        pytest.param({"kind": "List", "items": [workload([ALWAYS])]}, id="within a list"),
        pytest.param(
            {
                "kind": "CronJob",
                "metadata": {"name": "x"},
                "spec": {"jobTemplate": {"spec": {"template": {"spec": {"containers": [ALWAYS]}}}}},
            },
            id="cron job",
        ),
    ],
)
def test_containers_are_found_wherever_pods_are_described(document: t.Any) -> None:
    (found,) = pulled_always(document)
    assert (found["container"], found["image"]) == ("downloads", "quay.io/a/b")


def test_the_owner_is_the_innermost_object() -> None:
    (found,) = pulled_always({"kind": "List", "metadata": {"name": "all"}, "items": [workload([ALWAYS])]})
    assert (found["kind"], found["namespace"], found["name"]) == ("Deployment", "openshift-console", "downloads")


@pytest.mark.parametrize(
    "document",
    [None, "Always", 17, [], {}, workload([SELDOM]), workload(["Always"]), {"containers": "Always"}],
    ids=["nothing", "text", "number", "list", "mapping", "other policy", "container as text", "containers as text"],
)
def test_nothing_else_is_reported(document: t.Any) -> None:
    assert pulled_always(document) == []


def test_documents_nested_without_end_are_given_up() -> None:
    document: t.Any = workload([ALWAYS])
    for _level in range(1000):
        document = {"inner": document}
    assert pulled_always(document) == []


@pytest.mark.parametrize("odd", [17, ["x"] * 9, None, {"a": "b"}], ids=["number", "list", "nothing", "mapping"])
def test_names_are_taken_only_if_they_are_text(odd: t.Any) -> None:
    document = workload([{"name": odd, "image": odd, "imagePullPolicy": "Always"}])
    document["metadata"]["namespace"] = odd
    (found,) = pulled_always(document)
    assert (found["name"], found["namespace"], found["container"], found["image"]) == ("downloads", "", "", "")


def test_no_manifest_makes_a_report_long() -> None:
    (found,) = pulled_always(workload([{**ALWAYS, "image": "x" * 100_000}]))
    assert len(found["image"]) == 300
