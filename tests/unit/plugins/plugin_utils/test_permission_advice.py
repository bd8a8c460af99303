# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A refusal of RBAC names the file that grants the permission."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.modules import change_enforcement, rollout_next, site_report
from ansible_collections.fieldops.openshift.plugins.plugin_utils._permission_advice import (
    permission_advice,
    with_permission_advice,
)

EVICT = 'pods "a" is forbidden: User "x" cannot create resource "pods/eviction" in API group "" in the namespace "shop"'
POLICIES = 'User "x" cannot get resource "configmaps" in API group "" in the namespace "fieldops-openshift"'
ELSEWHERE = 'User "x" cannot get resource "configmaps" in API group "" in the namespace "shop"'
POOLS = 'User "x" cannot list resource "hostedclusters" in API group "hypershift.openshift.io" at the cluster scope'


@pytest.mark.parametrize(
    ("refusal", "files"),
    [
        (POOLS, ["change-management-reader.yml"]),
        (POLICIES, ["change-management-reader.yml", "rollout.yml"]),
        (ELSEWHERE, []),
        (EVICT.replace("create", "delete"), []),
        ('admission webhook "x" denied the request', []),
    ],
    ids=["one file", "two files", "another namespace", "a verb that none grants", "another refusal"],
)
def test_the_files_that_grant_it(refusal: str, files: list[str]) -> None:
    expected = " or ".join(f"extensions/rbac/{file}" for file in files)
    advice = permission_advice(rollout_next.DOCUMENTATION, refusal)
    assert advice == (f" {expected} of this collection grants it." if files else "")


def test_a_file_of_an_admission_policy_grants_nothing() -> None:
    refusal = 'User "x" cannot patch resource "nodepools" in API group "hypershift.openshift.io" in the namespace "a"'
    advice = permission_advice(change_enforcement.DOCUMENTATION, refusal)
    assert advice == " extensions/rbac/change-enforcer.yml of this collection grants it."


def test_a_result_keeps_all_else() -> None:
    error = {"seen": POOLS, "advice": "Bind a role.", "kind": "api"}
    found = with_permission_advice({"msg": "Could not. Bind a role.", "error": error}, rollout_next.DOCUMENTATION)
    added = " extensions/rbac/change-management-reader.yml of this collection grants it."
    assert found == {
        "msg": f"Could not. Bind a role.{added}",
        "error": {**error, "advice": f"Bind a role.{added}"},
    }
    assert with_permission_advice({"changed": True}, rollout_next.DOCUMENTATION) == {"changed": True}


def test_a_missing_part_names_the_file() -> None:
    """A report and an archive are made without what may not be read."""
    missing = [{"part": "changes", "reason": POOLS}, {"part": "space", "reason": "the API did not respond before"}]
    found = with_permission_advice({"report": {"missing": missing}}, site_report.DOCUMENTATION)
    told = f"{POOLS} extensions/rbac/site-report.yml of this collection grants it."
    assert found == {"report": {"missing": [{"part": "changes", "reason": told}, missing[1]]}}
    assert with_permission_advice({"missing": missing}, site_report.DOCUMENTATION)["missing"][0]["reason"] == told


def test_what_else_is_missing_is_kept() -> None:
    assert with_permission_advice({"missing": ["worker-1"]}, site_report.DOCUMENTATION) == {"missing": ["worker-1"]}
