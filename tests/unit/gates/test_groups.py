# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A group of gates: what cannot run on this machine is named and counts as nothing, what failed as a failure."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.gates.__main__ import GROUPS, main
from ansible_collections.fieldops.openshift.tests.gates.side_by_side import Gate
from ansible_collections.fieldops.openshift.tests.gates.workplace import GateError, Workplace


def _breaks(_place: Workplace) -> str:
    raise GateError("it broke")


GOOD = Gate("good", lambda _place: "")
BROKEN = Gate("broken", _breaks)
ELSEWHERE = Gate("elsewhere", _breaks, lacks=lambda: "it needs root")
REASON = "promtool cannot be had: no proxy"
OUTPUT = f"SKIPPED [1] test_x.py:30: {REASON}\nSKIPPED [1] test_x.py:40: {REASON}\n6 passed, 2 skipped in 3 s\n"
PARTLY = Gate("partly", lambda _place: OUTPUT)
NOT_ALL = f"NOT RUN on this machine: 2 tests of partly: {REASON}\n"
NOT_RUN = "NOT RUN on this machine: elsewhere: it needs root\n"


@pytest.mark.parametrize(
    ("gates", "status", "said", "warned"),
    [
        pytest.param([GOOD], 0, "1 passed, 0 failed, 0 skipped", "", id="all pass"),
        pytest.param([GOOD, BROKEN], 1, "1 passed, 1 failed, 0 skipped", "failed: broken\n", id="one fails"),
        pytest.param(
            *([GOOD, ELSEWHERE], 0, "1 passed, 0 failed, 1 skipped", NOT_RUN),
            id="one cannot run here",
        ),
        pytest.param(
            *([ELSEWHERE], 1, "0 passed, 0 failed, 1 skipped", NOT_RUN),
            id="none can run here",
        ),
        pytest.param(
            *([PARTLY], 0, "1 passed, 0 failed, 0 skipped, 2 tests skipped in", NOT_ALL),
            id="some of its tests cannot run here",
        ),
    ],
)
def test_a_group_says_what_became_of_each_gate(
    gates: list[Gate],
    status: int,
    said: str,
    warned: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(GROUPS, "lint", lambda: gates)
    monkeypatch.setenv("FIELDOPS_CACHE", str(tmp_path))
    assert main(["lint"]) == status
    output, errors = capsys.readouterr()
    assert said in output
    assert warned in errors


def _sees(place: Workplace) -> str:
    (place.seen / "one.json").write_text('{"documented": ["m.images", "m.images.name"], "seen": ["m.images"]}')
    return ""


@pytest.mark.parametrize(
    ("gates", "arguments", "status"),
    [
        pytest.param([Gate("sees", _sees)], ["test-all"], 1, id="of a whole run"),
        pytest.param([Gate("sees", _sees)], ["test"], 0, id="without what is long"),
        pytest.param([Gate("sees", _sees)], ["test-all", "see"], 0, id="of chosen gates"),
        pytest.param([Gate("sees", _sees), ELSEWHERE], ["test-all"], 0, id="of a machine that cannot run all"),
    ],
)
def test_what_is_documented_and_was_never_seen_fails_a_whole_run(
    gates: list[Gate],
    arguments: list[str],
    status: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(GROUPS, arguments[0], lambda: gates)
    monkeypatch.setenv("FIELDOPS_CACHE", str(tmp_path))
    assert main(arguments) == status
    assert ("in no result of any test: m.images.name" in capsys.readouterr().err) is bool(status)
