# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""``systemctl show`` as systemd 252 prints it, and what it means."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.unit_state import UnitState, parse_unit


def shown(**given: object) -> str:
    values = {"LoadState": "loaded", "ActiveState": "active", "SubState": "running", "Result": "success", **given}
    return "".join(f"{name}={value}\n" for name, value in values.items())


RUNNING = shown(ExecMainCode=0, ExecMainStatus=0, MainPID=4711)
EXITED = shown(SubState="exited", ExecMainCode=1, ExecMainStatus=0, MainPID=0)
FAILED = shown(ActiveState="failed", SubState="failed", Result="exit-code", ExecMainCode=1, ExecMainStatus=3, MainPID=0)
KILLED = shown(ActiveState="failed", SubState="failed", Result="signal", ExecMainCode=2, ExecMainStatus=9, MainPID=0)
STOPPED = shown(ActiveState="inactive", SubState="dead", ExecMainCode=2, ExecMainStatus=15, MainPID=0)
UNKNOWN = shown(LoadState="not-found", ActiveState="inactive", SubState="dead", ExecMainCode=0, ExecMainStatus=0)
STOPPING = shown(ActiveState="deactivating", SubState="stop-sigterm", ExecMainCode=0, ExecMainStatus=0, MainPID=4711)


@pytest.mark.parametrize(
    ("text", "alive", "succeeded", "failed", "known"),
    [
        pytest.param(RUNNING, True, False, False, True, id="running"),
        pytest.param(shown(ActiveState="activating", SubState="start"), True, False, False, True, id="starting"),
        pytest.param(STOPPING, True, False, False, True, id="stopping"),
        pytest.param(EXITED, False, True, False, True, id="ended-well-and-kept"),
        pytest.param(FAILED, False, False, True, True, id="ended-badly"),
        pytest.param(KILLED, False, False, True, True, id="killed"),
        pytest.param(STOPPED, False, False, False, True, id="stopped"),
        pytest.param(UNKNOWN, False, False, False, False, id="collected-or-never-there"),
        pytest.param("", False, False, False, False, id="nothing"),
    ],
)
def test_what_a_state_means(text: str, alive: bool, succeeded: bool, failed: bool, known: bool) -> None:
    state = parse_unit(text)
    assert (state.is_alive, state.has_succeeded, state.has_failed, state.is_known) == (alive, succeeded, failed, known)


@pytest.mark.parametrize(("text", "rc"), [(EXITED, 0), (FAILED, 3), (KILLED, -9), (RUNNING, 0)])
def test_the_status_is_that_of_a_process(text: str, rc: int) -> None:
    assert parse_unit(text).rc == rc


def test_every_property_is_taken() -> None:
    assert parse_unit(RUNNING) == UnitState("loaded", "active", "running", "success", 0, 0, 4711)


def test_values_may_contain_what_separates_and_lines_may_be_anything() -> None:
    state = parse_unit("Result=a=b\nnonsense\nMainPID=[not set]\nExecMainStatus=\n")
    assert (state.result, state.main_pid, state.main_status) == ("a=b", 0, 0)
