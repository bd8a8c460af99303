# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Removing the pods of a node: all at once, each by its UID, again and again where a budget says not yet."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import Answer
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import (
    DrainBlockedError,
    DrainRefusedError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.drain_progress import (
    DrainProgress,
    PodProgress,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.eviction_answers import (
    ACCEPTED,
    BLOCKED,
    GONE,
    REFUSED,
    EvictionAnswer,
    EvictionFate,
    fate_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pod_filters import (
    REFUSE,
    DrainRules,
    PodPlan,
    Surroundings,
    plan_pods,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import DAEMON_SET, POD

PARALLEL = 10
_LOOK_EVERY = 1.0

WAIT, FAIL, DELETE = "wait", "fail", "delete"
_ETCD = "openshift-etcd"


@dataclass(frozen=True)
class EvictionOptions:
    """How pods are removed; ``grace_period`` in seconds, None for each pod's own, and 0 means at once.

    ``budget_strategy`` says what becomes of pods that a budget holds back still, ``budget_timeout`` seconds after the
    cordon: WAIT for the deadline, FAIL at once, or DELETE them. Zero seconds mean that it never comes to that.
    """

    rules: DrainRules
    grace_period: int | None = None
    disable_eviction: bool = False
    selector: str = ""
    budget_timeout: int = 0
    budget_strategy: str = WAIT

    def is_overdue(self, since: datetime | None, now: datetime) -> bool:
        """Whether budgets have held pods back for too long by ``now``; the cordon was set at ``since``."""
        if self.budget_timeout <= 0 or since is None:
            return False
        return (now - since).total_seconds() >= self.budget_timeout


class NodeEmptying:
    """The removal of the pods of one node; remembers them from step to step as long as it lives."""

    def __init__(self, client: ClusterClient, node: str, options: EvictionOptions) -> None:
        self._client = client
        self._node = node
        self._options = options
        self._overdue = False
        self.progress = DrainProgress()

    def check(self) -> None:
        """Raise DrainRefusedError if pods that are on the node now may not go; nothing is written."""
        self._refuse(self._plans(self._listed(), None))

    def step(
        self, cordoned_at: datetime | None, deadline: Deadline, *, held: Deadline, overdue: bool = False
    ) -> DrainProgress:
        """Remove what can be removed before ``deadline`` and return how far that came.

        ``held`` is until when the node is taken to be the caller's; ``overdue`` says that budgets have had their time.
        Raise DrainRefusedError before the first eviction if pods
        may not go, DrainBlockedError when none of the remaining pods can be evicted, and ApiError when pods cannot be
        listed.
        """
        self._overdue = overdue and not self._client.dry_run
        self._plan(cordoned_at)
        if self._client.dry_run:
            self._ask_all(self.progress.due(0.0))
            return self.progress
        while True:
            self._ask_due(held)
            if self.progress.is_over or self._gives_up or deadline.expired:
                break
            deadline.pause(_LOOK_EVERY)
            self.progress.look(self._listed(), self._now)
        self._refuse_blocked()
        return self.progress

    def _plan(self, cordoned_at: datetime | None) -> None:
        pods = self._listed()
        plans = self._plans(pods, cordoned_at)
        self.progress.plan(plans)
        self.progress.look(pods, self._now)
        self._refuse(plans)

    def _plans(self, pods: Mapping[str, Mapping[str, t.Any]], cordoned_at: datetime | None) -> list[PodPlan]:
        daemons = {
            (found["metadata"]["namespace"], found["metadata"]["name"])
            for found in self._client.list_objects(DAEMON_SET)
        }
        around = Surroundings(daemons, self._client.clock.utcnow(), cordoned_at)
        return plan_pods(list(pods.values()), self._options.rules, around)

    def _listed(self) -> dict[str, Mapping[str, t.Any]]:
        fields = f"spec.nodeName={self._node}"
        pods = self._client.list_objects(POD, labels=self._options.selector, fields=fields)
        return {pod["metadata"]["uid"]: pod for pod in pods}

    def _ask_due(self, held: Deadline) -> None:
        while not held.expired and (pods := self.progress.due(self._now)):
            self._ask_all(pods)

    def _ask_all(self, pods: list[PodProgress]) -> None:
        if not pods:
            return
        with ThreadPoolExecutor(min(PARALLEL, len(pods))) as pool:
            fates = list(pool.map(self._ask, pods))
        for pod, fate in zip(pods, fates):
            self.progress.take(pod, fate, self._now)

    def _ask(self, pod: PodProgress) -> EvictionFate:
        plan = pod.plan
        if self._options.disable_eviction:
            return self._delete(plan)
        grace = self._options.grace_period
        fate = fate_of(_as_plan(self._client.evict(plan.name, plan.namespace, uid=plan.uid, grace_period=grace)))
        # The guards of etcd are its quorum; no clock makes it right to pass over them.
        may_delete = self._overdue and self._options.budget_strategy == DELETE and plan.namespace != _ETCD
        return self._delete(plan) if fate.kind == BLOCKED and may_delete else fate

    def _delete(self, plan: PodPlan) -> EvictionFate:
        grace = self._options.grace_period
        try:
            found = self._client.delete(POD, plan.name, plan.namespace, uid=plan.uid, grace_period=grace)
        except ApiError as error:
            return fate_of(_as_plan(error.answer))
        return EvictionFate(ACCEPTED if found else GONE)

    @property
    def _now(self) -> float:
        return self._client.clock.monotonic()

    def _refuse(self, plans: list[PodPlan]) -> None:
        refused = [plan for plan in plans if plan.action == REFUSE]
        if not refused:
            return
        told = DrainProgress()
        told.plan(plans)
        raise DrainRefusedError(
            "drain the node",
            on=f"Node {self._node}",
            seen=f"{len(refused)} pods must not be removed: "
            f"{'; '.join(f'{plan.title}: {plan.reason}' for plan in refused)}",
            advice="Nothing was evicted. Move these pods manually, or permit their removal with the named option.",
            partial={"pods": told.as_data()},
        )

    @property
    def _gives_up(self) -> bool:
        """Whether budgets have had their time, still hold pods back, and that must be an error."""
        overdue = self._overdue and self._options.budget_strategy == FAIL
        return overdue and bool(self.progress.with_fate(BLOCKED))

    def _refuse_blocked(self) -> None:
        if self._gives_up:
            raise DrainBlockedError(
                "drain the node",
                on=f"Node {self._node}",
                seen=f"{self._options.budget_timeout} s after its cordon: {self.progress.sentence}",
                advice="Start the pods that the budgets count, or relax the budgets, then run this again.",
                partial={"pods": self.progress.as_data()},
            )
        refused = self.progress.with_fate(REFUSED)
        if not refused or self.progress.open:
            return
        raise DrainBlockedError(
            "drain the node",
            on=f"Node {self._node}",
            seen="; ".join(f"{pod.plan.title}: {pod.reason}" for pod in refused),
            advice="Fix the named cause, then run this again. Further waiting does not change it.",
            partial={"pods": self.progress.as_data()},
        )


def _as_plan(answer: Answer) -> EvictionAnswer:
    causes = tuple((cause.reason, cause.message) for cause in answer.causes)
    return EvictionAnswer(
        answer.status, answer.reason, answer.message, causes, answer.retry_after, transient=answer.transient
    )
