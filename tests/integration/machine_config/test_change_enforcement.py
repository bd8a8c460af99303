# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What anybody applies on a closed day is rendered by the real controllers, and rolled out when change is permitted."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do import override_task
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.enforce import carry_out
from ansible_collections.fieldops.openshift.plugins.modules import change_enforcement, change_override
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import (
    NAMESPACE,
    assignments,
    client_of,
    shipped,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.errors import LabApiError
from ansible_collections.fieldops.openshift.tests.lab.machine_config.first_state import (
    CONFIGS,
    configuration_of,
    settle,
)
from ansible_collections.fieldops.openshift.tests.lab.machine_config.processes import VERSION, operator_processes
from ansible_collections.fieldops.openshift.tests.lab.machine_config.reading import content_of
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_config_with_file

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

DESIRED = "machineconfiguration.openshift.io/desiredConfig"
ROUNDS = 60.0


@pytest.fixture(scope="module")
def site() -> Iterator[ApiServer]:
    """A cluster that belongs to the real operator and controller, its workers closed, the admission policy in force."""
    with ApiServer.start_openshift() as server:
        plant(server.rest, healthy_cluster(VERSION, control_plane=1, workers=2))
        server.rest.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}})
        with operator_processes(server):
            settle(server.rest)
            server.rest.apply(assignments(worker="Restrictive"))
            enforce(server)
            for document in shipped("change-enforcement.yml"):
                server.rest.apply(document)
            yield server


def defaults(spec: t.Any, **given: t.Any) -> Json:
    return {**{name: option.get("default") for name, option in spec.options.items()}, **given}


def enforce(site: ApiServer) -> None:
    with client_of(site) as client:
        carry_out(client, defaults(change_enforcement.SPEC))


def permit(site: ApiServer) -> None:
    with client_of(site) as client:
        asked = {"pools": ["worker"], "strategy": "Permissive", "duration": "1h", "why": "agreed"}
        override_task.carry_out(client, defaults(change_override.SPEC, **asked))
    enforce(site)


def rendered(client: RestClient) -> str:
    """Return the name of the workers' configuration once it has the file of the test, else nothing."""
    pool = client.get(f"{POOLS}/worker")
    found = content_of(configuration_of(client, pool), "/etc/test")
    return str(pool["spec"]["configuration"]["name"]) if found else ""


def desired(client: RestClient) -> list[str]:
    workers = client.get("/api/v1/nodes", labelSelector="node-role.kubernetes.io/worker")["items"]
    return [node["metadata"]["annotations"][DESIRED] for node in workers]


def opened_by_hand(client: RestClient) -> bool:
    try:
        client.merge(f"{POOLS}/worker", {"spec": {"paused": False}}, dryRun="All")
    except LabApiError as error:
        if "change of MachineConfigPool.worker is not permitted now" in str(error):
            return False
        raise
    return True


def test_what_is_applied_on_a_closed_day_waits_until_change_is_permitted(site: ApiServer) -> None:
    client = site.rest
    before = desired(client)
    client.apply(machine_config_with_file("50-test", "worker", "/etc/test", "on a closed day"))
    wait_for(lambda: rendered(client) != "", ROUNDS)
    target = rendered(client)
    # The controller has seen the pool with its new configuration, and has begun no node of it.
    wait_for(lambda: client.get(f"{POOLS}/worker")["status"].get("updatedMachineCount") == 0, ROUNDS)
    assert desired(client) == before
    wait_for(lambda: not opened_by_hand(client), ROUNDS)
    permit(site)
    wait_for(lambda: target in desired(client), ROUNDS)
    assert desired(client).count(target) == 1, "one after another, as the pool says"
    assert client.exists(f"{CONFIGS}/50-test")
