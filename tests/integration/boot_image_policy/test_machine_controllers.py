# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the actor of the machine API's controllers does, case by case; the API server's CRDs judge what it writes.

No upstream can be built here: it asks a cloud. The cases are those of machine-api-operator's own tests
(pkg/controller/machineset/delete_policy_test.go, pkg/controller/machine/controller_test.go).
"""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.tests.integration.boot_image_policy.machine_controllers import (
    FIRST,
    ROOT,
    MachineControllers,
)
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.boot_images import machine_set

NAMESPACE = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "openshift-machine-api"}}
NAME = "workers"


@pytest.fixture
def client(server: ApiServer) -> RestClient:
    """The API without MachineSets and machines but those of the test."""
    for kind in ("machinesets", "machines"):
        server.rest.delete(f"{ROOT}/{kind}")
    return server.rest


def scaled(client: RestClient, replicas: int) -> None:
    client.apply(machine_set("aws", NAME, replicas=replicas))


def machines(client: RestClient) -> list[Json]:
    found: list[Json] = client.get(f"{ROOT}/machines")["items"]
    return sorted(found, key=lambda one: str(one["metadata"]["name"]))


def phases(client: RestClient) -> list[str]:
    return [one.get("status", {}).get("phase", "") for one in machines(client)]


def test_a_machine_comes_to_a_node_phase_by_phase_and_takes_it_along(client: RestClient) -> None:
    scaled(client, 1)
    seen: list[str] = []

    def is_running() -> bool:
        seen.extend(phase for phase in phases(client) if phase not in seen[-1:])
        return seen[-1:] == ["Running"]

    with MachineControllers(client):
        wait_for(is_running)
        (made,) = machines(client)
        node = made["status"]["nodeRef"]["name"]
        assert client.exists(f"/api/v1/nodes/{node}")
        scaled(client, 0)
        wait_for(lambda: not machines(client))
        assert not client.exists(f"/api/v1/nodes/{node}")
    came = [phase for phase in seen if phase]
    # Looks are further apart than some phases are long.
    assert came == [phase for phase in ("Provisioning", "Provisioned", "Running") if phase in came]
    (owner,) = made["metadata"]["ownerReferences"]
    assert (owner["kind"], owner["name"], owner["controller"]) == ("MachineSet", NAME, True)


@pytest.mark.parametrize(
    ("trouble", "phase"),
    [("fails", "Failed"), ("sleeps", "Provisioned")],
    ids=["an image that there is not", "an image that does not boot"],
)
def test_a_machine_in_trouble_stays_where_it_is_and_joins_nothing(client: RestClient, trouble: str, phase: str) -> None:
    scaled(client, 1)
    with MachineControllers(client, **{trouble: lambda _machine: True}):
        wait_for(lambda: phases(client) == [phase])
        (made,) = machines(client)
        assert "nodeRef" not in made["status"]
        assert bool(made["status"].get("errorReason")) is (trouble == "fails")


@pytest.mark.parametrize(
    ("marked", "failed", "gone"),
    [(None, None, 1), ("b", None, "b"), (None, "b", "b"), ("a", "b", "a")],
    ids=["any", "one that is marked", "one that failed", "one that is marked before one that failed"],
)
def test_what_goes_first(client: RestClient, marked: str | None, failed: str | None, gone: str | int) -> None:
    scaled(client, 2)
    with MachineControllers(client):
        wait_for(lambda: phases(client) == ["Running", "Running"])
    names = dict(zip("ab", (one["metadata"]["name"] for one in machines(client)), strict=True))
    if marked:
        client.merge(f"{ROOT}/machines/{names[marked]}", {"metadata": {"annotations": {FIRST: ""}}})
    if failed:
        status = {"phase": "Failed", "errorReason": "UpdateMachineError"}
        client.merge(f"{ROOT}/machines/{names[failed]}/status", {"status": status})
    scaled(client, 1)
    with MachineControllers(client):
        wait_for(lambda: len(machines(client)) == 1)
    (left,) = machines(client)
    if isinstance(gone, str):
        assert left["metadata"]["name"] != names[gone]
