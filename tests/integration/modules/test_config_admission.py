# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""By choice, configurations that anybody applies are refused too while change of their pools is not permitted."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator
from functools import partial

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import (
    CONFIG_MAPS,
    NAMESPACE,
    assignments,
    enforce,
)
from ansible_collections.fieldops.openshift.tests.integration.shipped_rights import shipped
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_config_with_file

GROUP = "/apis/machineconfiguration.openshift.io/v1"
STATE = f"{CONFIG_MAPS}/change-state"
OPEN, CLOSED = "Permissive", "Restrictive"
ROLE = "machineconfiguration.openshift.io/role"
REFUSED = "change of the affected pools is not permitted now"
MADE_UP = {
    "manager": "elsewhere",
    "operation": "Update",
    "apiVersion": "machineconfiguration.openshift.io/v1",
    "time": "2026-11-25T00:00:00Z",
    "fieldsType": "FieldsV1",
    "fieldsV1": {"f:spec": {"f:fips": {}}},
}


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    """A cluster in which workers are closed, and the control plane, which nothing governs, is open."""
    with ApiServer.start_openshift() as running:
        plant(running.rest, healthy_cluster("4.21.3", control_plane=3, workers=2))
        running.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
        running.rest.apply(assignments(worker=CLOSED))
        enforce(running)
        for document in shipped("change-enforcement-configs.yml"):
            running.rest.apply(document)
        wait_for(lambda: REFUSED in refusal(running.rest, file_of("worker")), 60)
        yield running


@pytest.fixture
def site(server: ApiServer) -> ApiServer:
    decide(server, worker=CLOSED)
    return server


def decide(server: ApiServer, **stanzas: str) -> None:
    """Let the cluster keep these stanzas, and the API server see what is published of them."""
    server.rest.apply(assignments(**stanzas))
    enforce(server)
    for pool, stanza in stanzas.items():
        body, closed = file_of(pool), stanza == CLOSED
        wait_for(partial(_is_refused, server.rest, body, refused=closed), 60)


def _is_refused(client: RestClient, body: Json, *, refused: bool) -> bool:
    return bool(refusal(client, body)) is refused


def file_of(role: str, name: str = "50-file", content: str = "one") -> Json:
    return machine_config_with_file(name, role, "/etc/file", content)


def kubelet_config(name: str = "pods", **selector: t.Any) -> Json:
    spec = {"machineConfigPoolSelector": selector, "kubeletConfig": {"podPidsLimit": 4096}}
    kind = {"apiVersion": "machineconfiguration.openshift.io/v1", "kind": "KubeletConfig"}
    return {**kind, "metadata": {"name": name}, "spec": spec}


def of_pool(pool: str) -> Json:
    return kubelet_config(matchLabels={f"pools.operator.machineconfiguration.openshift.io/{pool}": ""})


def refusal(client: RestClient, body: Json) -> str:
    """Return why a trial of creating an object is refused, nothing where it is not."""
    plural = {"MachineConfig": "machineconfigs", "KubeletConfig": "kubeletconfigs"}[body["kind"]]
    try:
        client.create(f"{GROUP}/{plural}", body, dryRun="All")
    except LabApiError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("body", "refused"),
    [
        pytest.param(file_of("worker"), True, id="of a closed pool"),
        pytest.param(file_of("master"), False, id="of a pool that nothing governs"),
        pytest.param(file_of("of-no-pool"), False, id="of a role that no pool takes"),
        pytest.param(of_pool("worker"), True, id="kubelets of a closed pool"),
        pytest.param(of_pool("master"), False, id="kubelets of a pool that nothing governs"),
        pytest.param(kubelet_config(matchLabels={"own": "label"}), True, id="kubelets of pools that cannot be told"),
        pytest.param(
            {**file_of("worker"), "metadata": {**file_of("worker")["metadata"], "managedFields": [MADE_UP]}},
            True,
            id="made-up times",
        ),
    ],
)
def test_what_may_be_applied_now(site: ApiServer, body: Json, refused: bool) -> None:
    assert (REFUSED in refusal(site.rest, body)) is refused
    if not refused:
        assert refusal(site.rest, body) == ""


def update(client: RestClient, path: str, body: Json) -> None:
    """Carry an update out; a second one within a second carries no time of its own, and is sent again."""

    def done() -> bool:
        try:
            client.merge(path, body)
        except LabApiError as error:
            if "a second update within a second" in str(error):
                return False
            raise
        return True

    wait_for(done)


def test_while_change_is_permitted_it_is_applied_changed_and_let_go(site: ApiServer) -> None:
    path = f"{GROUP}/machineconfigs/50-kept"
    decide(site, worker=OPEN)
    site.rest.create(f"{GROUP}/machineconfigs", file_of("worker", "50-kept"))
    update(site.rest, path, {"spec": {"fips": False}})
    decide(site, worker=CLOSED)
    with pytest.raises(LabApiError, match=REFUSED):
        site.rest.merge(path, {"spec": {"kernelArguments": ["audit=1"]}})
    with pytest.raises(LabApiError, match=REFUSED):
        site.rest.merge(path, {"metadata": {"labels": {ROLE: "of-no-pool"}}})
    site.rest.merge(path, {"metadata": {"annotations": {"of": "no node"}}})
    decide(site, worker=OPEN)
    with pytest.raises(LabApiError, match="a pure removal carries no time"):
        site.rest.merge(path, {"spec": {"fips": None}})
    update(site.rest, path, {"metadata": {"annotations": {"of": "this removal"}}, "spec": {"fips": None}})
    with pytest.raises(LabApiError, match="a deletion carries no time; first remove the pool from the role label"):
        site.rest.delete(path)
    update(site.rest, path, {"metadata": {"labels": {ROLE: "of-no-pool"}}})
    site.rest.delete(path)
    assert not site.rest.exists(path)


def test_a_rendered_configuration_is_nobodys_change(site: ApiServer) -> None:
    """What operators write besides is seen with the real ones, in the folder machine_config."""
    rendered: Json = file_of("worker", f"rendered-worker-{'0a' * 16}")
    rendered["metadata"].pop("labels")
    assert refusal(site.rest, rendered) == ""


def test_a_dead_publisher_closes_what_is_governed_and_nothing_else(site: ApiServer) -> None:
    decide(site, worker=OPEN)
    site.rest.merge(STATE, {"data": {"published": "2020-01-01T00:00:00Z", "expires": "2020-01-01T01:00:00Z"}})
    wait_for(lambda: "the published state has expired" in refusal(site.rest, file_of("worker")), 60)
    assert refusal(site.rest, file_of("master")) == ""
    site.rest.delete(STATE)
    wait_for(lambda: refusal(site.rest, file_of("worker")) == "", 60)
