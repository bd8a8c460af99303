# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the status of a fleet costs, and what it reads from the hub, as the number of clusters grows.

Run it with ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.fleet_hub``. It is the playbook
``fleet_status`` as a process, with its inventory and its page. The bytes are those of its connections. The hub has
ManagedClusters only: with ClusterDeployments and other kinds, it is read once more for each kind. The rows are those of
the table in docs/fleet.md.
"""

from __future__ import annotations

import json
import os
import tempfile
import typing as t
from pathlib import Path
from urllib.parse import urlsplit

from ansible_collections.fieldops.openshift.tests.benchmarks.measurement import ratio
from ansible_collections.fieldops.openshift.tests.benchmarks.process_tree import TreeRun, run_tree
from ansible_collections.fieldops.openshift.tests.integration.cluster.network import Forwarder
from ansible_collections.fieldops.openshift.tests.integration.inventories import write_inventory
from ansible_collections.fieldops.openshift.tests.integration.play_processes import PROGRAM
from ansible_collections.fieldops.openshift.tests.integration.plays import environment_for
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.hub import make_hub, managed_cluster

SIZES = (10, 100, 1000, 3500)
GOAL_CPU, GOAL_MEMORY = 15.0, 300e6
"""Seconds and bytes of the status of the largest fleet."""
COLUMNS = "| Clusters | CPU | Memory | Requests to the hub | Bytes of the hub | Page |"


def status(server: ApiServer, folder: Path, size: int) -> TreeRun:
    """Show a fleet of ``size`` clusters, print the row of the table, and return the run."""
    clusters = [managed_cluster(f"edge-{number:04}", "4.21.5", ring="all", window="night") for number in range(size)]
    server.rest.apply_all(clusters)
    page, user = folder / f"fleet-{size}.html", f"reader-{size}"
    mark = server.audit.mark()
    with Forwarder(urlsplit(server.url).port or 443) as counted:
        access = {"kubeconfig": str(server.kubeconfig_for(user, ["system:masters"])), "host": counted.url}
        file = write_inventory(folder, "managed_clusters", **access)
        words = ["-i", str(file), "fieldops.openshift.fleet_status", "-e", json.dumps({"site_fleet_page": str(page)})]
        run = run_tree([PROGRAM, *words], environment_for(folder, {"ANSIBLE_DIFF_ALWAYS": "false"}))
    requests = len(server.audit.requests(mark, user=user))
    sizes = f"{counted.passed / 1e6:.2f} MB | {page.stat().st_size / 1e6:.2f} MB"
    print(f"| {size:,} | {run.cpu:.1f} s | {run.memory / 1e6:.0f} MB | {requests} | {sizes} |")
    return run


def main() -> None:
    """Measure fleets of all sizes."""
    print(f"load before: {os.getloadavg()[0]:.1f}")
    with ApiServer.start_openshift() as server, tempfile.TemporaryDirectory() as folder:
        make_hub(server.rest)
        print(COLUMNS)
        runs: t.Sequence[TreeRun] = [status(server, Path(folder), size) for size in SIZES]
    ratio("CPU seconds of the status of the largest fleet", runs[-1].cpu, f"below {GOAL_CPU:.0f}")
    ratio("MB of memory of the status of the largest fleet", runs[-1].memory / 1e6, f"below {GOAL_MEMORY / 1e6:.0f}")


if __name__ == "__main__":
    main()
