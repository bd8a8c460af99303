# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.guards import (
    missing_guards,
    silent_members,
)


def guard(operand: str, node: str, ready: str = "True") -> dict[str, t.Any]:
    return {
        "metadata": {"name": f"{operand}-guard-{node}"},
        "spec": {"nodeName": node},
        "status": {"conditions": [{"type": "Ready", "status": ready}]},
    }


OTHERS = [guard("etcd", "m1"), guard("kube-apiserver", "m1")]


@pytest.mark.parametrize(
    ("own", "missing"),
    [
        ([guard("etcd", "m0"), guard("kube-apiserver", "m0")], []),
        ([guard("etcd", "m0", "False"), guard("kube-apiserver", "m0")], ["the guard of its etcd is not ready"]),
        ([guard("kube-apiserver", "m0")], ["the guard of its etcd is not ready"]),
    ],
    ids=["all back", "not ready", "not there"],
)
def test_what_others_have_is_asked_for(own: list[dict[str, t.Any]], missing: list[str]) -> None:
    assert missing_guards("m0", [*own, *OTHERS]) == missing


def test_a_cluster_without_guards_misses_none() -> None:
    assert missing_guards("m0", []) == []


def test_other_pods_of_that_label_are_no_guards() -> None:
    assert missing_guards("m0", [{"metadata": {"name": "bodyguard"}, "spec": {"nodeName": "m1"}}]) == []


@pytest.mark.parametrize(
    ("guards", "silent"),
    [
        ([guard("etcd", "m0"), guard("etcd", "m1")], set()),
        ([guard("etcd", "m0", "False"), guard("etcd", "m1")], {"m0"}),
        ([guard("kube-apiserver", "m0", "False"), guard("etcd", "m1")], set()),
        ([{"metadata": {"name": "etcd-guard-m0"}, "spec": {}}], set()),
    ],
    ids=["all serve", "one does not", "another operand", "its guard runs nowhere"],
)
def test_guards_tell_whose_etcd_does_not_serve(guards: list[dict[str, t.Any]], silent: set[str]) -> None:
    assert silent_members(guards) == silent
