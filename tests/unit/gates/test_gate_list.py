# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which gates there are: every folder of integration tests is in one, what is long in one of ``make test-all``."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.tests.gates.gate_list import (
    INTEGRATION,
    NEWEST,
    ON_HOSTS,
    further_gates,
    integration_gates,
)

FOLDERS = sorted({path.parent.name for path in INTEGRATION.glob("*/test_*.py")})


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_folder_is_in_a_gate(folder: str) -> None:
    names = {gate.name for gate in (*integration_gates(), *further_gates())}
    assert names & {f"integration {folder}, core {NEWEST}", f"long integration {folder}, core {NEWEST}"}


def test_folders_on_hosts_exist_and_run_one_after_another() -> None:
    assert set(ON_HOSTS) <= set(FOLDERS)
    shared = {gate.name: gate.shares for gate in integration_gates()}
    assert {shared.get(f"integration {folder}, core {NEWEST}", "hosts") for folder in ON_HOSTS} == {"hosts"}


def test_what_is_long_throughout_is_in_no_gate_of_a_change() -> None:
    assert f"integration image_stores, core {NEWEST}" not in {gate.name for gate in integration_gates()}
    assert f"long integration image_stores, core {NEWEST}" in {gate.name for gate in further_gates()}
