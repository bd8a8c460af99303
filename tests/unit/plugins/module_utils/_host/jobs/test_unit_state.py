# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""``systemctl show`` as systemd 252 prints it, and what it means."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.unit_state import UnitState, parse_unit


def shown(load: str, active: str) -> str:
    return f"LoadState={load}\nActiveState={active}\n"


@pytest.mark.parametrize(
    ("text", "alive", "known"),
    [
        pytest.param(shown("loaded", "active"), True, True, id="running"),
        pytest.param(shown("loaded", "activating"), True, True, id="starting"),
        pytest.param(shown("loaded", "deactivating"), True, True, id="stopping"),
        pytest.param(shown("loaded", "failed"), False, True, id="ended-badly"),
        pytest.param(shown("loaded", "inactive"), False, True, id="stopped"),
        pytest.param(shown("not-found", "inactive"), False, False, id="collected-or-never-there"),
        pytest.param("", False, False, id="nothing"),
    ],
)
def test_what_a_state_means(text: str, alive: bool, known: bool) -> None:
    state = parse_unit(text)
    assert (state.is_alive, state.is_known) == (alive, known)


def test_values_may_contain_what_separates_and_lines_may_be_anything() -> None:
    assert parse_unit("ActiveState=a=b\nnonsense\nLoadState=\n") == UnitState("", "a=b")
