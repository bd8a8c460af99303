# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Two jobs roll the same nodes, stopped and killed between any two requests, while people and daemons act.

The code of the jobs is that of the collection, down to the client; the API is one in memory.
"""

from __future__ import annotations

import itertools
import typing as t
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from hypothesis.strategies import integers, sampled_from

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import Answer
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate, Permission
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._rollout.model.expectations import (
    Basis,
    is_changing,
    is_started,
    require_permission,
    require_room,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._rollout.model.job import Job
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._rollout.model.site import (
    NODES,
    POOLS,
    RELEASES,
    Site,
)

JOBS = ("a", "b")
SKEWS = (timedelta(0), timedelta(hours=3), timedelta(hours=-3))
LEASE_SECONDS = 1000
ENOUGH_ROUNDS = 300

EVENTS: dict[str, Callable[[TwoJobs, str], None]] = {
    **{f"daemons work {often}": lambda model, _node: model.site.daemons_work() for often in ("often", "again")},
    "a window opens": lambda model, _node: model.site.open_window(7200),
    "a window shrinks": lambda model, _node: model.site.open_window(5),
    "a window closes": lambda model, _node: model.site.open_window(0),
    "a minute passes": lambda model, _node: model.site.cluster.pass_time(60),
    "locks expire": lambda model, _node: model.site.cluster.pass_time(LEASE_SECONDS),
    "job a is killed": lambda model, _node: model.kill("a"),
    "job b is killed": lambda model, _node: model.kill("b"),
    "job a loses an answer": lambda model, _node: model.lose_an_answer("a"),
    "a lock is broken": lambda model, _node: model.break_lock(),
    "the journal is deleted": lambda model, _node: model.site.cluster.remove("ConfigMap"),
    "the namespace is deleted": lambda model, _node: model.site.cluster.remove("ConfigMap", "Lease", "Namespace"),
    "a person cordons": lambda model, node: model.site.cordon(node),
    "a person uncordons": lambda model, node: model.site.uncordon(node),
    "a kubelet stops": lambda model, node: model.site.set_ready(node, ready=False),
    "a kubelet starts": lambda model, node: model.site.set_ready(node, ready=True),
    "two may be away": lambda model, node: model.site.change_pool(node.partition("-")[0], maxUnavailable=2),
    "half may be away": lambda model, node: model.site.change_pool(node.partition("-")[0], maxUnavailable="50%"),
    "one may be away": lambda model, node: model.site.change_pool(node.partition("-")[0], maxUnavailable=None),
    "a pool is rendered": lambda model, node: model.site.render(node.partition("-")[0], RELEASES[1]),
    "a pool is opened": lambda model, node: model.site.change_pool(node.partition("-")[0], paused=False),
    "a role changes": lambda model, node: model.site.change_role(node),
    "a machine is replaced": lambda model, node: model.site.replace_node(node),
}


class Window:
    """The change window of one job; what it answers is the basis of what the job does next."""

    def __init__(self, site: Site, job: Job) -> None:
        self._site = site
        self._job = job

    def ask(self, pool: str, estimate: Estimate) -> Permission:
        permitted = self._site.cluster.now + timedelta(seconds=estimate.seconds) < self._site.closes
        seen = self._job.seen
        self._job.basis = Basis(pool, permitted, seen["Node"], seen["MachineConfigPool"])
        return Permission(permitted, pool, "change is " + ("permitted" if permitted else "restricted"))


class TwoJobs(RuleBasedStateMachine):
    """Moves of jobs, and events in between."""

    site: Site

    def __init__(self) -> None:
        super().__init__()
        self.site = Site()
        self.jobs: dict[str, Job] = {}
        self._numbers = itertools.count(1)

    @rule(name=sampled_from(JOBS), requests=integers(1, 60))
    def move(self, name: str, requests: int) -> None:
        """A job sends its next requests; one that has ended is started again, as a schedule does."""
        job = self.jobs.get(name)
        if job is None or job.outcome:
            job = self.start(name)
        job.go_on(requests)

    @rule(event=sampled_from([*EVENTS]), node=sampled_from(NODES))
    def happen(self, event: str, node: str) -> None:
        EVENTS[event](self, node)

    def start(self, name: str) -> Job:
        self.kill(name)
        number = next(self._numbers)
        skew = SKEWS[number % len(SKEWS)]
        guard = partial(Window, self.site)
        self.jobs[name] = Job(f"{name}-{number}", self.site.cluster, [*POOLS], guard, skew, self.serve)
        return self.jobs[name]

    def kill(self, name: str) -> None:
        if name in self.jobs:
            self.jobs.pop(name).kill()

    def lose_an_answer(self, name: str) -> None:
        if name in self.jobs:
            self.jobs[name].loses_answers = 1

    def break_lock(self) -> None:
        """A technician takes a job for dead that lives."""
        if self.site.cluster.all_of("Lease"):
            self.site.cluster.write("Lease", "rollout", {"spec": {"holderIdentity": None}})

    # What always holds

    def serve(self, job: Job, call: Call) -> Answer:
        """Answer a request of a job, and hold that it may be made."""
        kind = call.kind.kind
        if call.subresource == "eviction":
            for pod in self.site.cluster.all_of(kind):
                if pod["metadata"]["name"] == call.name:
                    self.require_eviction(job, pod["spec"]["nodeName"])
        before = self.site.node(call.name or "") if kind == "Node" and call.verb == "patch" else None
        answer = self.site.cluster.answer(call)
        if call.verb == "list" and answer.body:
            job.seen[kind] = answer.body["items"]
        if before is not None and answer.ok:
            self.require_start(job, before, self.site.node(call.name or ""))
        return answer

    def require_start(self, job: Job, before: t.Any, after: t.Any) -> None:
        if is_started(after) and not is_started(before):
            require_permission(job.basis, after)
            require_room(job.basis, after, started_count=True)

    def require_eviction(self, job: Job, name: str) -> None:
        node = self.site.node(name)
        assert is_started(node), f"a pod of {name} is evicted although it has not started"
        require_permission(job.basis, node)
        require_room(job.basis, node, started_count=False)
        assert self.out_of_service() <= {name}, f"a pod of {name} is evicted while another node is out of service"

    def out_of_service(self) -> set[str]:
        """Return the nodes that jobs have taken out of service."""
        started = [name for name in NODES if is_started(self.site.node(name))]
        return {name for name in started if is_changing(self.site.node(name)) or not self.site.pods_on(name)}

    @invariant()
    def one_node_at_a_time(self) -> None:
        assert len(self.out_of_service()) <= 1

    @invariant()
    def cordons_have_a_record_or_a_person(self) -> None:
        cordoned = {name for name in NODES if self.site.node(name)["spec"].get("unschedulable")}
        started = {name for name in NODES if is_started(self.site.node(name))}
        assert self.site.cordoned_by_people <= cordoned <= started | self.site.cordoned_by_people

    def teardown(self) -> None:
        try:
            self.finish()
        finally:
            for name in [*self.jobs]:
                self.kill(name)

    def finish(self) -> None:
        """When nothing stands in the way any more, one job brings everything to its end."""
        self.site.heal()
        for name in JOBS:
            self.kill(name)
        self.site.cluster.pass_time(LEASE_SECONDS)
        job = self.start("last")
        for _round in range(ENOUGH_ROUNDS):
            job.go_on(20)
            if job.outcome:
                break
            self.site.daemons_work()
        assert job.outcome == "done", job.outcome
        for name in NODES:
            assert not is_started(self.site.node(name)), name
            assert not self.site.node(name)["spec"].get("unschedulable"), name
        assert not [pool for pool in POOLS if self.site.cluster.find("MachineConfigPool", pool)["spec"].get("paused")]


@pytest.mark.parametrize(
    ("requests", "seconds", "evicted"),
    [
        pytest.param(0, 0, 0, id="before it looks: the other job may not have seen the cordon"),
        pytest.param(2, 0, 1, id="after it has looked: the other job sees the cordon"),
        pytest.param(2, LEASE_SECONDS, 0, id="long after it has looked: the other job may have rolled the node"),
    ],
)
def test_what_a_job_evicts_whose_lock_is_lost_after_its_cordon(requests: int, seconds: float, evicted: int) -> None:
    model = TwoJobs()
    model.site.open_window(7200)
    job = model.start("a")
    while not any(is_started(model.site.node(name)) for name in NODES):
        job.go_on(1)
    job.go_on(requests)
    model.break_lock()
    model.site.cluster.pass_time(seconds)
    job.go_on(100)
    model.kill("a")
    assert job.outcome == "lost the lock"
    assert len(NODES) - len(model.site.cluster.all_of("Pod")) == evicted


def test_two_jobs_between_any_two_requests() -> None:
    run(examples=25)


@pytest.mark.long
def test_many_more_orders() -> None:
    run(examples=2000)


def run(examples: int) -> None:
    case = TwoJobs.TestCase
    case.settings = settings(
        max_examples=examples, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
    )
    case().runTest()
