# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Two jobs roll the same nodes, are killed, and administrators and daemons act in between, in any order.

``tests/unit/plugins/module_utils/_rollout/model`` does the same between any two requests, on an API in memory.
"""

from __future__ import annotations

import subprocess
import typing as t
import uuid
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from hypothesis.strategies import integers, sampled_from

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.authentication import resolve_access
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.holder_process import (
    describe_process,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.lock import release_lock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import NodeRecord
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate, Guard, Permission
from ansible_collections.fieldops.openshift.tests.integration.faults.rollout_writer import TARGET, Writer
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import managed_nodes, plant
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_configs, rendered_name

POOLS = {"worker": 2, "infra": 1}
NODES = [f"{pool}-{number}" for pool, count in POOLS.items() for number in range(count)]
JOBS = ("job-a", "job-b")
NODE_PATH = "/api/v1/nodes"
POOL_PATH = "/apis/machineconfiguration.openshift.io/v1/machineconfigpools"
OWN = "/api/v1/namespaces/fieldops-openshift/configmaps"
LEASES = "/apis/coordination.k8s.io/v1/namespaces/fieldops-openshift/leases"
DAEMON = "machineconfiguration.openshift.io/"
ENOUGH_MOVES = 200


@pytest.fixture(scope="module")
def server() -> Iterator[ApiServer]:
    with ApiServer.start_openshift() as started:
        yield started


class Window:
    """Change management of the whole cluster; it counts what it permitted."""

    def __init__(self) -> None:
        self.is_open = True

    def ask(self, pool: str, estimate: Estimate) -> Permission:  # noqa: ARG002
        return Permission(self.is_open, pool, f"change is {'permitted' if self.is_open else 'restricted'}")


class ProcessWriter(Writer):
    """A job with a process: only of a real one it is known whether it has ended."""

    def __init__(self, client: ClusterClient, name: str, guard: Guard) -> None:
        self._job = subprocess.Popen(["/bin/sleep", "infinity"])
        super().__init__(client, f"{name}-{uuid.uuid4().hex[:6]}", [*POOLS], guard, describe_process(self._job.pid))

    def kill(self) -> None:
        """End the job without any further step."""
        self._job.kill()
        self._job.wait()
        self.outcome = self.outcome or "killed"


EVENTS: dict[str, Callable[[TwoWriters], None]] = {
    **{f"daemons work {often}": lambda site: site.let_daemons_work() for often in ("often", "again", "and again")},
    "the window opens or closes": lambda site: site.change_window(),
    "job a is killed": lambda site: site.kill(JOBS[0]),
    "job b is killed": lambda site: site.kill(JOBS[1]),
    "the lock is broken": lambda site: site.break_the_lock(),
    "the journal is deleted": lambda site: site.lose_the_journal(),
}


class TwoWriters(RuleBasedStateMachine):
    """The cluster is real; daemons, administrators and the window are rules."""

    server: t.ClassVar[ApiServer]

    def __init__(self) -> None:
        super().__init__()
        self.rest = self.server.rest
        access = resolve_access({"kubeconfig": str(self.server.kubeconfig)}, {"HOME": "/nonexistent"})
        self.client = ClusterClient(access, SystemClock())
        self.window = Window()
        self.jobs: dict[str, ProcessWriter] = {}
        self.started: set[str] = set()

    @initialize()
    def begin(self) -> None:
        for path in (POOL_PATH, NODE_PATH, OWN, LEASES):
            self.rest.delete(path)
        for pool, count in POOLS.items():
            objects = managed_nodes(pool, count)
            for one in objects:
                if one["kind"] == "Node":
                    one["metadata"]["labels"][f"node-role.kubernetes.io/{pool}"] = ""
            plant(self.rest, objects)
            self.rest.apply_all(machine_configs(pool, TARGET)[-1:])
            self.change_pool(pool, {"spec": {"configuration": {"name": rendered_name(pool, TARGET)}}})

    def teardown(self) -> None:
        try:
            if self.jobs or self.started:
                self.finish()
        finally:
            for job in self.jobs.values():
                job.kill()
            self.client.close()

    # Jobs

    @rule(name=sampled_from(JOBS), times=integers(1, 12))
    def move(self, name: str, times: int) -> None:
        """A job takes its next steps; one that has ended is started again, as a schedule does."""
        for _unused in range(times):
            done = self.step(name)
            self.one_node_at_a_time()
            if "waits" in done:
                break

    def step(self, name: str) -> str:
        job = self.jobs.get(name)
        if job is None or job.outcome:
            self.kill(name)
            job = self.jobs[name] = ProcessWriter(self.client, name, self.window)
        before, permitted, versions = self.under_way(), self.window.is_open, self.versions()
        done = job.move()
        begun = self.under_way() - before
        assert permitted or not begun, f"{begun} was started while change was restricted"
        assert job.holds_lock or self.versions() == versions, f"{name} changed the cluster without the lock"
        self.started |= begun
        return done

    @rule(event=sampled_from([*EVENTS]))
    def happen(self, event: str) -> None:
        """One rule for all: of several the framework leaves some out of each example."""
        EVENTS[event](self)

    def break_the_lock(self) -> None:
        """A technician takes a job for dead that lives; it must find out before it changes anything further."""
        release_lock(self.client, "technician", broken_for="it was taken for dead")
        for job in self.jobs.values():
            job.holds_lock = False

    def kill(self, name: str) -> None:
        if name in self.jobs:
            self.jobs.pop(name).kill()

    # Others

    def let_daemons_work(self) -> None:
        for name in NODES:
            self.daemon(name)

    def daemon(self, name: str) -> None:
        """The machine-config daemon of a node goes one step towards the desired configuration."""
        notes = self.notes(name)
        current, desired = notes[f"{DAEMON}currentConfig"], notes[f"{DAEMON}desiredConfig"]
        if current == desired:
            return
        if notes[f"{DAEMON}state"] != "Working":
            self.annotate(name, state="Working")
            return
        boot = {"status": {"nodeInfo": {"bootID": str(uuid.uuid4())}}}
        self.rest.merge(f"{NODE_PATH}/{name}/status", boot)
        self.annotate(name, state="Done", currentConfig=desired)

    def change_window(self) -> None:
        self.window.is_open = not self.window.is_open

    def lose_the_journal(self) -> None:
        self.rest.delete(OWN)

    # What always holds

    @invariant()
    def one_node_at_a_time(self) -> None:
        assert len(self.under_way()) <= 1

    @invariant()
    def no_cordon_without_a_record(self) -> None:
        cordoned = {node["metadata"]["name"] for node in self.nodes() if node["spec"].get("unschedulable")}
        assert cordoned <= self.under_way()

    @invariant()
    def a_configuration_is_assigned_to_a_drained_node_alone(self) -> None:
        for node in self.nodes():
            notes, record = node["metadata"].get("annotations") or {}, NodeRecord.of(node)
            if notes[f"{DAEMON}currentConfig"] != notes[f"{DAEMON}desiredConfig"]:
                assert record is not None
                assert record.resumes_in == "rebooting"

    def finish(self) -> None:
        """Whatever has happened, one undisturbed job brings everything to its end, and leaves it as it was found."""
        self.window.is_open = True
        for job in self.jobs.values():
            job.kill()
        last = ProcessWriter(self.client, "last", self.window)
        self.jobs["last"] = last
        for _move in range(ENOUGH_MOVES):
            if last.move() == last.outcome:
                break
            self.let_daemons_work()
        assert last.outcome == "done"
        assert self.under_way() == set()
        for pool in POOLS:
            assert not self.rest.get(f"{POOL_PATH}/{pool}")["spec"].get("paused")
        for node in self.nodes():
            name = node["metadata"]["name"]
            assert not node["spec"].get("unschedulable"), name
            assert self.notes(name)[f"{DAEMON}currentConfig"] == rendered_name(name.partition("-")[0], TARGET)

    # What is read and written

    def nodes(self) -> list[Json]:
        items: list[Json] = self.rest.get(NODE_PATH)["items"]
        return items

    def notes(self, name: str) -> dict[str, str]:
        found: dict[str, str] = self.rest.get(f"{NODE_PATH}/{name}")["metadata"]["annotations"]
        return found

    def versions(self) -> dict[str, str]:
        """Return the version of each node and pool."""
        found = [*self.nodes(), *self.rest.get(POOL_PATH)["items"]]
        return {one["metadata"]["name"]: one["metadata"]["resourceVersion"] for one in found}

    def annotate(self, name: str, **notes: str) -> None:
        changed = {f"{DAEMON}{key}": value for key, value in notes.items()}
        self.rest.merge(f"{NODE_PATH}/{name}", {"metadata": {"annotations": changed}})

    def under_way(self) -> set[str]:
        """Return the nodes that a record shows to be started and not ended."""
        records = {node["metadata"]["name"]: NodeRecord.of(node) for node in self.nodes()}
        return {name for name, record in records.items() if record and record.is_under_way}

    def change_pool(self, pool: str, change: Json) -> None:
        changed = self.rest.merge(f"{POOL_PATH}/{pool}", change)
        seen = {"observedGeneration": changed["metadata"]["generation"]}
        self.rest.merge(f"{POOL_PATH}/{pool}/status", {"status": seen})


def test_any_order_of_jobs_kills_daemons_and_windows(server: ApiServer) -> None:
    run(server, examples=5)


@pytest.mark.long
def test_many_more_orders(server: ApiServer) -> None:
    run(server, examples=200)


def run(server: ApiServer, examples: int) -> None:
    TwoWriters.server = server
    case = TwoWriters.TestCase
    case.settings = settings(
        max_examples=examples,
        stateful_step_count=50,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],  # to shorten a failure takes longer than to read it
    )
    case().runTest()
