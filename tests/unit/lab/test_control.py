# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A process that keeps a lab does what it is asked over its socket, whatever else is sent there."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.lab import control
from ansible_collections.fieldops.openshift.tests.lab.control import ask, control_of
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError


def refuse(place: str) -> None:
    raise LabError("break", on=place, seen="no such place", advice="Name another.")


def fail() -> None:
    raise ZeroDivisionError("a defect")


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    with control_of(tmp_path / "control", {"greet": lambda name: [f"hello {name}"], "refuse": refuse, "fail": fail}):
        yield tmp_path / "control"


def test_what_a_verb_returns_comes_back(path: Path) -> None:
    assert ask(path, "greet", name="worker-0") == ["hello worker-0"]
    assert ask(path, "greet", name='"\n') == ['hello "\n'], "any text is carried as it is"


def test_an_error_comes_back_with_all_its_parts(path: Path) -> None:
    with pytest.raises(LabError) as raised:
        ask(path, "refuse", place="worker-9")
    error = raised.value
    assert (error.attempted, error.on, error.seen) == ("break", "worker-9", "no such place")
    assert error.advice == "Name another."


def test_a_defect_is_an_answer_too_and_the_next_request_is_done(path: Path) -> None:
    with pytest.raises(LabError, match="ZeroDivisionError: a defect"):
        ask(path, "fail")
    assert ask(path, "greet", name="again") == ["hello again"]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(b"\n", id="nothing"),
        pytest.param(b"\xff\xfe\n", id="no text"),
        pytest.param(b"[1]\n", id="no object"),
        pytest.param(b'{"verb": "greet"}\n', id="no arguments"),
        pytest.param(b'{"verb": "greet", "arguments": ["name"]}\n', id="arguments without names"),
        pytest.param(b'{"verb": ["greet"], "arguments": {}}\n', id="a verb that is not a string"),
        pytest.param(b'{"verb": "__class__", "arguments": {}}\n', id="no verb of the lab"),
        pytest.param(b"x" * 2 * control.LONGEST, id="without end"),
    ],
)
def test_what_is_no_request_is_refused_and_harms_nobody_else(path: Path, line: bytes) -> None:
    with socket.socket(socket.AF_UNIX) as asking:
        asking.connect(str(path))
        asking.sendall(line)
        answer = json.loads(asking.makefile("rb").readline())
    assert "none of greet, refuse, fail" in answer["error"]["seen"]
    assert ask(path, "greet", name="next") == ["hello next"]


def test_a_verb_with_other_arguments_is_refused(path: Path) -> None:
    with pytest.raises(LabError, match="unexpected keyword argument"):
        ask(path, "greet", nome="x")


def test_one_who_says_nothing_is_not_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "SPEAK_SECONDS", 0.1)
    with control_of(path.with_name("impatient"), {"greet": lambda name: name}), socket.socket(socket.AF_UNIX) as silent:
        silent.connect(str(path.with_name("impatient")))
        assert ask(path.with_name("impatient"), "greet", name="next") == "next"


def test_a_keeper_that_has_gone_is_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(LabError, match="Is the lab still up"):
        ask(tmp_path / "control", "greet", name="x")
