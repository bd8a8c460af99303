# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What people read when the server says no."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import (
    CONFIG_MAP,
    MACHINE_CONFIG_POOL,
    NODE,
    SECRET,
)
from ansible_collections.fieldops.openshift.tests.integration.cluster.objects import config_map
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer


@pytest.fixture
def technician(api_server: ApiServer, connect: t.Any, library: str) -> ClusterClient:
    """A user without any rights."""
    assert library
    token = api_server.token_of("technician")
    client: ClusterClient = connect(host=api_server.url, ca_cert=str(api_server.ca_file), api_key=token)
    return client


def test_unauthorized(api_server: ApiServer, connect: t.Any, library: str) -> None:
    client = connect(host=api_server.url, ca_cert=str(api_server.ca_file), api_key="canary-of-a-wrong-token")
    with pytest.raises(ApiError) as refused:
        client.get(NODE, "worker-0")
    assert str(refused.value) == (
        f"Could not get Node worker-0 on the API server 127.0.0.1:{api_server.port}: 401 Unauthorized. "
        "The server does not accept the credentials: they are missing, wrong or expired. "
        "Log in again and renew the token or the kubeconfig."
    ), library
    assert not refused.value.transient


def test_forbidden(technician: ClusterClient, api_server: ApiServer) -> None:
    with pytest.raises(ApiError) as refused:
        technician.list_objects(MACHINE_CONFIG_POOL)
    assert str(refused.value) == (
        f"Could not list MachineConfigPool on the API server 127.0.0.1:{api_server.port}: 403 Forbidden: "
        'machineconfigpools.machineconfiguration.openshift.io is forbidden: User "technician" cannot list resource '
        '"machineconfigpools" in API group "machineconfiguration.openshift.io" at the cluster scope. '
        'Bind a role to user "technician" that allows the verb "list" on "machineconfigpools" of API group '
        '"machineconfiguration.openshift.io" in the whole cluster, or use other credentials.'
    )


def test_forbidden_in_a_namespace(technician: ClusterClient, namespace: str) -> None:
    with pytest.raises(ApiError) as refused:
        technician.apply(config_map("a", namespace))
    assert refused.value.advice == (
        f'Bind a role to user "technician" that allows the verb "patch" on "configmaps" in namespace "{namespace}", '
        "or use other credentials."
    )


def test_forbidden_is_data_for_who_asks_for_data(technician: ClusterClient, namespace: str) -> None:
    answer = technician.attempt(Call("get", SECRET, "a", namespace))
    assert (answer.status, answer.reason, answer.transient, answer.absent) == (403, "Forbidden", False, False)


def test_a_missing_namespace(admin: ClusterClient) -> None:
    with pytest.raises(ApiError, match=r"Create the namespace nowhere first\."):
        admin.create(CONFIG_MAP, config_map("a", "nowhere"))


def test_invalid_fields_are_named(admin: ClusterClient) -> None:
    pool = {
        "apiVersion": "machineconfiguration.openshift.io/v1",
        "kind": "MachineConfigPool",
        "metadata": {"name": "worker"},
        "spec": {"paused": "yes"},
    }
    with pytest.raises(ApiError, match=r"422 Invalid: .*spec\.paused.*Correct the named fields") as refused:
        admin.create(MACHINE_CONFIG_POOL, pool)
    assert "spec.paused" in {cause.field for cause in refused.value.causes}
    assert refused.value.status == 422


def test_fields_that_do_not_exist_are_refused_by_apply(admin: ClusterClient, namespace: str) -> None:
    with pytest.raises(ApiError, match=r"500: .*\.data\.nested: expected string") as refused:
        admin.apply({**config_map("a", namespace), "data": {"nested": {"a": "b"}}})
    assert not refused.value.transient
