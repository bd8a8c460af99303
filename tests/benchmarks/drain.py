# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long drains take and what they ask of the API, beside kubectl drain and kubernetes.core.k8s_drain in one run.

Run it with ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.drain``. A node of 110 pods, ten of them
held back by a budget for twenty seconds; real API, scheduler and controllers, kwok for the kubelet.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import typing as t
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.integration.modules.drain_site import DrainSite
from ansible_collections.fieldops.openshift.tests.integration.play_processes import BINARIES
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS, environment_for
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.kubectl import kubectl
from ansible_collections.fieldops.openshift.tests.lab.peer_packages import peer_package
from ansible_collections.fieldops.openshift.tests.lab.seed import workloads

FREE, HELD = 100, 10
HELD_SECONDS = 20.0
ROUNDS = 3
NODE, SHOP, USER = "worker-0", "shop", "drainer"
BUDGET = f"/apis/policy/v1/namespaces/{SHOP}/poddisruptionbudgets/held"


@dataclass(frozen=True)
class Drained:
    """One drain: its wall time in seconds, its requests, its exit status, and how many pods were left."""

    seconds: float
    requests: int
    status: int
    left: int


class Contest:
    """The site, and how each contestant is started."""

    def __init__(self, site: DrainSite, folder: Path) -> None:
        self._site = site
        self._folder = folder
        self.kubeconfig = site.server.kubeconfig_for(USER, ["system:masters"])

    def kubectl(self) -> list[str]:
        """Return kubectl's command."""
        words = ["drain", NODE, "--force", "--ignore-daemonsets", "--delete-emptydir-data", "--timeout=120s"]
        return [str(kubectl()), f"--kubeconfig={self.kubeconfig}", *words]

    def ours(self) -> list[str]:
        """Return the play of this collection's module."""
        options = {"force": True, "delete_emptydir_data": True, "wait": True, "wait_timeout": 120}
        return self.play("fieldops.openshift.node_drain", name=NODE, **options)

    def peer(self) -> list[str]:
        """Return the play of kubernetes.core's module, with the options that come nearest."""
        options = {"force": True, "ignore_daemonsets": True, "delete_emptydir_data": True, "wait_timeout": 120}
        return self.play("kubernetes.core.k8s_drain", name=NODE, state="drain", delete_options=options)

    def play(self, module: str = "", **options: t.Any) -> list[str]:
        """Return the command of a play of one task, or of none."""
        task = {"name": "Drain", module: {"kubeconfig": str(self.kubeconfig), **options}}
        play = {"hosts": "localhost", "gather_facts": False, "connection": "local", "tasks": [task] if module else []}
        play["vars"] = {"ansible_python_interpreter": sys.executable}
        path = self._folder / f"{module or 'nothing'}.json"
        path.write_text(json.dumps([play]))
        return [str(BINARIES / "ansible-playbook"), "-i", "localhost,", str(path)]

    def run(self, command: list[str]) -> Drained:
        """Fill the node, let ``command`` drain it, and lift the budget after its time."""
        self._fill()
        mark = self._site.server.audit.mark()
        lift = threading.Timer(HELD_SECONDS, self._limit, [0])
        lift.start()
        seconds, status = self.timed(command)
        lift.cancel()
        asked = self._site.server.audit.requests(mark, user=USER)
        return Drained(seconds, len(asked), status, len(self._pods()))

    def timed(self, command: list[str]) -> tuple[float, int]:
        """Run a command and return its seconds and its exit status."""
        collections = os.pathsep.join([str(COLLECTIONS), str(peer_package("kubernetes.core"))])
        environment = environment_for(self._folder, {"ANSIBLE_COLLECTIONS_PATH": collections})
        began = time.perf_counter()
        done = subprocess.run(
            command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False
        )
        return time.perf_counter() - began, done.returncode

    def _fill(self) -> None:
        self._site.cordon(NODE, False)
        self._limit(HELD)
        self._site.wait_for(lambda: len(self._pods()) == FREE + HELD, 120)
        self._site.wait_for(self._budget_is_met)

    def _budget_is_met(self) -> bool:
        status = self._site.rest.get(BUDGET).get("status", {})
        return (status.get("currentHealthy"), status.get("desiredHealthy")) == (HELD, HELD)

    def _limit(self, least: int) -> None:
        self._site.rest.merge(BUDGET, {"spec": {"minAvailable": least}})

    def _pods(self) -> list[t.Any]:
        running = self._site.pods(SHOP, NODE)
        return [pod for pod in running if pod["status"].get("phase") == "Running"]


def main() -> None:
    """Print every drain, and ours beside kubectl's best."""
    with ApiServer.start_openshift() as server, tempfile.TemporaryDirectory() as folder:
        site = DrainSite(server, workers=1)
        site.rest.apply(workloads.namespace(SHOP))
        site.wait_for(lambda: site.rest.exists(f"/api/v1/namespaces/{SHOP}/serviceaccounts/default"))
        site.deploy("free", SHOP, FREE)
        site.deploy("held", SHOP, HELD, minAvailable=HELD)
        contest = Contest(site, Path(folder))
        start = min(contest.timed(contest.play())[0] for _round in range(ROUNDS))
        commands = {"kubectl drain": contest.kubectl(), "node_drain": contest.ours(), "k8s_drain": contest.peer()}
        found: dict[str, list[Drained]] = {name: [] for name in commands}
        for _round in range(ROUNDS):
            for name, command in commands.items():
                found[name].append(contest.run(command))
                sys.stderr.write(f"{name}: {found[name][-1]}\n")
    for name, runs in found.items():
        best = min(runs, key=lambda run: run.seconds)
        print(
            f"{name:14} {best.seconds:6.1f} s {best.requests:5} requests, status {best.status}, {best.left} pods left"
        )
    ours, theirs = (min(run.seconds for run in found[name]) for name in ("node_drain", "kubectl drain"))
    print(f"an ansible-playbook of no tasks takes {start:.1f} s of the plays' times")
    print(
        f"node_drain beside kubectl: {ours / theirs:.2f}, without that start {(ours - start) / theirs:.2f} (goal: 1.10)"
    )


if __name__ == "__main__":
    main()
