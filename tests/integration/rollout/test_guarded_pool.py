# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Permission is asked for the pool that is about to be changed, on a cluster whose pools have a stanza each."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.journal_entries import new_journal
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import NodeRecord
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import assignments
from ansible_collections.fieldops.openshift.tests.integration.rollout.object_site import (
    OLD,
    POOLS,
    WAITS,
    ObjectSite,
)
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import managed_nodes, plant

OPEN, CLOSED = "Permissive", "Restrictive"


@pytest.fixture
def site(server: ApiServer, tmp_path: Path, request: pytest.FixtureRequest) -> ObjectSite:
    """A cluster with a further pool, infra, whose node is younger than the workers."""
    name = request.node.name.partition("[")[0].replace("_", "-")
    site = ObjectSite(server, tmp_path, name)
    plant(site.rest, infra_pool())
    site.pause("infra")
    site.give_next("infra")
    return site


def infra_pool() -> list[Json]:
    objects = managed_nodes("infra", 1, OLD)
    for one in objects:
        if one["kind"] == "Node":
            one["metadata"]["labels"]["node-role.kubernetes.io/infra"] = ""
    return objects


def is_paused(site: ObjectSite, pool: str) -> bool:
    return bool(site.rest.get(f"{POOLS}/{pool}")["spec"].get("paused"))


@pytest.mark.parametrize("first", ["infra", "worker"])
def test_only_the_pool_that_may_be_changed_is_opened(site: ObjectSite, first: str) -> None:
    """Pools are opened by name, infra before worker; the oldest node, which is chosen first, is a worker."""
    stanzas = dict.fromkeys(("master", "worker", "infra"), CLOSED) | {first: OPEN}
    site.rest.apply(assignments(**stanzas))
    with site.operator():
        run = site.run("pool", site_pools=["infra", "worker"])
    assert WAITS in run.stdout
    rebooted = {name.partition("-")[0] for name in site.reboots}
    # Pools follow one another: where infra must wait, so must what comes after it.
    assert rebooted == ({"infra"} if first == "infra" else set()), run.stdout
    assert is_paused(site, "worker")


def test_what_was_broken_before_the_operator_began_does_not_hold_the_pool_up(site: ObjectSite) -> None:
    # Unlike DiskPressure it does not keep the operator from choosing the node.
    long_ago = {"type": "MemoryPressure", "status": "True", "lastTransitionTime": "2026-03-01T00:00:00Z"}
    status = site.node("infra-0")["status"]
    kept = [one for one in status["conditions"] if one["type"] != long_ago["type"]]
    site.rest.merge("/api/v1/nodes/infra-0/status", {"status": {"conditions": [*kept, long_ago]}})
    site.rest.apply(assignments(master=OPEN, worker=OPEN, infra=OPEN))
    # The rollout looks every five seconds: the node comes and goes between two looks.
    with site.operator():
        run = site.run("pool", site_pools=["infra"])
    assert run.returncode == 0, run.stdout
    entry = site.journal()["infra-0"]
    assert (entry["phase"], entry["broken"]) == ("done", ["MemoryPressure"]), run.stdout


def test_a_pool_does_not_start_if_its_nodes_took_longer_in_an_earlier_rollout(site: ObjectSite) -> None:
    times = {"draining": "2026-03-01T20:00:00.000000Z", "done": "2026-03-02T00:00:00.000000Z"}
    took_long = NodeRecord("done", times["done"], times=times)
    earlier = new_journal("earlier", "t", times["draining"], "job 7", {"infra-0": took_long})
    damaged = new_journal("damaged", "t", times["draining"], "job 6", {}) | {"data": {"schemaVersion": "99"}}
    for journal in (earlier, damaged):
        site.rest.apply({"apiVersion": "v1", "kind": "ConfigMap", **journal})
    until = (datetime.now(timezone.utc) + timedelta(hours=2)).strftime("%Y-%m-%dT%H:%M:%SZ")
    closes_soon = {"strategy": "PermissiveUntil", "permissiveUntil": until}
    site.rest.apply(assignments(master=OPEN, worker=OPEN, infra=closes_soon))
    with site.operator():
        run = site.run("pool", site_pools=["infra"])
    assert "the nodes of pool infra took 4h each" in run.stdout, run.stdout
    assert (site.reboots, is_paused(site, "infra")) == ([], True)


@pytest.mark.parametrize(("infra", "rebooted"), [(OPEN, {"infra-0"}), (CLOSED, set())], ids=["permitted", "restricted"])
def test_node_by_node_the_pool_of_the_node_is_asked_about(site: ObjectSite, infra: str, rebooted: set[str]) -> None:
    site.rest.apply(assignments(master=OPEN, worker=CLOSED, infra=infra))
    with site.operator():
        run = site.run("node_by_node", site_pools=["infra"])
    assert (WAITS in run.stdout) != bool(rebooted), run.stdout
    assert set(site.reboots) == rebooted, run.stdout
