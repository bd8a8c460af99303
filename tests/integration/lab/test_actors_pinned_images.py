# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The machine-config operator's pinned images: fetched, pinned and told of on every node of a pool."""

from __future__ import annotations

import functools
import typing as t
import uuid
from collections.abc import Iterator, Sequence

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.actors import pinned_images
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_node import NODES
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_operator import (
    machine_config_operator,
    reboot_objects,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS
from ansible_collections.fieldops.openshift.tests.lab.actors.pinned_images import SETS
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, managed_nodes, plant
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import pinned_image_set

QUAY = "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:"
FIRST, SECOND = (QUAY + digit * 64 for digit in "12")


class PlayedRuntime:
    """A node whose images are a list; the registry has those in ``available``."""

    def __init__(self, available: Sequence[str]) -> None:
        self.available = [*available]
        self.held: list[str] = []
        self.pinned: list[str] = []

    def holds(self, image: str) -> bool:
        return image in self.held

    def size(self, image: str) -> int:
        return len(image)

    def pull(self, image: str) -> None:
        if image not in self.available:
            raise LabError("pull", on=image, seen="manifest unknown", advice="None.")
        self.held.append(image)

    def pin(self, images: Sequence[str]) -> None:
        self.pinned = [*images]


@pytest.fixture(scope="module")
def own_server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as server:
        yield server


@pytest.fixture
def cluster(own_server: ApiServer, monkeypatch: pytest.MonkeyPatch) -> ApiServer:
    """A healthy cluster without hosts and without sets; what fails is tried again without much waiting."""
    monkeypatch.setattr(pinned_images, "Limits", functools.partial(pinned_images.Limits, pause=0.01, first_wait=0.01))
    for path in (POOLS, NODES, SETS, "/api/v1/nodes"):
        own_server.rest.delete(path)
    plant(own_server.rest, healthy_cluster("4.21.3", control_plane=1, workers=1))
    return own_server


@pytest.fixture
def client(cluster: ApiServer) -> RestClient:
    return cluster.rest


def test_the_images_of_all_sets_of_a_pool_are_fetched_and_pinned(cluster: ApiServer, client: RestClient) -> None:
    worker, master = PlayedRuntime([FIRST, SECOND]), PlayedRuntime([FIRST, SECOND])
    client.apply(pinned_image_set("release", "worker", [SECOND, FIRST]))
    client.apply(pinned_image_set("partner", "worker", [FIRST]))
    with machine_config_operator(cluster, reboot_objects(client), {"worker-0": worker, "master-0": master}):
        wait_for(lambda: [one["name"] for one in told(client, "worker-0")] == ["partner", "release"])
        wait_for(lambda: all(one.get("currentGeneration") == 1 for one in told(client, "worker-0")))
        wait_for(lambda: said(client, "worker-0", "PinnedImageSetsProgressing")["reason"] == "AsExpected")
    assert worker.pinned == [FIRST, SECOND]
    assert master.pinned == []
    assert said(client, "worker-0", "PinnedImageSetsDegraded")["status"] == "False"


def test_an_image_that_cannot_be_had_degrades_the_node_until_it_can(cluster: ApiServer, client: RestClient) -> None:
    runtime = PlayedRuntime([FIRST])
    client.apply(pinned_image_set("release", "worker", [FIRST, SECOND]))
    with machine_config_operator(cluster, reboot_objects(client), {"worker-0": runtime}):
        wait_for(lambda: said(client, "worker-0", "PinnedImageSetsDegraded")["reason"] == "PrefetchFailed")
        (failed,) = told(client, "worker-0")
        assert failed["lastFailedGeneration"] == 1
        assert SECOND in failed["lastFailedGenerationError"]
        assert runtime.pinned == []
        runtime.available.append(SECOND)
        wait_for(lambda: said(client, "worker-0", "PinnedImageSetsDegraded")["status"] == "False")
    assert runtime.pinned == [FIRST, SECOND]


def test_a_changed_set_is_followed_and_a_deleted_one_lets_go(cluster: ApiServer, client: RestClient) -> None:
    runtime = PlayedRuntime([FIRST, SECOND])
    client.apply(pinned_image_set("release", "worker", [FIRST]))
    with machine_config_operator(cluster, reboot_objects(client), {"worker-0": runtime}):
        wait_for(lambda: runtime.pinned == [FIRST])
        client.apply(pinned_image_set("release", "worker", [SECOND]))
        wait_for(lambda: runtime.pinned == [SECOND])
        wait_for(lambda: [one.get("currentGeneration") for one in told(client, "worker-0")] == [2])
        client.delete(f"{SETS}/release")
        wait_for(lambda: runtime.pinned == [])
        wait_for(lambda: told(client, "worker-0") == [])


def test_a_node_of_a_custom_pool_has_the_workers_sets_too(cluster: ApiServer, client: RestClient) -> None:
    runtime = PlayedRuntime([FIRST, SECOND])
    infra = managed_nodes("infra", 0)
    client.apply_all(infra)
    client.merge("/api/v1/nodes/worker-0", {"metadata": {"labels": {"node-role.kubernetes.io/infra": ""}}})
    client.apply(pinned_image_set("workers", "worker", [FIRST]))
    client.apply(pinned_image_set("infra", "infra", [SECOND]))
    with machine_config_operator(cluster, reboot_objects(client), {"worker-0": runtime}):
        wait_for(lambda: runtime.pinned == [FIRST, SECOND])


def test_pools_count_the_machines_that_have_their_images(cluster: ApiServer, client: RestClient) -> None:
    runtime = PlayedRuntime([])
    client.apply(pinned_image_set("release", "worker", [FIRST]))
    with machine_config_operator(cluster, reboot_objects(client), {"worker-0": runtime}):
        wait_for(lambda: said(client, "worker-0", "PinnedImageSetsDegraded")["reason"] == "PrefetchFailed")
        something_changes(client, "worker")
        wait_for(lambda: counted(client, "worker").get("updatedMachineCount") == 0)
        runtime.available.append(FIRST)
        wait_for(lambda: said(client, "worker-0", "PinnedImageSetsDegraded")["status"] == "False")
        something_changes(client, "worker")
        wait_for(lambda: counted(client, "worker").get("updatedMachineCount") == 1)


def told(client: RestClient, node: str) -> list[Json]:
    return client.get(f"{NODES}/{node}")["status"].get("pinnedImageSets") or []


def said(client: RestClient, node: str, kind: str) -> Json:
    conditions = client.get(f"{NODES}/{node}")["status"]["conditions"]
    return next((one for one in conditions if one["type"] == kind), {"status": "", "reason": ""})


def something_changes(client: RestClient, pool: str) -> None:
    """Change a pool: upstream's controller counts when a pool or a Node changes, not when a MachineConfigNode does."""
    client.merge(f"{POOLS}/{pool}", {"metadata": {"annotations": {"lab/changed": uuid.uuid4().hex}}})


def counted(client: RestClient, pool: str) -> Json:
    found = client.get(f"{POOLS}/{pool}")["status"].get("poolSynchronizersStatus") or [{}]
    return t.cast("Json", found[0])
