# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Pools of the seed say of themselves what the real node controller would say."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_pools import POOLS
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.machine_config_controller import machine_config_controller
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, managed_nodes, plant

SIZES = {"master": 3, "worker": 2, "infra": 1, "empty": 0}


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as started:
        plant(started.rest, healthy_cluster("4.21.3", control_plane=SIZES["master"], workers=SIZES["worker"]))
        for pool in ("infra", "empty"):
            plant(started.rest, managed_nodes(pool, SIZES[pool]))
        yield started


def said(client: RestClient, pool: str) -> Json:
    """Return the status of a pool; of conditions what they say, and not since when."""
    status = client.get(f"{POOLS}/{pool}")["status"]
    conditions = {one["type"]: (one["status"], one["reason"], one["message"]) for one in status["conditions"]}
    return {**status, "conditions": conditions}


def test_the_real_controller_says_the_same(server: ApiServer) -> None:
    client = server.rest
    seeded = {pool: said(client, pool) for pool in SIZES}
    for pool in SIZES:
        client.merge(f"{POOLS}/{pool}/status", {"status": {"machineCount": 9, "observedGeneration": 0}})
    with machine_config_controller(server):
        wait_for(lambda: all(said(client, pool)["observedGeneration"] > 0 for pool in SIZES))
        assert {pool: said(client, pool) for pool in SIZES} == seeded
