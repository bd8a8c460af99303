# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is installed on sites: all that runs there, and of tests only what ansible-test asks for."""

from __future__ import annotations

import json
import sys
import tarfile
import typing as t
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.tests.gates import archive
from ansible_collections.fieldops.openshift.tests.gates.workplace import GateError, Workplace

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


def test_a_release_names_where_it_is_published_and_the_checkout_does_not(place: Workplace, tmp_path: Path) -> None:
    built = archive.build_archive(place, tmp_path, "https://forge.example/a/b/")
    with tarfile.open(built) as opened:
        manifest = opened.extractfile("MANIFEST.json")
        assert manifest is not None
        told = json.load(manifest)["collection_info"]
    assert {name: told[name] for name in archive.PATHS} == {
        "repository": "https://forge.example/a/b",
        "documentation": "https://forge.example/a/b/blob/main/docs/README.md",
        "homepage": "https://forge.example/a/b",
        "issues": "https://forge.example/a/b/issues",
    }
    assert not yaml.safe_load((ROOT / "galaxy.yml").read_text())["repository"]


@pytest.mark.parametrize("address", ["forge.example/a/b", "http://forge.example/a/b", "https://", "https://x.example/"])
def test_what_is_no_address_of_a_repository_is_refused(address: str) -> None:
    with pytest.raises(GateError, match="is not the address of a repository"):
        archive.with_addresses('repository: ""', address)
