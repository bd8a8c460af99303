# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A job in a thread of its own, which goes on by one request to the API at a time, and can be killed before each."""

from __future__ import annotations

import threading
import typing as t
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from types import SimpleNamespace

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import Answer
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import WRITE_VERBS, Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.outages import BROKEN
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Guard
from ansible_collections.fieldops.openshift.tests.integration.faults.rollout_writer import Writer
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._rollout.model.memory_cluster import (
    MemoryCluster,
)

LOST = Answer(None, reason=BROKEN, message="the connection was closed before the answer", transient=True)


class KilledError(BaseException):
    """Ends a job as SIGKILL does: nothing of it catches this."""


class SkewedClock:
    """The time of one job's machine, which is ``skew`` off; its sleep lets the time of all pass."""

    def __init__(self, cluster: MemoryCluster, skew: timedelta) -> None:
        self._cluster = cluster
        self._skew = skew

    def utcnow(self) -> datetime:
        return self._cluster.now + self._skew

    def monotonic(self) -> float:
        return self._cluster.now.timestamp()

    def sleep(self, seconds: float) -> None:
        self._cluster.pass_time(max(0.0, seconds))


class Job:
    """``watch`` is called with the job and each request and does it; ``outcome`` is empty while the job runs."""

    def __init__(
        self,
        name: str,
        cluster: MemoryCluster,
        pools: Sequence[str],
        guard: Callable[[Job], Guard],
        skew: timedelta,
        watch: Callable[[Job, Call], Answer],
    ) -> None:
        self.name = name
        self.outcome = ""
        self.basis: t.Any = None
        self.seen: dict[str, list[dict[str, t.Any]]] = {}
        self.loses_answers = 0
        self.access = SimpleNamespace(server="https://api.site.example:6443")
        self._watch = watch
        self._failure: BaseException | None = None
        self._killed = False
        self._requests = 0
        self._turn, self._stopped = threading.Semaphore(0), threading.Semaphore(0)
        client = ClusterClient(
            t.cast("t.Any", self.access), SkewedClock(cluster, skew), transport=t.cast("t.Any", self)
        )
        self._writer = Writer(client, name, pools, guard(self), process={})
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()
        self._stopped.acquire()

    def go_on(self, requests: int) -> None:
        """Let the job send so many further requests, or end; raise what went wrong in it."""
        if requests and not self.outcome:
            self._requests = requests
            self._turn.release()
            self._stopped.acquire()
        if self._failure:
            raise self._failure

    def kill(self) -> None:
        self._killed = True
        self._turn.release()
        self._thread.join()

    # What the client sees as its transport

    def send(self, call: Call, *, at_most: float = 0) -> Answer:  # noqa: ARG002
        if not self._requests:
            self._stopped.release()
            self._turn.acquire()
        if self._killed:
            raise KilledError
        self._requests -= 1
        answer = self._watch(self, call)
        if self.loses_answers and call.verb in WRITE_VERBS:
            self.loses_answers -= 1
            return LOST
        return answer

    def close(self) -> None:
        """Keep nothing open."""

    def _work(self) -> None:
        try:
            while not self._writer.outcome:
                self._writer.move()
            self.outcome = self._writer.outcome
        except FieldOpsError as error:
            self.outcome = str(error)
        except KilledError:
            self.outcome = "killed"
        except BaseException as error:
            self.outcome, self._failure = "broken", error
        self._stopped.release()
