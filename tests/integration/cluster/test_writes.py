# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Writing objects: creation, apply and its conflicts, patches, deletion, eviction, and trials of all of them."""

from __future__ import annotations

import typing as t
from collections.abc import Callable

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import FIELD_MANAGER, ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.differences import differ
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CONFIG_MAP,
    POD,
)
from ansible_collections.fieldops.openshift.tests.integration.cluster.objects import (
    budget_that_allows,
    config_map,
    running_pod,
)
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

Object = dict[str, t.Any]


@pytest.fixture
def settings(api_server: ApiServer, namespace: str) -> Object:
    """A ConfigMap that the lab wrote."""
    return api_server.rest.apply(config_map("settings", namespace, owner="lab", kept="lab"))


@pytest.fixture
def pod(api_server: ApiServer, namespace: str) -> Object:
    """A running pod."""
    return api_server.rest.apply(running_pod("database-0", namespace))


def read(api_server: ApiServer, namespace: str, name: str = "settings") -> Object:
    return api_server.rest.get(f"/api/v1/namespaces/{namespace}/configmaps/{name}")


def test_create(admin: ClusterClient, api_server: ApiServer, namespace: str) -> None:
    created = admin.create(CONFIG_MAP, config_map("fresh", namespace, k="v"))
    assert created == read(api_server, namespace, "fresh")
    assert created["metadata"]["managedFields"][0]["manager"] == FIELD_MANAGER
    with pytest.raises(ApiError, match=r"409 AlreadyExists: .*An object of this name already exists"):
        admin.create(CONFIG_MAP, config_map("fresh", namespace))


def test_apply_changes_only_what_it_names(admin: ClusterClient, namespace: str, settings: Object) -> None:
    applied = admin.apply(config_map("settings", namespace, ours="1"))
    assert applied["data"] == {"owner": "lab", "kept": "lab", "ours": "1"}
    again = admin.apply(config_map("settings", namespace, ours="1"))
    assert not differ(applied, again)
    assert admin.apply(config_map("settings", namespace))["data"] == {"owner": "lab", "kept": "lab"}
    assert settings["metadata"]["uid"] == again["metadata"]["uid"]


@pytest.mark.usefixtures("settings")
def test_a_conflict_names_the_other_owner(admin: ClusterClient, namespace: str) -> None:
    with pytest.raises(ApiError, match="Another field manager owns these fields") as conflict:
        admin.apply(config_map("settings", namespace, owner="us"))
    assert conflict.value.status == 409
    assert [cause.field for cause in conflict.value.causes] == [".data.owner"]
    assert not conflict.value.transient


@pytest.mark.usefixtures("settings")
def test_force_takes_fields_over(admin: ClusterClient, namespace: str) -> None:
    assert admin.apply(config_map("settings", namespace, owner="us"), force=True)["data"]["owner"] == "us"


@pytest.mark.parametrize(
    ("patch_type", "body", "data"),
    [
        ("merge", {"data": {"owner": None, "new": "1"}}, {"kept": "lab", "new": "1"}),
        ("json", [{"op": "replace", "path": "/data/owner", "value": "us"}], {"kept": "lab", "owner": "us"}),
    ],
)
def test_patch(
    admin: ClusterClient, namespace: str, settings: Object, patch_type: str, body: t.Any, data: Object
) -> None:
    version = settings["metadata"]["resourceVersion"]
    patched = admin.patch(CONFIG_MAP, "settings", body, namespace, patch_type=patch_type, resource_version=version)
    assert patched["data"] == data
    with pytest.raises(ApiError, match="The object was changed or replaced in the meantime") as stale:
        admin.patch(CONFIG_MAP, "settings", body, namespace, patch_type=patch_type, resource_version=version)
    assert (stale.value.status, stale.value.reason) == (409, "Conflict")


def test_delete(admin: ClusterClient, api_server: ApiServer, namespace: str, settings: Object) -> None:
    uid, version = settings["metadata"]["uid"], settings["metadata"]["resourceVersion"]
    with pytest.raises(ApiError, match="409 Conflict"):
        admin.delete(CONFIG_MAP, "settings", namespace, uid="of-its-predecessor")
    with pytest.raises(ApiError, match="409 Conflict"):
        admin.delete(CONFIG_MAP, "settings", namespace, resource_version="1")
    assert read(api_server, namespace) == settings
    assert admin.delete(CONFIG_MAP, "settings", namespace, uid=uid, resource_version=version)
    assert not admin.delete(CONFIG_MAP, "settings", namespace)


@pytest.mark.usefixtures("pod")
@pytest.mark.parametrize(("grace_period", "is_left"), [(None, True), (0, False)])
def test_the_grace_period_of_a_deletion_reaches_the_server(
    admin: ClusterClient, namespace: str, grace_period: int | None, is_left: bool
) -> None:
    admin.delete(POD, "database-0", namespace, grace_period=grace_period)
    assert (admin.get(POD, "database-0", namespace) is not None) == is_left


def test_a_budget_vetoes_an_eviction(admin: ClusterClient, api_server: ApiServer, namespace: str, pod: Object) -> None:
    api_server.rest.apply(budget_that_allows(0, namespace))
    answer = admin.evict("database-0", namespace, uid=pod["metadata"]["uid"])
    assert (answer.status, answer.reason, answer.transient) == (429, "TooManyRequests", True)
    assert [cause.reason for cause in answer.causes] == ["DisruptionBudget"]
    assert "The disruption budget database needs 1 healthy pods" in answer.causes[0].message
    assert admin.actions.as_data() == []


def test_a_trial_eviction_does_not_use_up_the_budget(
    admin: ClusterClient, api_server: ApiServer, namespace: str, pod: Object
) -> None:
    api_server.rest.apply(budget_that_allows(1, namespace))
    uid = pod["metadata"]["uid"]
    admin.dry_run = True
    assert admin.evict("database-0", namespace, uid=uid).ok
    assert admin.evict("database-0", namespace, uid=uid).ok
    admin.dry_run = False
    assert admin.get(POD, "database-0", namespace) == pod
    assert admin.evict("database-0", namespace, uid=uid, grace_period=0).ok
    assert admin.get(POD, "database-0", namespace) is None
    assert [action["dry_run"] for action in admin.actions.as_data()] == [True, True, False]


@pytest.mark.usefixtures("pod")
def test_a_successor_of_the_same_name_is_not_evicted(admin: ClusterClient, namespace: str) -> None:
    answer = admin.evict("database-0", namespace, uid="of-its-predecessor")
    assert (answer.status, answer.reason, answer.transient) == (409, "Conflict", False)


@pytest.mark.usefixtures("pod")
def test_two_budgets_over_one_pod_never_give_way(admin: ClusterClient, api_server: ApiServer, namespace: str) -> None:
    first = budget_that_allows(1, namespace)
    for budget in (first, {**first, "metadata": {**first["metadata"], "name": "another"}}):
        api_server.rest.apply(budget)
    answer = admin.evict("database-0", namespace)
    assert (answer.status, answer.transient) == (500, False)


TRIALS: dict[str, Callable[[ClusterClient, str], t.Any]] = {
    "create": lambda client, namespace: client.create(CONFIG_MAP, config_map("fresh", namespace)),
    "apply": lambda client, namespace: client.apply(config_map("settings", namespace, ours="1")),
    "patch": lambda client, namespace: client.patch(CONFIG_MAP, "settings", {"data": {"kept": "no"}}, namespace),
    "delete": lambda client, namespace: client.delete(CONFIG_MAP, "settings", namespace),
}


@pytest.mark.parametrize("verb", TRIALS)
def test_a_dry_run_changes_nothing(
    api_server: ApiServer, connect: t.Any, library: str, namespace: str, settings: Object, verb: str
) -> None:
    trial = connect(dry_run=True, kubeconfig=str(api_server.kubeconfig))
    mark = api_server.audit.mark()
    assert TRIALS[verb](trial, namespace)
    names = [item["metadata"]["name"] for item in trial.list_objects(CONFIG_MAP, namespace)]
    assert names == ["settings"], library
    assert read(api_server, namespace) == settings
    (action,) = trial.actions.as_data()
    assert (action["verb"], action["namespace"], action["dry_run"]) == (verb, namespace, True)
    audited = "patch" if verb == "apply" else verb
    assert api_server.audit.count(mark, verb=audited, resource="configmaps") == 1


@pytest.mark.parametrize("verb", TRIALS)
def test_one_write_may_be_a_trial_and_the_next_none(
    admin: ClusterClient, namespace: str, settings: Object, verb: str
) -> None:
    assert settings
    admin.dry_run = True
    TRIALS[verb](admin, namespace)
    admin.dry_run = False
    TRIALS[verb](admin, namespace)
    assert [action["dry_run"] for action in admin.actions.as_data()] == [True, False]


def test_the_server_refuses_a_trial_as_it_would_the_write(admin: ClusterClient, namespace: str) -> None:
    admin.dry_run = True
    with pytest.raises(ApiError, match="422 Invalid") as refused:
        admin.create(CONFIG_MAP, config_map("Not_A_Name", namespace))
    assert [cause.field for cause in refused.value.causes] == ["metadata.name"]
    assert admin.actions.as_data() == []
