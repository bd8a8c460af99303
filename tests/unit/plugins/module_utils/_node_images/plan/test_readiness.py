# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A node is ready that has its images, serves them to itself, or keeps what it got elsewhere."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.readiness import Holding, problem_of

CASES = {
    "all is there": (Holding("sha256:a"), ""),
    "pulled when it is needed": (Holding("sha256:a", served=frozenset({"cli", "etcd"}), lacking=["cli"]), ""),
    "not pinned, and served": (Holding("sha256:a", served=frozenset({"cli"}), unpinned=["cli"]), ""),
    "no bundle": (Holding("sha256:a", is_staged=False, lacking=["cli"]), "does not have the bundle sha256:a"),
    "damaged": (Holding("sha256:a", unserved=["cli", "etcd"], lacking=["cli"]), "does not serve cli, etcd"),
    "lacking": (Holding("sha256:a", served=frozenset({"etcd"}), lacking=["cli", "etcd"]), "lacks cli"),
    "pulling, lacking": (Holding(None, lacking=["cli"], unpinned=["cli"], asked_elsewhere=True), "lacks cli"),
    "pulling, not kept": (Holding(None, unpinned=["cli"], asked_elsewhere=True), "has not pinned cli"),
}


@pytest.mark.parametrize(("node", "problem"), CASES.values(), ids=CASES)
def test_a_problem_is_named(node: Holding, problem: str) -> None:
    assert problem_of(node) == problem
