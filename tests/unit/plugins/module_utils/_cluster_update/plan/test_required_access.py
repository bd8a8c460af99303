# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.required_access import (
    Access,
    access_sentence,
    accesses_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

EVICT = Access("create", "", "pods/eviction", "", "", "roller")
KEEP = Access("get", "", "configmaps", "journal", "fieldops", "keeper")
ROLES: list[dict[str, t.Any]] = [
    {
        "kind": "ClusterRole",
        "metadata": {"name": "roller"},
        "rules": [
            {"apiGroups": [""], "resources": ["pods/eviction"], "verbs": ["create"]},
            {"apiGroups": ["apps"], "resources": ["daemonsets"], "verbs": ["get", "list"]},
            {"nonResourceURLs": ["/version"], "verbs": ["get"]},
        ],
    },
    {
        "kind": "Role",
        "metadata": {"name": "keeper", "namespace": "fieldops"},
        "rules": [{"apiGroups": [""], "resources": ["configmaps"], "resourceNames": ["journal"], "verbs": ["get"]}],
    },
]


def test_every_verb_resource_and_name_is_an_access() -> None:
    others = {"kind": "Namespace", "metadata": {"name": "fieldops"}}
    assert accesses_of([{"kind": "List", "items": [*ROLES, others]}, ROLES[0]]) == [
        EVICT,
        Access("get", "apps", "daemonsets", "", "", "roller"),
        Access("list", "apps", "daemonsets", "", "", "roller"),
        KEEP,
    ]


@pytest.mark.parametrize(
    ("access", "attributes"),
    [
        (EVICT, {"verb": "create", "resource": "pods", "subresource": "eviction"}),
        (KEEP, {"verb": "get", "resource": "configmaps", "name": "journal", "namespace": "fieldops"}),
    ],
)
def test_an_access_is_asked_for_as_the_api_server_knows_it(access: Access, attributes: dict[str, str]) -> None:
    assert access.as_attributes() == attributes


@pytest.mark.parametrize(
    ("manifest", "seen"),
    [
        ({}, "has no kind or no name"),
        ({"kind": "Role", "metadata": None}, "has no kind or no name"),
        ({"kind": "RoleBinding", "metadata": {"name": "x"}}, "there is no ClusterRole or Role in them"),
    ],
)
def test_manifests_without_roles_are_refused(manifest: dict[str, t.Any], seen: str) -> None:
    with pytest.raises(InvalidInputError, match=seen):
        accesses_of([manifest])


def test_without_manifests_nothing_is_required() -> None:
    assert accesses_of([]) == []


@pytest.mark.parametrize(
    ("denied", "complaint", "sentence"),
    [
        ([], "", "jane has all required permissions"),
        ([EVICT, KEEP, EVICT], "", "jane does not have all permissions of roller, keeper"),
        ([], "the clocks differ", "the clocks differ"),
        ([EVICT], "the clocks differ", "jane does not have all permissions of roller; the clocks differ"),
    ],
)
def test_what_prevents_the_user_from_working_is_one_line(denied: list[Access], complaint: str, sentence: str) -> None:
    assert access_sentence("jane", denied, complaint) == sentence
