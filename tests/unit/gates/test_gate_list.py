# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which gates there are: every folder of integration tests is one, less what is long unless all is to be run."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.tests.gates.gate_list import (
    HOSTS,
    INTEGRATION,
    NEWEST,
    ON_HOSTS,
    SLOW,
    integration_gates,
)

FOLDERS = sorted({path.parent.name for path in INTEGRATION.glob("*/test_*.py")})
SHORT, WHOLE = ({gate.name: gate for gate in integration_gates(whole=whole)} for whole in (False, True))


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_folder_is_a_gate(folder: str) -> None:
    assert f"integration {folder}, core {NEWEST}" in WHOLE


def test_of_folders_on_hosts_two_run_at_once() -> None:
    assert {*ON_HOSTS, *SLOW} <= set(FOLDERS)
    assert {WHOLE[f"integration {folder}, core {NEWEST}"].shares for folder in ON_HOSTS} == {HOSTS}


def test_what_is_long_throughout_is_left_out_of_every_change() -> None:
    long = ("image_stores", "pages", "real_boots", "site_scenarios")
    assert set(WHOLE) - set(SHORT) == {f"integration {folder}, core {NEWEST}" for folder in long}
