# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What planning a rollout takes on large clusters, a run outside the window, and what the role adds to each node.

Run it with ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.rollout_plan``; real API with
OpenShift's definitions, nodes without hosts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import typing as t
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.read_rollout import (
    SELECTION_OPTIONS,
    read_rollout,
    selection_of,
)
from ansible_collections.fieldops.openshift.tests.benchmarks.measurement import ROUNDS, Run, ratio
from ansible_collections.fieldops.openshift.tests.integration.changes.large_site import (
    LANES,
    open_windows,
    plant_large_site,
)
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import client_of
from ansible_collections.fieldops.openshift.tests.integration.play_processes import BINARIES
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.seed import workloads

LARGE, MEDIUM, PODS = 2000, 500, 1000
POOLS, FEW, MANY = 5, 2, 8
PLAN_SECONDS, OUTSIDE_WALL, OUTSIDE_CPU, OVERHEAD_SECONDS = 2, 5, 4, 5
IMAGE = "registry.lab.example/pause:1"


def main() -> None:
    """Print all figures with their goals."""
    with ApiServer.start_openshift() as server:
        plant_large_site(server.rest, 100, LARGE)
        seconds, requests = _plans(server)
        ratio(f"plan {LARGE} nodes, {requests} requests: seconds", seconds, f"below {PLAN_SECONDS}")
        _add_pods(server, PODS)
        seconds, more = _plans(server)
        ratio(f"the same with {PODS} pods, {more} requests: seconds", seconds, f"below {PLAN_SECONDS}")
        ratio("requests with those pods beside those without", more / requests, "1.00")
    with ApiServer.start_openshift() as server, tempfile.TemporaryDirectory() as folder:
        plant_large_site(server.rest, POOLS, MEDIUM)
        outside = min((_outside(server, Path(folder)) for _round in range(ROUNDS)), key=lambda run: run.wall)
        ratio(f"run outside the window, {MEDIUM} nodes: wall seconds", outside.wall, f"below {OUTSIDE_WALL}")
        ratio("its CPU seconds", outside.cpu, f"below {OUTSIDE_CPU}")
        open_windows(server.rest, POOLS)
        ratio(
            "seconds per node beyond drain, reboot and rest",
            _overhead(server, Path(folder)),
            f"below {OVERHEAD_SECONDS}",
        )


def _plans(server: ApiServer) -> tuple[float, int]:
    """Return the best time of some plans, and the requests of the last one."""
    options = {name: option.get("default") for name, option in SELECTION_OPTIONS.items()}
    selection = selection_of({**options, "id": "benchmark"})
    best, requests = float("inf"), 0
    for _round in range(ROUNDS):
        mark = server.audit.mark()
        began = time.perf_counter()
        with client_of(server) as client:
            report = read_rollout(client, selection)
        best = min(best, time.perf_counter() - began)
        requests = server.audit.count(mark)
        if len(report["nodes"]) != LARGE:
            raise SystemExit("not every node was planned: these figures would say nothing")
    return best, requests


def _add_pods(server: ApiServer, count: int) -> None:
    pods = (workloads.pod(f"pod-{n}", IMAGE, node=f"worker-{n % LARGE}") for n in range(count))
    server.rest.apply(
        {"apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": "default", "namespace": "default"}}
    )
    with ThreadPoolExecutor(LANES) as lanes:
        list(lanes.map(lambda pod: server.rest.create("/api/v1/namespaces/default/pods", pod), pods))


def _outside(server: ApiServer, folder: Path) -> Run:
    return _roll(server, folder, "outside", {"site_change_stanza": {"strategy": "Restrictive"}}, changes=False)


def _overhead(server: ApiServer, folder: Path) -> float:
    """Return what each further node takes that has no pods, no reboot and no cluster to wait for."""
    small, large = (
        _roll(server, folder, f"overhead-{count}", {"site_nodes": [f"worker-{n}" for n in range(count)]}, changes=True)
        for count in (FEW, MANY)
    )
    return (large.wall - small.wall) / (MANY - FEW)


def _roll(server: ApiServer, folder: Path, name: str, variables: dict[str, t.Any], *, changes: bool) -> Run:
    known = {
        "site_rollout": name,
        "roll_nodes_reboot": False,
        "roll_nodes_settle": "never",
        **variables,
    }
    command = [str(BINARIES / "ansible-playbook"), "fieldops.openshift.roll_nodes", "-e", json.dumps(known)]
    environment = environment_for(folder, {"K8S_AUTH_KUBECONFIG": str(server.kubeconfig)})
    began = time.perf_counter()
    with (folder / "output").open("w+") as output:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT)
        _pid, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        output.seek(0)
        said = output.read()
    expected = f"{len(variables.get('site_nodes', []))} of" if changes else "0 of"
    # Outside the window the run fails, because nodes remain.
    if bool(status) == changes or f"{expected} " not in said:
        sys.stderr.write(said)
        raise SystemExit(f"rollout {name} did not do what is measured")
    return Run(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


if __name__ == "__main__":
    main()
