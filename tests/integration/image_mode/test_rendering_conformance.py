# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The same MachineConfigs to the actor of the render controller and to upstream's: what is rendered of them.

Each row is a pool of its own; all are rendered at the same time, as upstream lets changes settle for five seconds.
"""

from __future__ import annotations

import contextlib
import typing as t
from dataclasses import dataclass, field

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_os_config_rendering import (
    CONFIGS,
    OVERRIDDEN,
    RenderController,
)
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.machine_config_controller import machine_config_controller
from ansible_collections.fieldops.openshift.tests.lab.seed.cluster import infrastructure, release_image
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import ROLE_LABEL

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient

API_VERSION = "machineconfiguration.openshift.io/v1"
ROW_LABEL = "lab.fieldops.example/row"
RELEASE = release_image("4.21.3")
OTHER, ANOTHER = (f"quay.io/example/os@sha256:{digit * 64}" for digit in "12")
NOTHING: t.Final[Json] = {
    "baseOSExtensionsContainerImage": "",
    "config": {"ignition": {"version": "3.5.0"}},
    "extensions": [],
    "fips": False,
    "kernelArguments": [],
    "kernelType": "default",
    "osImageURL": RELEASE,
}
SECONDS = 30.0


def files(*wanted: tuple[str, str], **options: t.Any) -> Json:
    """An Ignition configuration of files with a path and a content each."""
    made = [{"path": path, "contents": {"source": f"data:,{content}"}, **options} for path, content in wanted]
    return {"ignition": {"version": "3.2.0"}, "storage": {"files": made}}


def rendered_files(*wanted: tuple[str, str]) -> Json:
    """What becomes of them: the latest version, and every file is written over what is there."""
    return {**files(*wanted, overwrite=True), "ignition": {"version": "3.5.0"}}


@dataclass(frozen=True)
class Row:
    """MachineConfigs by name, workers' or those of the row's own pool, and what differs from ``NOTHING`` in the end."""

    own: dict[str, Json] = field(default_factory=dict)
    workers: dict[str, Json] = field(default_factory=dict)
    wanted: Json = field(default_factory=dict)


ROWS = {
    "nothing but a name": Row({"00": {}}),
    "an image": Row({"00": {}, "50": {"osImageURL": OTHER}}, wanted={"osImageURL": OTHER}),
    "the last name has the last word": Row(
        {"60": {"osImageURL": OTHER}, "50": {"osImageURL": ANOTHER}, "70": {"osImageURL": ""}},
        wanted={"osImageURL": OTHER},
    ),
    "a pool's own has it over the workers', whatever these are called": Row(
        {"00": {"osImageURL": OTHER}}, {"99": {"osImageURL": ANOTHER}}, {"osImageURL": OTHER}
    ),
    "the release's image is no override": Row({"00": {"osImageURL": RELEASE}}),
    "arguments and extensions are put together in that order": Row(
        {"00": {"kernelArguments": ["b"], "extensions": ["usbguard"]}, "10": {"kernelArguments": ["a", "b"]}},
        {"99": {"kernelArguments": ["c"], "extensions": ["ipsec"]}},
        {"kernelArguments": ["c", "b", "a", "b"], "extensions": ["ipsec", "usbguard"]},
    ),
    "a kernel that is not the default": Row(
        {"00": {"kernelType": "realtime"}, "50": {"kernelType": "default"}}, wanted={"kernelType": "realtime"}
    ),
    "FIPS cannot be taken back": Row({"00": {"fips": True}, "50": {"fips": False}}, wanted={"fips": True}),
    "files": Row(
        {"00": {"config": files(("/etc/a", "1"))}, "50": {"config": files(("/etc/b", "2"))}},
        wanted={"config": rendered_files(("/etc/a", "1"), ("/etc/b", "2"))},
    ),
    "a file that is asked for twice": Row(
        {"00": {"config": files(("/etc/a", "1"), ("/etc/b", "2"))}, "50": {"config": files(("/etc/a", "3"))}},
        wanted={"config": rendered_files(("/etc/a", "3"), ("/etc/b", "2"))},
    ),
}
EMPTY = "row-empty"
PEERS: dict[str, t.Callable[[ApiServer], t.ContextManager[t.Any]]] = {
    "actor": lambda server: RenderController(server.rest, RELEASE),
    "real": lambda server: machine_config_controller(server, renders=True),
}


def pool_of(name: str) -> str:
    return f"row-{[*ROWS].index(name)}"


def prepare(client: RestClient, pool: str, configs: list[tuple[str, str, Json]]) -> None:
    """Make a pool and its MachineConfigs: role, name and what is in it."""
    for role, name, spec in configs:
        metadata = {"name": f"{name}-{pool}", "labels": {ROLE_LABEL: role, ROW_LABEL: pool}}
        made = {"apiVersion": API_VERSION, "kind": "MachineConfig", "metadata": metadata}
        client.apply({**made, "spec": {"config": {"ignition": {"version": "3.2.0"}}, **spec}})
    roles = {"key": ROLE_LABEL, "operator": "In", "values": ["worker", pool]}
    spec = {
        "machineConfigSelector": {"matchLabels": {ROW_LABEL: pool}, "matchExpressions": [roles]},
        "nodeSelector": {"matchLabels": {f"node-role.kubernetes.io/{pool}": ""}},
    }
    kind = {"apiVersion": API_VERSION, "kind": "MachineConfigPool", "metadata": {"name": pool}}
    client.apply({**kind, "spec": spec})


@pytest.fixture(scope="module")
def own_server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as server:
        server.rest.apply(infrastructure("None"))
        yield server


@pytest.fixture(scope="module", params=PEERS)
def cluster(request: pytest.FixtureRequest, own_server: ApiServer) -> Iterator[RestClient]:
    """All rows, rendered by one peer, which stays at work."""
    client = own_server.rest
    for path in (POOLS, CONFIGS):
        client.delete(path)
    for name, row in ROWS.items():
        pool = pool_of(name)
        own = [(pool, one, spec) for one, spec in row.own.items()]
        prepare(client, pool, [*own, *(("worker", one, spec) for one, spec in row.workers.items())])
    prepare(client, EMPTY, [])
    with contextlib.ExitStack() as running:
        running.enter_context(PEERS[request.param](own_server))
        wait_for(lambda: all(target(client, pool_of(name)) for name in ROWS), SECONDS)
        yield client


def target(client: RestClient, pool: str) -> str:
    """Return the name of the configuration that a pool shall have, empty while it has none."""
    return str(client.get(f"{POOLS}/{pool}")["spec"].get("configuration", {}).get("name", ""))


@pytest.mark.parametrize("name", ROWS)
def test_a_pool_is_rendered_as_its_row_says(cluster: RestClient, name: str) -> None:
    row, pool = ROWS[name], cluster.get(f"{POOLS}/{pool_of(name)}")
    rendered = cluster.get(f"{CONFIGS}/{target(cluster, pool_of(name))}")
    assert rendered["spec"] == {**NOTHING, **row.wanted}
    source = [f"{one}-{pool_of(name)}" for one in (*sorted(row.workers), *sorted(row.own))]
    assert [one["name"] for one in pool["spec"]["configuration"]["source"]] == source
    (owner,) = rendered["metadata"]["ownerReferences"]
    assert (owner["kind"], owner["uid"], owner["controller"]) == ("MachineConfigPool", pool["metadata"]["uid"], True)
    overridden = rendered["metadata"].get("annotations", {}).get(OVERRIDDEN)
    assert overridden == ("true" if "osImageURL" in row.wanted else None)


def test_a_pool_without_machine_configs_is_degraded(cluster: RestClient) -> None:
    def said() -> Json:
        conditions = cluster.get(f"{POOLS}/{EMPTY}").get("status", {}).get("conditions", [])
        return next((one for one in conditions if one["type"] == "RenderDegraded"), {})

    wait_for(lambda: said().get("status") == "True", SECONDS)
    assert said()["message"].startswith(f"Failed to render configuration for pool {EMPTY}: no MachineConfigs found")
    assert target(cluster, EMPTY) == ""


def test_what_is_taken_back_has_the_name_of_before(cluster: RestClient) -> None:
    pool, last = pool_of("nothing but a name"), f"{CONFIGS}/90-{pool_of('nothing but a name')}"
    before = target(cluster, pool)
    prepare(cluster, pool, [(pool, "90", {"osImageURL": OTHER})])
    wait_for(lambda: target(cluster, pool) != before, SECONDS)
    cluster.delete(last)
    wait_for(lambda: target(cluster, pool) == before, SECONDS)
    assert [one["name"] for one in cluster.get(f"{POOLS}/{pool}")["spec"]["configuration"]["source"]] == [f"00-{pool}"]
