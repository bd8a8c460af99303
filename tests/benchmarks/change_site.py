# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How long one look at change management takes on a large site, and its enforcement, on a live API server.

Run it with ``python -m ansible_collections.fieldops.openshift.tests.benchmarks.change_site``. The peer is the same
lists, read with kubectl in the same run: what has to be read at all. What a look takes beyond the API is its time of
processors, less that of sending requests and reading answers; what these are made into is in it. The peer of the first
enforcement of all pools, which writes each once, is the same patches sent as fast as the same client can.
"""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
import typing as t

import urllib3

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.changes_info import look_at_changes
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.enforce import carry_out
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.read_site import GuardCheck, read_site
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.enforcement import enforced
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.side_by_side import side_by_side
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import MACHINE_CONFIG_POOL
from ansible_collections.fieldops.openshift.tests.integration.changes.large_site import plant_large_site
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import client_of
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.kubectl import kubectl

SITES = ((3, 30), (100, 2000))
"""Pools and nodes, each pool under a policy of its own."""
ENFORCED_POOLS = 1000
ENFORCEMENTS = 3
ROUNDS = 5
GOAL_SECONDS = 3
GOAL_BEYOND = 100
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


class Requests:
    """The seconds of processors that requests and the reading of their answers took, while the context lasts."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._inside = False
        self._undo = contextlib.ExitStack()

    def __enter__(self) -> Requests:
        for owner, name in ((urllib3.HTTPConnectionPool, "urlopen"), (urllib3.HTTPResponse, "read")):
            self._undo.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, self._timed(getattr(owner, name)))
        return self

    def __exit__(self, *_error: object) -> None:
        self._undo.close()

    def _timed(self, work: t.Callable[..., t.Any]) -> t.Callable[..., t.Any]:
        def timed(*words: t.Any, **options: t.Any) -> t.Any:
            if self._inside:
                return work(*words, **options)
            self._inside, began = True, time.process_time()
            try:
                return work(*words, **options)
            finally:
                self._inside = False
                self.seconds += time.process_time() - began

        return timed


def main() -> None:
    """Print the best of some rounds, and the requests of one."""
    for pools, nodes in SITES:
        _look_beside_kubectl(pools, nodes)
    first, again, bare = _enforce()
    print(f"{ENFORCED_POOLS} pools read, judged and enforced: {first:.2f} s the first time")
    print(f"beyond the same patches alone ({bare:.2f} s): {first - bare:.2f} s (goal: below {GOAL_SECONDS} s)")
    print(f"again, with nothing to change: {again:.2f} s (goal: below {GOAL_SECONDS} s)")


def _look_beside_kubectl(pools: int, nodes: int) -> None:
    with ApiServer.start_openshift() as server:
        plant_large_site(server.rest, pools, nodes)
        command = [kubectl(), f"--kubeconfig={server.kubeconfig}", "get", "nodes,machineconfigpools", "--output=json"]
        ours, own, theirs = [], [], []
        for _round in range(ROUNDS):
            mark = server.audit.mark()
            spent = time.process_time()
            with Requests() as requests_of_it:
                ours.append(_look(server, pools, nodes))
            own.append(time.process_time() - spent - requests_of_it.seconds)
            requests = server.audit.count(mark)
            began = time.perf_counter()
            subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)
            theirs.append(time.perf_counter() - began)
            sys.stderr.write(f"{ours[-1]:.3f} s, {own[-1]:.3f} s beyond the API, kubectl {theirs[-1]:.3f} s\n")
    print(f"{pools} pools, {nodes} nodes: {min(ours):.2f} s with {requests} requests (goal: below {GOAL_SECONDS} s)")
    print(f"beyond the API: {1000 * min(own):.0f} ms of processors (goal: below {GOAL_BEYOND} ms)")
    print(f"beside kubectl get of nodes and pools ({min(theirs):.2f} s): {min(ours) / min(theirs):.2f}")


def _enforce() -> tuple[float, float, float]:
    """Return the seconds of the first enforcement of many pools, each written once, of the next, and of bare patches.

    They take turns, and the best of each counts: what etcd takes for a write differs from one to the next.
    """
    first, again, bare = [], [], []
    with ApiServer.start_openshift() as server:
        plant_large_site(server.rest, ENFORCED_POOLS, ENFORCED_POOLS)
        for _round in range(ENFORCEMENTS):
            first.append(_enforcement(server, "present", ENFORCED_POOLS))
            again.append(_enforcement(server, "present", 0))
            _enforcement(server, "absent", ENFORCED_POOLS)
            bare.append(_patches_alone(server))
            _enforcement(server, "absent", ENFORCED_POOLS)
            sys.stderr.write(f"{first[-1]:.2f} s, patches alone {bare[-1]:.2f} s\n")
    return min(first), min(again), min(bare)


def _enforcement(server: ApiServer, state: str, written: int) -> float:
    began = time.perf_counter()
    with client_of(server) as client:
        outcome = carry_out(client, {**ENFORCEMENT, "state": state})
    if sum(one["changed"] for one in outcome.objects["resources"]) != written:
        raise SystemExit("not every pool was written once: these figures would say nothing")
    return time.perf_counter() - began


def _patches_alone(server: ApiServer) -> float:
    """Return the seconds of the patches of a first enforcement, without all that leads to them."""
    with client_of(server) as client:
        site = read_site(client, GuardCheck(), with_nodes=False)
        patches = [(one.resource.name.name, enforced(one, "installer").patch or {}) for one in site.judged]
        began = time.perf_counter()
        side_by_side(lambda one: client.patch(MACHINE_CONFIG_POOL, *one), patches)
        return time.perf_counter() - began


def _look(server: ApiServer, pools: int, nodes: int) -> float:
    """Return the seconds of one look with a client of its own, as a module has it."""
    began = time.perf_counter()
    with client_of(server) as client:
        report, _sentence, _delay = look_at_changes(client, ASKED)
    if (len(report["resources"]), len(report["nodes"])) != (pools, nodes):
        raise SystemExit("not everything was judged: these figures would say nothing")
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
