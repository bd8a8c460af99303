# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A lab's clock is one file; programs that follow it are moved with it, and their waits are not."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.lab.clock import LabClock
from ansible_collections.fieldops.openshift.tests.lab.clock_overlay import CHANGES, write_overlay
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.workspace import Workspace

WAIT = """
import queue, time
started = time.monotonic()
try:
    queue.Queue().get(timeout=0.2)
except queue.Empty:
    print(time.monotonic() - started)
"""


@pytest.fixture
def clock(tmp_path: Path) -> LabClock:
    return LabClock(tmp_path)


def test_it_shows_the_machines_time_at_first(clock: LabClock) -> None:
    assert abs(clock.now().timestamp() - time.time()) < 1
    assert not clock.is_moved


@pytest.mark.parametrize(
    ("moment", "epoch"),
    [
        pytest.param("2027-03-14T01:59:00Z", 1804989540, id="UTC"),
        pytest.param("2027-03-14T01:59:00+01:00", 1804985940, id="offset"),
        pytest.param("1969-12-31T23:59:59Z", -1, id="before 1970"),
    ],
)
def test_it_goes_on_from_where_it_is_set(clock: LabClock, moment: str, epoch: int) -> None:
    clock.set(moment)
    assert 0 <= clock.now().timestamp() - epoch < 1
    clock.advance(3600)
    assert 3600 <= clock.now().timestamp() - epoch < 3601
    clock.reset()
    assert abs(clock.now().timestamp() - time.time()) < 1


def test_a_moment_without_a_time_zone_is_refused(clock: LabClock) -> None:
    with pytest.raises(LabError, match="no time zone"):
        clock.set("2027-03-14T01:59:00")


def test_programs_that_do_not_follow_it_are_named(clock: LabClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KUBEBUILDER_ASSETS", "/opt/kubebuilder/bin")
    with pytest.raises(LabError, match="/opt/kubebuilder/bin"):
        clock.advance(1)
    assert clock.offset == 0


def test_what_has_to_be_done_before_the_first_move_is_done_once(clock: LabClock) -> None:
    offsets: list[int] = []
    clock.on_first_move(lambda: offsets.append(clock.offset))
    clock.advance(1)
    clock.advance(1)
    clock.on_first_move(lambda: offsets.append(clock.offset))
    assert offsets == [0, 2 * 10**9]


@pytest.mark.parametrize("seconds", [0, 86400.5, -(10**9)])
@pytest.mark.parametrize(
    "program",
    [
        pytest.param(["date", "+%s.%N"], id="date"),
        pytest.param([sys.executable, "-c", "import time; print(time.time())"], id="time.time"),
        pytest.param(
            [sys.executable, "-c", "import datetime as d; print(d.datetime.now().timestamp())"], id="datetime"
        ),
    ],
)
def test_a_program_in_its_environment_shows_its_time(clock: LabClock, program: list[str], seconds: float) -> None:
    clock.advance(seconds)
    assert abs(float(run(clock, program)) - time.time() - seconds) < 2


def test_a_running_program_is_moved_too(clock: LabClock) -> None:
    script = "import time\nwhile True: input(); print(time.time(), flush=True)"
    environment = {**os.environ, **clock.environment}
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", script], env=environment, stdin=pipe, stdout=pipe, text=True) as play:
        assert abs(ask(play) - time.time()) < 2
        clock.advance(3600)
        assert abs(ask(play) - time.time() - 3600) < 2
        play.kill()


@pytest.mark.parametrize("seconds", [10**6, -(10**6)])
def test_a_wait_lasts_as_long_as_it_was_meant_to(clock: LabClock, seconds: int) -> None:
    clock.advance(seconds)
    assert 0.2 <= float(run(clock, [sys.executable, "-c", WAIT])) < 2


def test_every_process_of_a_workspace_can_find_the_clock() -> None:
    workspace = Workspace("test")
    try:
        shown = workspace.start("environment", ["printenv", "FIELDOPS_LAB_CLOCK"])
        assert shown.wait(10)
        assert shown.log.read_text().strip() == str(workspace.clock.file)
    finally:
        workspace.close()


def test_gos_sources_are_changed_where_they_are_as_expected(tmp_path: Path) -> None:
    overlay = write_overlay(tmp_path, go_root(tmp_path, [change.old for change in CHANGES]))
    assert str(tmp_path / "go/src/time/time.go") in overlay.read_text()
    assert "labWall" in (tmp_path / "0.go").read_text()


@pytest.mark.parametrize("text", ["", CHANGES[0].old * 2], ids=["gone", "twice"])
def test_a_go_whose_sources_are_others_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(LabError, match=r"time\.go"):
        write_overlay(tmp_path, go_root(tmp_path, [text, CHANGES[1].old]))


def go_root(directory: Path, texts: t.Sequence[str]) -> Path:
    for change, text in zip(CHANGES, texts):
        file = directory / "go" / change.file
        file.parent.mkdir(parents=True)
        file.write_text(text)
    return directory / "go"


def run(clock: LabClock, program: list[str]) -> str:
    environment = {**os.environ, **clock.environment}
    return subprocess.run(program, env=environment, capture_output=True, text=True, check=True).stdout


def ask(play: subprocess.Popen[str]) -> float:
    assert play.stdin
    assert play.stdout
    play.stdin.write("\n")
    play.stdin.flush()
    return float(play.stdout.readline())
