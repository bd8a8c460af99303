# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is installed on sites: all that runs there, and of tests only what ansible-test asks for."""

from __future__ import annotations

import sys
import typing as t
from dataclasses import replace
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.gates import archive
from ansible_collections.fieldops.openshift.tests.gates.workplace import Workplace

ROOT = Path(__file__).parents[3]
RUNS_THERE = ("docs", "extensions", "meta", "playbooks", "plugins", "roles")


def files(root: Path, folder: str) -> set[str]:
    found = (path for path in (root / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path.relative_to(root)) for path in found}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> t.Iterator[Workplace]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(archive, "virtual_environment", lambda _place, _name: Path(sys.prefix))
        yield replace(Workplace.here(), cache=tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def installed(place: Workplace) -> Path:
    return archive.installed_tree(place)


@pytest.mark.parametrize("folder", RUNS_THERE)
def test_all_that_runs_on_a_site_is_installed(installed: Path, folder: str) -> None:
    assert files(installed, folder) == files(ROOT, folder)


def test_of_tests_only_the_settings_of_ansible_test_are_installed(installed: Path) -> None:
    assert files(installed, "tests") == {"tests/config.yml"}


def test_what_was_installed_before_is_gone(place: Workplace, installed: Path) -> None:
    (installed / "plugins" / "stale.py").touch()
    assert archive.installed_tree(place) == installed
    assert not (installed / "plugins" / "stale.py").exists()
