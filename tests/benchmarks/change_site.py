# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long one look at change management takes on a large site, and its enforcement, on a live API server.

Run it with ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.change_site``. The peer is the same
lists, read with kubectl in the same run: what has to be read at all. The first enforcement of all pools is compared
with its goal: every pool is written once.
"""

from __future__ import annotations

import subprocess
import sys
import time

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.changes_info import look_at_changes
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.enforce import carry_out
from ansible_collections.fieldops.openshift.tests.integration.changes.large_site import plant_large_site
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import client_of
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.kubectl import kubectl

POOLS, NODES = 100, 2000
ENFORCED_POOLS = 1000
ROUNDS = 5
GOAL_SECONDS = 3
ENFORCEMENT = {"state": "present", "guard": None, "lifetime": "1h", "if_enforced": False}
ASKED = {
    "guard": None,
    "windows": 3,
    "time_zone": "",
    "kind": None,
    "overrides": None,
    "calendar_days": 0,
    "calendar_title": "",
}


def main() -> None:
    """Print the best of some rounds, and the requests of one."""
    with ApiServer.start_openshift() as server:
        plant_large_site(server.rest, POOLS, NODES)
        command = [kubectl(), f"--kubeconfig={server.kubeconfig}", "get", "nodes,machineconfigpools", "--output=json"]
        ours, theirs = [], []
        for _round in range(ROUNDS):
            mark = server.audit.mark()
            ours.append(_look(server))
            requests = server.audit.count(mark)
            began = time.perf_counter()
            subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
            theirs.append(time.perf_counter() - began)
            sys.stderr.write(f"{ours[-1]:.2f} s, kubectl {theirs[-1]:.2f} s\n")
    print(f"{POOLS} pools, {NODES} nodes: {min(ours):.2f} s with {requests} requests (goal: below {GOAL_SECONDS} s)")
    print(f"beside kubectl get of nodes and pools ({min(theirs):.2f} s): {min(ours) / min(theirs):.2f}")
    first, again = _enforce()
    print(
        f"{ENFORCED_POOLS} pools read, judged and enforced: {first:.2f} s the first time (goal: below {GOAL_SECONDS} s)"
    )
    print(f"again, with nothing to change: {again:.2f} s")


def _enforce() -> tuple[float, float]:
    """Return the seconds of the first enforcement of many pools, each written once, and of the next."""
    with ApiServer.start_openshift() as server:
        plant_large_site(server.rest, ENFORCED_POOLS, ENFORCED_POOLS)
        seconds = []
        for written in (ENFORCED_POOLS, 0):
            began = time.perf_counter()
            with client_of(server) as client:
                outcome = carry_out(client, ENFORCEMENT)
            seconds.append(time.perf_counter() - began)
            if sum(one["changed"] for one in outcome.objects["resources"]) != written:
                raise SystemExit("not every pool was written once: these figures would say nothing")
    return seconds[0], seconds[1]


def _look(server: ApiServer) -> float:
    """Return the seconds of one look with a client of its own, as a module has it."""
    began = time.perf_counter()
    with client_of(server) as client:
        report, _sentence, _delay = look_at_changes(client, ASKED)
    if (len(report["resources"]), len(report["nodes"])) != (POOLS, NODES):
        raise SystemExit("not everything was judged: these figures would say nothing")
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
