# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Keeps work on a control-plane node from disturbing etcd: it pauses while the fsync latency of etcd is too high.

The job asks the member of its own node, whose disk it shares, at its metrics address, with the certificate that members
show to each other. So it needs neither API nor monitoring, which an etcd in trouble takes away first, and nothing stays
paused when the play or the job ends.
"""

from __future__ import annotations

import threading
import typing as t
from collections.abc import Callable, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._bundle_files.transfer_progress import TransferProgress
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.fsync_latency import (
    flush_buckets,
    slowest_between,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import MIB

CERTIFICATES = "/etc/kubernetes/static-pod-resources/etcd-certs"
"""Where the etcd pod of a node has its certificates. Source: cluster-etcd-operator, bindata/etcd/pod.gotpl.yaml."""

AUTHORITIES = ("configmaps/etcd-all-bundles/server-ca-bundle.crt", "configmaps/etcd-serving-ca/ca-bundle.crt")
"""The CA of the members, in newer releases and in older ones."""

METRICS = "https://localhost:9978/metrics"

LOOK_SECONDS = 5.0
"""How often the metrics are read: in a shorter time etcd flushes too seldom for a percentile."""

LONGEST_PAUSE = 60.0
"""The longest pause: then something else is slow. Receivers wait longer for a byte."""

_ANSWER_SECONDS = 4.0


class EtcdGate:
    """Passed by all threads of a job; closed while 99 of 100 flushes take up to more than ``limit`` seconds.

    ``read`` returns etcd's metrics and raises FieldOpsError; without it there is no etcd and the gate stays open.
    """

    def __init__(self, host: Host, limit: float, read: Callable[[], str] | None, say: Callable[[str], object]) -> None:
        self._clock = host.clock
        self._limit = limit
        self._read = read if limit > 0 else None
        self._say = say
        self._lock = threading.Lock()
        self._buckets: Mapping[float, float] = {}
        self._looked = self._clock.monotonic() - LOOK_SECONDS
        self._slowest: float | None = None
        self._worst = 0.0
        self._paused = 0.0
        self._problem = ""

    def pass_through(self) -> None:
        """Return at once while the gate is open; otherwise when it opens, at the latest after the longest pause."""
        if self._read is None:
            return
        with self._lock:
            if self._clock.monotonic() - self._looked >= LOOK_SECONDS:
                self._look()
                self._pause()

    def as_result(self) -> dict[str, t.Any]:
        """Return what the gate has done, as a part of the job's result; nothing where there was no etcd to ask."""
        if self._read is None and not self._problem:
            return {}
        told = {"limit_ms": _ms(self._limit), "slowest_ms": _ms(self._worst), "paused_seconds": round(self._paused, 1)}
        return {"etcd": {**told, "problem": self._problem}}

    def _pause(self) -> None:
        began = self._clock.monotonic()
        while self._is_closed:
            paused = self._clock.monotonic() - began
            if paused >= LONGEST_PAUSE:
                self._give_up(f"its fsync latency was {_ms(self._slowest or 0)} ms while this job was paused")
            else:
                self._say(f"paused: the fsync latency of etcd is {_ms(self._slowest or 0)} ms")
                self._clock.sleep(LOOK_SECONDS)
                self._look()
        self._paused += self._clock.monotonic() - began

    @property
    def _is_closed(self) -> bool:
        return self._read is not None and self._slowest is not None and self._slowest > self._limit

    def _look(self) -> None:
        self._looked = self._clock.monotonic()
        if self._read is None:
            return
        try:
            buckets = flush_buckets(self._read())
        except FieldOpsError as error:
            self._give_up(error.seen)
            return
        # Without a flush in between, one may be stuck: what was seen last counts on.
        slowest = slowest_between(self._buckets, buckets) if self._buckets else None
        self._slowest = self._slowest if slowest is None else slowest
        self._worst = max(self._worst, slowest or 0.0)
        self._buckets = buckets

    def _give_up(self, problem: str) -> None:
        self._read, self._problem = None, problem
        self._say(f"the latency of etcd is no longer checked: {problem}")


class GatedProgress(TransferProgress):
    """Counts bytes, and lets none be followed by others while the gate is closed."""

    gate: EtcdGate | None = None

    def arrived(self, count: int) -> None:
        """Count received bytes."""
        super().arrived(count)
        if self.gate is not None:
            self.gate.pass_through()


def etcd_gate(host: Host, limit: float, say: Callable[[str], object]) -> EtcdGate:
    """Return the gate of this node, which is open where no etcd runs."""
    return EtcdGate(host, limit, _metrics_of(host), say)


def _metrics_of(host: Host) -> Callable[[], str] | None:
    """Return what reads the metrics of the node's etcd, None where it has none."""
    base = host.path(CERTIFICATES)
    authority = next((name for name in AUTHORITIES if (base / name).exists()), None)
    # Each node has the certificates of all members, and members trust any of them.
    certificates = sorted(base.glob("secrets/etcd-all-certs/etcd-peer-*.crt"))
    if authority is None or not certificates:
        return None
    mine = certificates[0]
    command = ["curl", "--silent", "--show-error", "--fail", "--max-time", f"{_ANSWER_SECONDS:.0f}", "--noproxy", "*"]
    command += ["--cacert", f"{CERTIFICATES}/{authority}", "--cert", host.as_seen_by_host(mine)]
    command += ["--key", host.as_seen_by_host(mine.with_suffix(".key")), METRICS]

    def read() -> str:
        return host.run(command, deadline=Deadline(2 * _ANSWER_SECONDS, host.clock), limit=8 * MIB).stdout

    return read


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)
