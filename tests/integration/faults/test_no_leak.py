# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Two hundred runs of a schedule that find nothing to do leave nothing behind, in the process and in the cluster."""

from __future__ import annotations

import gc
import json
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.authentication import resolve_access
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate, Permission
from ansible_collections.fieldops.openshift.tests.integration.faults.rollout_writer import Writer
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.rest import Json, RestClient
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import managed_nodes, plant

RUNS = 200
SETTLED = 3
"""Runs after which everything is there that is ever there."""
KEPT = (
    "/api/v1/configmaps",
    "/api/v1/nodes",
    "/apis/coordination.k8s.io/v1/leases",
    "/apis/machineconfiguration.openshift.io/v1/machineconfigpools",
)


class OpenWindow:
    def ask(self, pool: str, estimate: Estimate) -> Permission:  # noqa: ARG002
        return Permission(True, pool, "change is permitted")


def run_once(server: ApiServer, number: int, cache: Path) -> str:
    """Run one job as a process of the schedule does, with a connection of its own, and return its outcome."""
    access = resolve_access({"kubeconfig": str(server.kubeconfig)}, {"HOME": "/nonexistent"})
    with ClusterClient(access, SystemClock(), cache_directory=cache) as client:
        job = Writer(client, f"run-{number}", ["worker"], OpenWindow(), process={})
        while not job.outcome:
            job.move()
    return job.outcome


def left_behind(rest: RestClient, cache: Path) -> dict[str, int]:
    """Return what a run could leave: open files, bytes of the cache, and objects with the bytes of what they hold."""
    gc.collect()
    objects = [one for path in KEPT for one in rest.get(path)["items"]]
    files = [path for path in cache.rglob("*") if path.is_file()]
    return {
        "open files": len(list(Path("/proc/self/fd").iterdir())),
        "files in the cache": len(files),
        "bytes in the cache": sum(path.stat().st_size for path in files),
        "objects": len(objects),
        "bytes of objects": sum(len(json.dumps(_lasting(one))) for one in objects),
    }


def _lasting(one: Json) -> Json:
    """Return an object without what counts or dates each write: times, versions, the number of transitions."""
    metadata = {name: value for name, value in one["metadata"].items() if name in ("name", "labels", "annotations")}
    return {"metadata": metadata, "data": one.get("data"), "spec": sorted(one.get("spec") or {})}


@pytest.mark.long
def test_two_hundred_runs_leave_what_three_leave(api_server: ApiServer, tmp_path: Path) -> None:
    plant(api_server.rest, managed_nodes("worker", 3))
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o700)
    seen = []
    for number in range(RUNS):
        assert run_once(api_server, number, cache) == "done"
        if number in (SETTLED, RUNS - 1):
            seen.append(left_behind(api_server.rest, cache))
    further = seen[1].pop("open files") - seen[0].pop("open files")
    assert further < RUNS / 10, "connections of the test itself come and go; those of runs would be one for each"
    assert seen[0] == seen[1]
