# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Work beside: what it answers is awaited by whoever knows its folder, also when its process is killed."""

from __future__ import annotations

import json
import os
import signal
import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.aside import answer_of, await_one, begin_aside


def waiting_for(pipe: int) -> t.Callable[[], str]:
    return lambda: json.dumps(os.read(pipe, 10).decode())


def test_the_answer_is_awaited(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    folder = begin_aside(tmp_path, waiting_for(reading))
    os.write(writing, b"done")
    assert answer_of(folder) == "done"


def test_nothing_is_left_of_it(tmp_path: Path) -> None:
    answer_of(begin_aside(tmp_path, lambda: "1"))
    assert list(tmp_path.iterdir()) == []


def test_works_go_on_at_the_same_time(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    late = begin_aside(tmp_path, waiting_for(reading))
    assert answer_of(begin_aside(tmp_path, lambda: "1")) == 1
    os.write(writing, b"late")
    assert answer_of(late) == "late"


def test_work_after_another_waits_for_its_end(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    done = tmp_path / "done"
    one = begin_aside(tmp_path, waiting_for(reading))
    other = begin_aside(tmp_path, lambda: json.dumps(done.write_text("")), after=one)
    assert answer_of(begin_aside(tmp_path, lambda: json.dumps(done.exists()))) is False
    os.write(writing, b"first")
    assert (answer_of(other), done.exists()) == (0, True)
    assert answer_of(one) == "first"


def test_work_after_one_whose_answer_was_taken_begins_at_once(tmp_path: Path) -> None:
    one = begin_aside(tmp_path, lambda: "1")
    answer_of(one)
    assert answer_of(begin_aside(tmp_path, lambda: "2", after=one)) == 2


def test_work_that_was_killed_has_no_answer(tmp_path: Path) -> None:
    reading, writing = os.pipe()

    def told_and_waiting() -> str:
        os.write(writing, str(os.getpid()).encode())
        signal.pause()
        return "1"

    folder = begin_aside(tmp_path, told_and_waiting)
    os.kill(int(os.read(reading, 10)), signal.SIGTERM)
    assert answer_of(folder) is None


def test_one_that_has_ended_is_enough(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    late = begin_aside(tmp_path, waiting_for(reading))
    begin_aside(tmp_path, lambda: "1")
    await_one()
    os.write(writing, b"late")
    assert answer_of(late) == "late"


def test_without_a_child_there_is_nothing_to_wait_for() -> None:
    for _number in range(3):
        await_one()
