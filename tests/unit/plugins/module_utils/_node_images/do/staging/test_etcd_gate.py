# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Work pauses while etcd's flushes are slow, never for long, and never because of what else is slow."""

from __future__ import annotations

import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.staging.etcd_gate import (
    CERTIFICATES,
    LONGEST_PAUSE,
    LOOK_SECONDS,
    EtcdGate,
    GatedProgress,
    etcd_gate,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils.conftest import FakeClock

LIMIT = 0.05
FAST, SLOW, STUCK = 0.008, 0.512, None
NAME = "etcd_disk_wal_fsync_duration_seconds_bucket"


class Etcd:
    """Flushes a hundred times between two looks, as long as ``latencies`` say; the last one stays."""

    def __init__(self, *latencies: float | None) -> None:
        self._latencies = list(latencies)
        self._fast = self._slow = 100
        self.looks = 0

    def metrics(self) -> str:
        self.looks += 1
        latency = self._latencies.pop(0) if len(self._latencies) > 1 else self._latencies[0]
        self._fast += 100 if latency == FAST else 0
        self._slow += 100 if latency is not None else 0
        counted = {str(FAST): self._fast, str(SLOW): self._slow, "+Inf": self._slow}
        return "".join(f'{NAME}{{le="{bound}"}} {count}\n' for bound, count in counted.items())


class NoProgress:
    """A reporter that keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def report(self, sentence: str | None = None, **_counts: t.Any) -> None:
        self.told.append(sentence or "")


@pytest.fixture
def host(tmp_path: Path, clock: FakeClock) -> Host:
    return Host(clock, tmp_path)


def passed(host: Host, clock: FakeClock, etcd: Etcd, times: int, limit: float = LIMIT) -> tuple[EtcdGate, float]:
    """Return the gate and the seconds that it held ``times`` passages up, each long enough after the one before."""
    gate = EtcdGate(host, limit, etcd.metrics, lambda _sentence: None)
    held = 0.0
    for _number in range(times):
        began = clock.monotonic()
        gate.pass_through()
        held += clock.monotonic() - began
        clock.advance(LOOK_SECONDS)
    return gate, held


@pytest.mark.parametrize(
    ("latencies", "held"),
    [
        ((FAST,), 0),
        ((FAST, FAST, SLOW, FAST), LOOK_SECONDS),
        ((FAST, SLOW, SLOW, SLOW, FAST), 3 * LOOK_SECONDS),
        ((SLOW, FAST), 0),
        ((FAST, SLOW, STUCK, STUCK, FAST), 3 * LOOK_SECONDS),
        ((STUCK,), 0),
    ],
    ids=["fast", "slow once", "slow for long", "slow before the first look", "a flush that is stuck", "no flush"],
)
def test_it_is_closed_while_flushes_are_slow(
    host: Host, clock: FakeClock, latencies: tuple[float | None, ...], held: float
) -> None:
    assert passed(host, clock, Etcd(*latencies), 5)[1] == held


def test_what_a_pause_does_not_make_faster_is_not_waited_for_again(host: Host, clock: FakeClock) -> None:
    gate, held = passed(host, clock, Etcd(FAST, SLOW), 20)
    assert held == LONGEST_PAUSE
    assert "while this job was paused" in gate.as_result()["etcd"]["problem"]


def test_without_a_limit_etcd_is_not_asked(host: Host, clock: FakeClock) -> None:
    etcd = Etcd(FAST, SLOW)
    gate, held = passed(host, clock, etcd, 5, limit=0)
    assert (held, etcd.looks, gate.as_result()) == (0, 0, {})


def test_it_is_asked_no_more_often_than_it_can_be_judged(host: Host) -> None:
    etcd = Etcd(FAST)
    gate = EtcdGate(host, LIMIT, etcd.metrics, lambda _sentence: None)
    for _number in range(100):
        gate.pass_through()
    assert etcd.looks == 1


def test_etcd_that_does_not_answer_holds_nothing_up(host: Host, clock: FakeClock) -> None:
    def refuse() -> str:
        raise FieldOpsError("ask", on="etcd", seen="connection refused", advice="Look.")

    gate = EtcdGate(host, LIMIT, refuse, lambda _sentence: None)
    gate.pass_through()
    assert clock.monotonic() == FakeClock().monotonic()
    assert gate.as_result()["etcd"]["problem"] == "connection refused"


def test_the_result_says_what_was_seen(host: Host, clock: FakeClock) -> None:
    gate, _held = passed(host, clock, Etcd(FAST, SLOW, FAST), 5)
    assert gate.as_result() == {
        "etcd": {"limit_ms": 50.0, "slowest_ms": pytest.approx(507, abs=1), "paused_seconds": 5.0, "problem": ""}
    }


def test_a_node_without_etcd_has_an_open_gate(host: Host) -> None:
    gate = etcd_gate(host, LIMIT, lambda _sentence: None)
    gate.pass_through()
    assert gate.as_result() == {}


@pytest.mark.parametrize(
    "authority", ["configmaps/etcd-all-bundles/server-ca-bundle.crt", "configmaps/etcd-serving-ca/ca-bundle.crt"]
)
def test_the_certificates_of_the_node_are_shown(host: Host, authority: str, monkeypatch: pytest.MonkeyPatch) -> None:
    base = host.path(CERTIFICATES)
    for name in (authority, "secrets/etcd-all-certs/etcd-peer-master-0.crt"):
        (base / name).parent.mkdir(parents=True)
        (base / name).write_text("")
    asked: list[str] = []

    def run(_host: Host, argv: list[str], **_options: t.Any) -> t.NoReturn:
        asked.extend(argv)
        raise FieldOpsError("run", on="the node", seen="connection refused", advice="Look.")

    monkeypatch.setattr(Host, "run", run)
    etcd_gate(host, LIMIT, lambda _sentence: None).pass_through()
    shown = dict(zip(asked, asked[1:], strict=False))
    assert shown["--cacert"] == f"{CERTIFICATES}/{authority}"
    assert shown["--cert"] == f"{CERTIFICATES}/secrets/etcd-all-certs/etcd-peer-master-0.crt"
    assert shown["--key"] == f"{CERTIFICATES}/secrets/etcd-all-certs/etcd-peer-master-0.key"


def test_bytes_that_arrive_pass_through_it(host: Host, clock: FakeClock) -> None:
    etcd, reporter = Etcd(FAST, SLOW, FAST), NoProgress()
    progress = GatedProgress(reporter, clock, "staged", 100)
    progress.gate = EtcdGate(host, LIMIT, etcd.metrics, progress.say)
    for _number in range(3):
        progress.arrived(10)
        clock.advance(LOOK_SECONDS)
    assert progress.received == 30
    assert any(told.startswith("paused: the fsync latency of etcd is 50") for told in reporter.told)
