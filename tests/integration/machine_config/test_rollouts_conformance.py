# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The same DaemonSets and Deployments to the actor and to Kubernetes' controllers over nodes without hosts."""

from __future__ import annotations

import contextlib
import typing as t
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.control_plane import start_controller_manager, start_scheduler
from ansible_collections.fieldops.openshift.tests.lab.kwok import start_kwok, without_host
from ansible_collections.fieldops.openshift.tests.lab.machine_config.rollouts import WORKLOADS, Rollouts
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed import nodes
from ansible_collections.fieldops.openshift.tests.lab.seed.boot_images import MACHINE_CONFIG

SECONDS = 60.0
NOT_COPIED = ("conditions", "terminatingReplicas")  # the latter is new in Kubernetes 1.33


@dataclass(frozen=True)
class Row:
    """A workload on one control-plane node and two workers, and its counts in the end."""

    kind: str
    counts: dict[str, int]
    selector: dict[str, str] = field(default_factory=dict)
    replicas: int = 0


def daemons(count: int) -> dict[str, int]:
    counts = dict.fromkeys(("currentNumberScheduled", "desiredNumberScheduled", "numberReady"), count)
    some = dict.fromkeys(("numberAvailable", "updatedNumberScheduled"), count) if count else {}
    return {**counts, **some, "numberMisscheduled": 0}


def replicas(count: int) -> dict[str, int]:
    kinds = ("replicas", "updatedReplicas", "readyReplicas", "availableReplicas")
    return dict.fromkeys(kinds, count) if count else {}


ROWS = {
    "daemons-everywhere": Row("DaemonSet", daemons(3)),
    "daemons-of-the-control-plane": Row("DaemonSet", daemons(1), {"node-role.kubernetes.io/master": ""}),
    "daemons-nowhere": Row("DaemonSet", daemons(0), {"node-role.kubernetes.io/none": ""}),
    "one": Row("Deployment", replicas(1), replicas=1),
    "two": Row("Deployment", replicas(2), replicas=2),
    "none": Row("Deployment", replicas(0)),
}


def workload(name: str, row: Row, image: str) -> Json:
    labels = {"app": name}
    pod = {
        "containers": [{"name": "main", "image": image}],
        "nodeSelector": row.selector,
        "tolerations": [{"operator": "Exists"}],
    }
    template = {"metadata": {"labels": labels}, "spec": pod}
    spec: Json = {"selector": {"matchLabels": labels}, "template": template}
    if row.kind == "Deployment":
        spec["replicas"] = row.replicas
    metadata = {"name": name, "namespace": MACHINE_CONFIG}
    return {"apiVersion": "apps/v1", "kind": row.kind, "metadata": metadata, "spec": spec}


@contextlib.contextmanager
def kubernetes(server: ApiServer) -> Iterator[None]:
    """Run Kubernetes' controllers and scheduler; kwok lets pods look as if they ran."""
    started = [start_controller_manager(server), start_scheduler(server), start_kwok(server)]
    try:
        yield
    finally:
        for process in started:
            process.kill()


PEERS: dict[str, t.Callable[[ApiServer], t.ContextManager[t.Any]]] = {
    "actor": lambda server: Rollouts(server.rest),
    "real": kubernetes,
}


@pytest.fixture(scope="module", params=PEERS)
def cluster(request: pytest.FixtureRequest) -> Iterator[RestClient]:
    with ApiServer.start_openshift() as server:
        client = server.rest
        client.apply({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": MACHINE_CONFIG}})
        made = [nodes.node("master", 0), *(nodes.node("worker", number) for number in range(2))]
        client.apply_all(without_host(one) for one in made)
        with PEERS[request.param](server):
            for image in ("quay.io/x/y:1", "quay.io/x/y:2"):
                client.apply_all(workload(name, row, image) for name, row in ROWS.items())
                wait_for(lambda: all(status(client, name) == wanted(client, name) for name in ROWS), SECONDS)
            yield client


def found(client: RestClient, name: str) -> Json:
    return client.get(f"{WORKLOADS}/{ROWS[name].kind.lower()}s/{name}")


def status(client: RestClient, name: str) -> Json:
    said = found(client, name).get("status", {})
    return {key: value for key, value in said.items() if key not in NOT_COPIED}


def wanted(client: RestClient, name: str) -> Json:
    return {**ROWS[name].counts, "observedGeneration": found(client, name)["metadata"]["generation"]}


@pytest.mark.parametrize("name", ROWS)
def test_a_rollout_ends_with_the_counts_of_its_row(cluster: RestClient, name: str) -> None:
    assert found(cluster, name)["metadata"]["generation"] == 2
    assert status(cluster, name) == wanted(cluster, name)
