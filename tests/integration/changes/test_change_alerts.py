# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The shipped alert rules, as Prometheus itself checks and tests them."""

from __future__ import annotations

import shutil
import subprocess
import typing as t
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS
from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.go import program

RULES = COLLECTIONS / "ansible_collections/fieldops/openshift/extensions/prometheus/change-management.rules.yml"
CASES = Path(__file__).with_name("change-management.test.yml")


@pytest.fixture(scope="module")
def promtool() -> Path:
    try:
        return program("promtool")
    except LabError as error:
        pytest.skip(f"promtool cannot be had: {error.line}")


def run(promtool: Path, *words: t.Any) -> str:
    done = subprocess.run([promtool, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_rules_are_valid(promtool: Path) -> None:
    assert "8 rules found" in run(promtool, "check", "rules", "--lint-fatal", RULES)


def test_alerts_are_true_between_two_runs(promtool: Path, tmp_path: Path) -> None:
    for file in (RULES, CASES):
        shutil.copy(file, tmp_path)
    run(promtool, "test", "rules", tmp_path / CASES.name)
