# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which fields another manager applies, and which changes are therefore refused."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.field_owners import (
    FieldOwnedError,
    foreign_owners,
    require_own_fields,
)

Json = dict[str, t.Any]
GIT = "argocd-controller"
FIELDS = {"f:data": {"f:saturday": {}}, "f:metadata": {"f:labels": {".": {}, "f:team": {}}}}


def entry(manager: str = GIT, operation: str = "Apply", fields: Json | None = None, **others: str) -> Json:
    return {"manager": manager, "operation": operation, "fieldsV1": fields or FIELDS, **others}


def found(*entries: Json) -> Json:
    metadata = {"name": "change-policies", "namespace": "n", "labels": {"team": "a"}, "managedFields": [*entries]}
    return {"kind": "ConfigMap", "metadata": metadata, "data": {"saturday": "1", "sunday": "1"}}


CASES = [
    pytest.param(entry(), {"data": {"saturday": "2"}}, {"data.saturday": [GIT]}, id="another value"),
    pytest.param(entry(), {"data": {"saturday": None}}, {"data.saturday": [GIT]}, id="removed"),
    pytest.param(entry(), {"data": {"saturday": "1"}}, {}, id="the same value"),
    pytest.param(entry(), {"data": {"sunday": "2", "new": "1"}}, {}, id="fields beside it"),
    pytest.param(entry(), {"metadata": {"labels": {"team": "b"}}}, {"metadata.labels.team": [GIT]}, id="label"),
    pytest.param(entry(), {"metadata": {"labels": {"other": "b"}}}, {}, id="another label"),
    pytest.param(entry(), {"data": None}, {"data": [GIT]}, id="all that contains it"),
    pytest.param(
        entry(fields={"f:data": {}}), {"data": {"sunday": "2"}}, {"data.sunday": [GIT]}, id="owned as a whole"
    ),
    pytest.param(entry("kubectl-edit", "Update"), {"data": {"saturday": "2"}}, {}, id="an editor sets nothing back"),
    pytest.param(
        entry("config-policy-controller", "Update"),
        {"data": {"saturday": "2"}},
        {"data.saturday": ["config-policy-controller"]},
        id="a policy of cluster management",
    ),
    pytest.param(entry("fieldops-openshift"), {"data": {"saturday": "2"}}, {}, id="our own"),
    pytest.param(entry(subresource="status"), {"data": {"saturday": "2"}}, {}, id="a status"),
]


@pytest.mark.parametrize(("managed", "change", "owners"), CASES)
def test_owners_of_what_changes(managed: Json, change: Json, owners: Json) -> None:
    assert foreign_owners(found(managed), change) == owners


def test_the_refusal_names_field_and_manager() -> None:
    with pytest.raises(
        FieldOwnedError, match=r"ConfigMap n/change-policies: data.saturday belongs to argocd-controller"
    ):
        require_own_fields(found(entry()), {"data": {"saturday": "2"}})
    require_own_fields(found(entry()), {"data": {"saturday": "2"}}, take_over=True)


def test_without_managed_fields_nothing_is_refused() -> None:
    require_own_fields({"metadata": {"name": "a"}, "data": {"b": "1"}}, {"data": {"b": "2"}})
