# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What actors and upstream's package make of the same words about a node, in the status of its MachineConfigNode."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_node import NODES, Said, report
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.go import program
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_config_node, rendered_name

NODE, POOL = "worker-0", "worker"
Word = tuple[Said, Said | None]
PREPARED = Said("UpdatePrepared", "True", "UpdatePrepared", "Update Compatible.")
NEEDED = Said("Updated", "False", "Updated", "Node worker-0 needs an update")
DONE = Said("Updated", "True", "Updated", "Node worker-0 Updated")
EXECUTED = Said("UpdateExecuted", "Unknown", "Cordoned", "Cordoned Node")
CORDONED = Said("Cordoned", "True", "UpdateExecutedCordoned", "Cordoned node.")
DRAINING = Said("UpdateExecuted", "Unknown", "Drained", "Draining Node")
DRAINED = Said("Drained", "Unknown", "UpdateExecutedDrained", "Draining node.")
FETCHING = Said("PinnedImageSetsProgressing", "True", "ImagePrefetch", "node is prefetching images: worker-0")
FAILING = Said("NodeDegraded", "True", "NodeDegraded", "Node worker-0 upgrade failure. no space left")

ROWS: dict[str, list[Word]] = {
    "an update in short": [(NEEDED, None), (PREPARED, None), (EXECUTED, CORDONED), (DRAINING, DRAINED), (DONE, None)],
    "the wanted configuration is kept back while it may not fit": [
        (NEEDED, None),
        (Said("UpdatePrepared", "Unknown", "UpdatePrepared", "Update Failed compatibility validation."), None),
    ],
    "a step without an update leaves the node updated": [(EXECUTED, CORDONED)],
    "so do images that are fetched": [(FETCHING, None)],
    "an update ends the fetching, too, whatever is lacking": [(FETCHING, None), (NEEDED, None), (DONE, None)],
    "what was said before is not said again, nor its part": [
        (EXECUTED, CORDONED),
        (EXECUTED, Said("Cordoned", "False", "UpdateExecutedCordoned", "other")),
    ],
    "what pins say is said again": [(FETCHING, None), (FETCHING, None)],
    "a failure ends with the next update": [(NEEDED, None), (FAILING, None), (DONE, None)],
}
STATES = {"at rest": True, "with nothing said yet": False}


@pytest.fixture(scope="module")
def cluster() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as server:
        plant(server.rest, healthy_cluster("4.21.3", control_plane=0, workers=1))
        wanted = {"machineconfiguration.openshift.io/desiredConfig": rendered_name(POOL, "4.21.5")}
        server.rest.merge(f"/api/v1/nodes/{NODE}", {"metadata": {"annotations": wanted}})
        yield server


def begin(client: RestClient, *, at_rest: bool) -> None:
    """Make the MachineConfigNode, with or without a status."""
    client.delete(NODES)
    made = machine_config_node(NODE, POOL)
    client.apply(made if at_rest else {key: value for key, value in made.items() if key != "status"})


def by_actor(server: ApiServer, words: list[Word]) -> list[Json]:
    node, seen = server.rest.get(f"/api/v1/nodes/{NODE}"), []
    for parent, child in words:
        report(server.rest, node, parent, child)
        seen.append(server.rest.get(f"{NODES}/{NODE}")["status"])
    return seen


def by_upstream(server: ApiServer, words: list[Word]) -> list[Json]:
    said = [{"parent": _as_json(parent), "child": child and _as_json(child)} for parent, child in words]
    command = [str(program("daemon-parts")), "machine-config-node", f"--kubeconfig={server.kubeconfig}"]
    done = subprocess.run(
        [*command, f"--node={NODE}", f"--pool={POOL}"],
        input=json.dumps(said),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    seen: list[Json] = json.loads(done.stdout)
    return seen


def _as_json(one: Said) -> Json:
    return {"state": one.kind, "status": one.status, "reason": one.reason, "message": one.message}


def timeless(status: Json) -> Json:
    """Return a status by type of condition and without times, which count whole seconds."""
    conditions = {one["type"]: (one["status"], one["reason"], one["message"]) for one in status["conditions"]}
    return {**status, "conditions": conditions}


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", ROWS)
def test_both_leave_the_same_after_each_word(cluster: ApiServer, name: str, state: str) -> None:
    seen = []
    for peer in (by_actor, by_upstream):
        begin(cluster.rest, at_rest=STATES[state])
        seen.append([timeless(one) for one in peer(cluster, ROWS[name])])
    assert seen[0] == seen[1]


def test_the_end_of_an_update_says_that_no_step_is_under_way_any_more(cluster: ApiServer) -> None:
    begin(cluster.rest, at_rest=True)
    last = timeless(by_upstream(cluster, ROWS["an update in short"])[-1])
    assert {kind for kind, said in last["conditions"].items() if said[0] != "False"} == {"Updated"}
    assert last["conditions"]["Drained"][2] == f"Action during update to {rendered_name(POOL)}: {DRAINED.message}"
