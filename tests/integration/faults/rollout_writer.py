# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A job that rolls nodes, taken step by step, so that it can be killed between any two of them."""

from __future__ import annotations

import typing as t
from collections.abc import Iterator, Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.drain import NodeDrain
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.drain_options import (
    DRAIN_OPTIONS,
    drain_request,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.lock import (
    release_lock,
    take_lock,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.node_config import (
    NODE_CONFIG_OPTIONS,
    node_config_step,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.pool_step import POOL_OPTIONS, pool_step
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.read_rollout import (
    NODE_BY_NODE,
    SELECTION_OPTIONS,
    choose_next,
    read_rollout,
    selection_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.record import record_step
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import LockHeldError, LockLostError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.node_record import REBOOTING
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Guard

ROLLOUT, TARGET = "model", "4.21.5"
Options = dict[str, t.Any]


def filled(options: Mapping[str, Mapping[str, t.Any]], **given: t.Any) -> Options:
    """Return the parameters of a module: those given, and the defaults of the others."""
    return {**{name: option.get("default") for name, option in options.items()}, **given}


class Writer:
    """One job; ``outcome`` is why it ended, empty while it runs.

    ``holds_lock`` is true from the step that takes the lock; who breaks the lock sets it to false. ``process`` is what
    the lock says of the job's process.
    """

    def __init__(
        self, client: ClusterClient, name: str, pools: Sequence[str], guard: Guard, process: Mapping[str, t.Any]
    ) -> None:
        self._client = client
        self._pools = pools
        self._guard = guard
        self._claim = {"id": ROLLOUT, "target": TARGET, "holder": name}
        self._process = process
        self._steps = self._work()
        self.outcome = ""
        self.holds_lock = False

    def move(self) -> str:
        """Take the next step and return its name, which is the outcome once the job has ended."""
        if not self.outcome:
            try:
                return next(self._steps)
            except StopIteration as ended:
                self.outcome = str(ended.value)
            except (LockHeldError, LockLostError):  # the latter in a step, the former where it is released
                self.outcome = "lost the lock"
        return self.outcome

    def _work(self) -> t.Generator[str, None, str]:
        while True:
            try:
                take_lock(self._client, self._claim["holder"], self._process)
                self.holds_lock = True
                break
            except LockHeldError:
                yield "waits for the lock"
        yield "took the lock"
        for pool in self._pools:
            self._pool(pool, paused=True, reason="model")
            yield f"paused {pool}"
        outcome = yield from self._nodes()
        for pool in read_rollout(self._client, self._selection)["pools"]:
            if pool["standing"] == "updated":
                self._pool(pool["name"], restored=True)
                yield f"restored {pool['name']}"
        release_lock(self._client, self._claim["holder"])
        return outcome

    def _nodes(self) -> t.Generator[str, None, str]:
        while True:
            chosen = choose_next(self._client, self._selection, self._guard, ())
            if chosen["ended"]:
                return str(chosen["ended"]["outcome"])
            name = chosen["node"]["name"]
            # The permission and the cordon are one step: what is between them in a play is not worth a test.
            yield from self._roll(name, resumed=chosen["node"]["resumes_in"] == REBOOTING)

    def _roll(self, name: str, *, resumed: bool) -> Iterator[str]:
        if not resumed:
            while not self._drain(name, "drained"):
                yield f"drains {name}"
            yield f"drained {name}"
        record_step(self._client, {"node": name, "phase": REBOOTING, "reason": "", "rollout": self._claim})
        yield f"recorded the reboot of {name}"
        options = filled(NODE_CONFIG_OPTIONS, name=name, rollout=self._claim)
        while not node_config_step(self._client, options).done:
            yield f"waits for the daemon of {name}"
        yield f"saw {name} updated"
        self._drain(name, "schedulable")
        yield f"uncordoned {name}"

    def _drain(self, name: str, state: str) -> bool:
        options = filled(DRAIN_OPTIONS, name=name, state=state, rollout=self._claim)
        return NodeDrain(self._client, drain_request(options), Deadline(20, self._client.clock)).step().done

    def _pool(self, name: str, **options: t.Any) -> None:
        pool_step(self._client, filled(POOL_OPTIONS, name=name, rollout=self._claim, **options))

    @property
    def _selection(self) -> t.Any:
        given = {"id": ROLLOUT, "target": TARGET, "pools": self._pools, "method": NODE_BY_NODE}
        return selection_of(filled(SELECTION_OPTIONS, **given))
