# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

import os
import subprocess
import sys
import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.holder_process import (
    describe_process,
    is_gone,
)


@pytest.fixture
def child() -> t.Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        yield process
        process.kill()


def test_a_process_that_runs_is_not_gone(child: subprocess.Popen[bytes]) -> None:
    assert not is_gone(describe_process(child.pid))


def test_a_process_that_was_killed_is_gone(child: subprocess.Popen[bytes]) -> None:
    described = describe_process(child.pid)
    child.kill()
    child.wait()
    assert is_gone(described)


def test_another_process_of_the_same_number_is_not_the_one(child: subprocess.Popen[bytes]) -> None:
    assert is_gone({**describe_process(child.pid), "start": 1})


@pytest.mark.parametrize(
    "changed",
    [{"boot": "another"}, {"namespace": 1}, {"pid": None}, {"pid": 0}, {"pid": -1}, {"pid": "1"}, {"pid": 2**70}],
    ids=["another boot", "another container", "no number", "zero", "a group", "a text", "too large"],
)
def test_of_what_cannot_be_known_nothing_is_said(changed: dict[str, t.Any]) -> None:
    assert not is_gone({**describe_process(os.getpid()), **changed})


def test_a_process_that_is_not_there_has_no_description() -> None:
    assert describe_process(2**22 + 1) == {}
