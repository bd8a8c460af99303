# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Where a drain stands: every pod, its fate and its times."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.eviction_answers import (
    ACCEPTED,
    BLOCKED,
    GONE,
    REFUSED,
    EvictionFate,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.pod_filters import LEAVE, REMOVE, PodPlan
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.listing import listed

WAITING = "waiting"
TERMINATING = "terminating"
REMOVED = "removed"
LEFT = "left"
SCOUT_SECONDS = 1.0
"""How often one pod of each budget that holds pods back asks whether it still does."""
STUCK_AFTER = 60.0
"""Seconds beyond its grace after which a terminating pod is called stuck."""


@dataclass
class PodProgress:
    """One pod in a drain; ``fate`` is WAITING, BLOCKED, TERMINATING, REMOVED, LEFT or REFUSED, times in seconds."""

    plan: PodPlan
    fate: str = WAITING
    reason: str = ""
    budget: str = ""
    asked: float | None = None
    ended: float | None = None
    due: float = 0.0
    tried: float = 0.0
    tries: int = 0
    finalizers: tuple[str, ...] = field(default=())

    @property
    def is_open(self) -> bool:
        """Whether the pod still has to go and may do so."""
        return self.fate in (WAITING, BLOCKED, TERMINATING)

    def take(self, fate: EvictionFate, now: float) -> None:
        """Take in what an attempt to remove the pod came to."""
        self.tries += 1
        self.tried = now
        self.asked = now if self.asked is None else self.asked
        self.reason, self.budget = fate.reason, fate.budget
        if fate.kind == ACCEPTED:
            self.fate = TERMINATING
        elif fate.kind == GONE:
            self._end(REMOVED, now)
        elif fate.kind == REFUSED:
            self._end(REFUSED, now)
        else:
            self.fate = BLOCKED if fate.kind == BLOCKED else WAITING
            self.due = now + fate.again_in

    def look(self, pod: Mapping[str, t.Any] | None, now: float) -> None:
        """Take in the pod as it was last listed, None once it is not there any more."""
        if not self.is_open:
            return
        if pod is None:
            self._end(REMOVED, now)
        elif pod["metadata"].get("deletionTimestamp"):
            self.fate = TERMINATING
            self.budget = ""
            self.asked = now if self.asked is None else self.asked
            self.finalizers = tuple(pod["metadata"].get("finalizers") or ())
            self.reason = self._why_terminating(pod, now)

    def as_data(self) -> dict[str, t.Any]:
        """Return the pod as module results show it."""
        seconds = round(self.ended - self.asked, 1) if self.ended is not None and self.asked is not None else None
        return {
            "namespace": self.plan.namespace,
            "name": self.plan.name,
            "uid": self.plan.uid,
            "fate": self.fate,
            "reason": self.reason,
            "budget": self.budget,
            "tries": self.tries,
            "seconds": seconds,
        }

    def _end(self, fate: str, now: float) -> None:
        self.fate = fate
        self.ended = now
        if fate == REMOVED:
            self.reason, self.budget = "", ""

    def _why_terminating(self, pod: Mapping[str, t.Any], now: float) -> str:
        grace = float(pod["metadata"].get("deletionGracePeriodSeconds") or 0)
        held = f"held by finalizers {', '.join(self.finalizers)}" if self.finalizers else ""
        if self.asked is not None and now - self.asked > grace + STUCK_AFTER:
            return held or f"terminating for {now - self.asked:.0f} s with a grace period of {grace:.0f} s"
        return held


class DrainProgress:
    """All pods of a node by UID, in the order in which they were first seen."""

    def __init__(self) -> None:
        self._pods: dict[str, PodProgress] = {}
        self._giving_way: set[tuple[str, str]] = set()

    def plan(self, plans: Iterable[PodPlan]) -> None:
        """Take in what is planned; a pod that is known already keeps its history."""
        for plan in plans:
            if plan.uid not in self._pods:
                fate = WAITING if plan.action == REMOVE else LEFT if plan.action == LEAVE else REFUSED
                self._pods[plan.uid] = PodProgress(plan, fate=fate, reason=plan.reason)

    def look(self, listed: Mapping[str, Mapping[str, t.Any]], now: float) -> None:
        """Take in the pods that are on the node now, by UID."""
        for uid, pod in self._pods.items():
            pod.look(listed.get(uid), now)

    def take(self, pod: PodProgress, fate: EvictionFate, now: float) -> None:
        """Take in what an attempt to remove ``pod`` came to, and what that says of the budget that held it back."""
        budget = _budget(pod) if pod.fate == BLOCKED else None
        pod.take(fate, now)
        if budget and fate.kind == ACCEPTED:
            self._giving_way.add(budget)
        else:
            self._giving_way.discard(_budget(pod))

    def due(self, now: float) -> list[PodProgress]:
        """Return the pods whose removal to request now.

        Of the pods that a budget holds back one is tried often, and the next one as soon as it is evicted: so none
        waits long for a budget that permits it, and the server does not get requests for all of them.
        """
        due = [pod for pod in self._pods.values() if pod.fate in (WAITING, BLOCKED) and pod.due <= now]
        first = {_budget(pod): pod for pod in reversed(self.with_fate(BLOCKED))}
        scouts = [pod for pod in first.values() if self._may_scout(pod, now)]
        return [*due, *(pod for pod in scouts if pod not in due)]

    def _may_scout(self, pod: PodProgress, now: float) -> bool:
        return _budget(pod) in self._giving_way or pod.tried + SCOUT_SECONDS <= now

    def with_fate(self, *fates: str) -> list[PodProgress]:
        """Return the pods of these fates."""
        return [pod for pod in self._pods.values() if pod.fate in fates]

    @property
    def open(self) -> list[PodProgress]:
        """Return the pods that still have to go and may do so."""
        return [pod for pod in self._pods.values() if pod.is_open]

    @property
    def is_over(self) -> bool:
        """Whether further waiting changes nothing."""
        return not self.open

    def as_data(self) -> list[dict[str, t.Any]]:
        """Return all pods as module results show them."""
        return [pod.as_data() for pod in self._pods.values()]

    @property
    def sentence(self) -> str:
        """Where the drain stands, in plain words."""
        removed, remaining = len(self.with_fate(REMOVED)), self.open
        parts = [f"{removed} of {removed + len(remaining)} pods are removed"]
        blocked = self.with_fate(BLOCKED)
        if blocked:
            parts.append(f"{len(blocked)} held back: {listed(_held(pod) for pod in blocked)}")
        slow = [pod for pod in self.with_fate(TERMINATING, WAITING) if pod.reason]
        if slow:
            parts.append(f"{len(slow)} slow: {listed(f'{pod.plan.title} {pod.reason}' for pod in slow)}")
        return "; ".join(parts)


def _budget(pod: PodProgress) -> tuple[str, str]:
    return pod.plan.namespace, pod.budget


def _held(pod: PodProgress) -> str:
    budget = f"budget {pod.plan.namespace}/{pod.budget}" if pod.budget else "a budget"
    return f"{pod.plan.title} by {budget}, which {pod.reason}"
