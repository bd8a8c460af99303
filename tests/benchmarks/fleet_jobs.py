# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What scheduled jobs of single-node sites cost that find nothing to do, and how that grows with the number of sites.

Run it with ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.fleet_jobs``. Each job is the playbook
as a process, as ansible-runner starts it. The peer does the same reads in the same run: a play with kubernetes.core's
k8s_info in a loop over what the audit log of the API server shows of the job.

The sites of a sample are tenants of one API server, each with a user and a home of its own. Their jobs run side by
side, as many as there are processors. What follows for a fleet is computed from the CPU time of the largest sample,
which depends little on other load of the machine. AWX's own work for a job, such as its container and its events, is
not in it. The rows of samples are those of the table in docs/fleet.md.
"""

from __future__ import annotations

import json
import os
import tempfile
import typing as t
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.benchmarks.measurement import ratio
from ansible_collections.fieldops.openshift.tests.benchmarks.process_tree import TreeRun, run_tree
from ansible_collections.fieldops.openshift.tests.integration.play_processes import PROGRAM
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS, environment_for
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.audit import AuditedRequest
from ansible_collections.fieldops.openshift.tests.lab.peer_packages import peer_package
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

JOBS = {"enforce_changes": 6.0, "check_site": 1 / 24, "show_site_status": 0.0}
"""Jobs, and how often an hour the schedules of extensions/awx start them for one site."""
SAMPLED = "enforce_changes"
NODE_CORES = 8
ROUNDS = 3
SIZES = (1, 10, 50)
FLEET = 3500
GOAL_CPU, GOAL_MEMORY, GOAL_GROWTH = 5.0, 150e6, 1.2
"""Seconds and bytes of a job; and what a job of the largest sample may take of the CPU of the only one."""
COLUMNS = "| Sites | CPU a job | Memory a job | Jobs an hour on a processor | Requests to a site | Output of a job |"


class Bench:
    """A healthy single-node cluster, and plays against it."""

    def __init__(self, server: ApiServer, folder: Path) -> None:
        self.server, self.folder = server, folder

    def job(self, playbook: str, tenant: str) -> TreeRun:
        """Run a job as the user of a site."""
        given = json.dumps({"site_kubeconfig": str(self._kubeconfig(tenant))})
        return self._run(tenant, f"fieldops.openshift.{playbook}", "-e", given)

    def peer(self, requests: list[AuditedRequest]) -> TreeRun:
        """Run a play of kubernetes.core that does the same reads."""
        task = {
            "name": "Read",
            "kubernetes.core.k8s_info": {
                "kubeconfig": str(self._kubeconfig("peer")),
                "api_version": "{{ item.api_version }}",
                "kind": "{{ item.kind }}",
                "name": "{{ item.name | default(omit, true) }}",
                "namespace": "{{ item.namespace | default(omit, true) }}",
            },
            "loop": [*map(_read, requests)],
        }
        play = {"hosts": "localhost", "gather_facts": False, "connection": "local", "tasks": [task]}
        path = self.folder / "peer.json"
        path.write_text(json.dumps([play]))
        return self._run("peer", str(path))

    def asked(self, mark: t.Any, tenant: str) -> list[AuditedRequest]:
        """Return the requests of a user since a mark."""
        return self.server.audit.requests(mark, user=tenant)

    def _kubeconfig(self, tenant: str) -> Path:
        return self.server.kubeconfig_for(tenant, ["system:masters"])

    def _run(self, tenant: str, *words: str) -> TreeRun:
        home = self.folder / tenant
        home.mkdir(exist_ok=True)
        collections = os.pathsep.join([str(COLLECTIONS), str(peer_package("kubernetes.core"))])
        settings = {"ANSIBLE_COLLECTIONS_PATH": collections, "ANSIBLE_DIFF_ALWAYS": "false", "HOME": str(home)}
        environment = environment_for(home, settings)
        del environment["ANSIBLE_CALLBACK_PLUGINS"]
        return run_tree([PROGRAM, *words], environment)


def _read(request: AuditedRequest) -> dict[str, str]:
    """Return what k8s_info is to read for a request; its kind is found by the plural, which it accepts as well."""
    group, _slash, plural = request.resource.rpartition("/")
    version = request.path.split("/")[3 if group else 2]
    api = f"{group}/{version}" if group else version
    return {"api_version": api, "kind": plural, "name": request.name, "namespace": request.namespace}


def _is_read(request: AuditedRequest) -> bool:
    return request.verb in ("get", "list") and bool(request.resource) and request.resource.count("/") < 2


def measure(bench: Bench, playbook: str) -> TreeRun:
    """Print what a job costs beside its peer, and return its best run."""
    bench.job(playbook, "first")  # discovers the API, as the first job of an execution node does
    mark = bench.server.audit.mark()
    runs, peers = [bench.job(playbook, "first")], []
    asked = bench.asked(mark, "first")
    reads = [one for one in asked if _is_read(one) and one.code == 200]
    for _round in range(ROUNDS):
        peers.append(bench.peer(reads))
        runs.append(bench.job(playbook, "first"))
    best, other = min(runs, key=lambda run: run.cpu), min(peers, key=lambda run: run.cpu)
    memory = max(run.memory for run in runs)
    print(f"{playbook}: {len(asked)} requests, of them {len(reads)} reads; {len(best.output)} bytes of output")
    print(f"  the job    {best.wall:6.2f} s {best.cpu:6.2f} s CPU {memory / 1e6:6.0f} MB")
    print(f"  k8s_info   {other.wall:6.2f} s {other.cpu:6.2f} s CPU {max(run.memory for run in peers) / 1e6:6.0f} MB")
    ratio("  CPU seconds of a job", best.cpu, f"below {GOAL_CPU:.0f}")
    ratio("  MB of memory of a job", memory / 1e6, f"below {GOAL_MEMORY / 1e6:.0f}")
    ratio("  CPU of the peer for each of the job", other.cpu / best.cpu)
    return best


def sample(bench: Bench, playbook: str, size: int) -> float:
    """Run the job of ``size`` tenants side by side, print the row of the table, and return the CPU seconds of one."""
    names = [f"site-{size}-{number}" for number in range(size)]
    mark = bench.server.audit.mark()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = list(pool.map(lambda name: bench.job(playbook, name), names))
    requests = max(len(bench.asked(mark, name)) for name in names)
    cpu, memory = sum(run.cpu for run in runs) / size, max(run.memory for run in runs) / 1e6
    output = max(len(run.output) for run in runs) / 1e3
    print(f"| {size} | {cpu:.2f} s | {memory:.0f} MB | {3600 / cpu:,.0f} | {requests} | {output:.1f} kB |")
    return cpu


def growth(bench: Bench, playbook: str) -> float:
    """Print what a job takes at each size, and return the CPU seconds of one of the largest."""
    print(COLUMNS)
    taken = [sample(bench, playbook, size) for size in SIZES]
    ratio("CPU of a job of the largest sample for each of the only one", taken[-1] / taken[0], f"below {GOAL_GROWTH}")
    return taken[-1]


def extrapolate(cpu: float, runs: t.Mapping[str, TreeRun]) -> None:
    """Print what follows for a fleet whose schedules are those of extensions/awx; ``cpu`` is that of a sampled job."""
    costs = {name: run.cpu for name, run in runs.items()} | {SAMPLED: cpu}
    needed = sum(JOBS[name] * FLEET for name in runs)
    busy = sum(JOBS[name] * FLEET * seconds for name, seconds in costs.items()) / 3600
    ratio("jobs an hour of one processor", 3600 / cpu)
    print(f"{FLEET} sites: {needed:.0f} scheduled jobs an hour")
    ratio("processors that they keep busy", busy)
    ratio(f"sites for each execution node of {NODE_CORES} processors, half busy", FLEET * NODE_CORES / 2 / busy)


def main() -> None:
    """Measure each job, a sample of sites, and what follows."""
    print(f"load before: {os.getloadavg()[0]:.1f}")
    with ApiServer.start_openshift() as server, tempfile.TemporaryDirectory() as folder:
        plant(server.rest, healthy_cluster("4.21.3", control_plane=1, workers=0))
        namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "fieldops-openshift"}}
        server.rest.apply(namespace)
        bench = Bench(server, Path(folder))
        runs = {name: measure(bench, name) for name in JOBS}
        extrapolate(growth(bench, SAMPLED), runs)


if __name__ == "__main__":
    main()
