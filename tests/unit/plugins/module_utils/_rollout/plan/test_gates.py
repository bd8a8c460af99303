# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import UnusableGateError
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.gates import GATE_OPTION, Gate

pytest.importorskip("jmespath")

STORAGE = {"status": {"ceph": {"health": "HEALTH_WARN"}, "ready": True, "replicas": 3}}


def gate(expression: str, expected: t.Any = True, **options: t.Any) -> Gate:
    known = {name: option.get("default") for name, option in GATE_OPTION["options"].items()}
    return Gate.of({**known, "kind": "CephCluster", "expression": expression, "expected": expected, **options})


@pytest.mark.parametrize(
    ("expression", "expected", "passes"),
    [
        ("status.ceph.health", "HEALTH_WARN", True),
        ("status.ceph.health", "HEALTH_OK", False),
        ("status.ready", True, True),
        ("status.ready", "True", True),
        ("status.replicas", 3, True),
        ("status.replicas", "3", True),
        ("status.replicas >= `3`", True, True),
        ("status.ready", 1, False),
        ("status.absent", True, False),
        ("status.absent", None, True),
        ("status.ceph", {"health": "HEALTH_WARN"}, True),
        ("keys(status) | sort(@)", ["ceph", "ready", "replicas"], True),
    ],
)
def test_a_gate_passes_when_the_answer_is_the_expected_one(expression: str, expected: t.Any, passes: bool) -> None:
    assert (gate(expression, expected).judge(STORAGE) == "") is passes


def test_a_closed_gate_says_its_title_the_answer_and_the_expectation() -> None:
    closed = gate("status.ceph.health", "HEALTH_OK", title="storage is healthy")
    assert closed.judge(STORAGE) == 'gate storage is healthy: expected "HEALTH_OK", got "HEALTH_WARN"'


def test_without_a_title_object_and_question_are_named() -> None:
    assert (
        gate("a", name="storage", namespace="s").judge(None) == "gate CephCluster s storage: a: there is no such object"
    )


def test_a_long_answer_is_cut() -> None:
    assert len(gate("@", "x").judge({"text": "y" * 5000})) < 500


@pytest.mark.parametrize("expression", ["status.[", "", "sum(status)", "unknown(@)", "length(status.replicas)"])
def test_an_expression_that_is_none_is_refused(expression: str) -> None:
    with pytest.raises(UnusableGateError, match="JMESPath"):
        gate(expression).judge(STORAGE)
