# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Roles and playbooks: what they hand to each other is declared, and none of it is long or deep."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_contract import site_contract
from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT
from ansible_collections.fieldops.openshift.tests.structure.yaml_tree import (
    INCLUDED_ROLE,
    PLAYBOOKS,
    ROLES,
    YamlFile,
    options_of,
    results_of,
    role_of,
    yaml_files,
)

FILES = yaml_files()
BY_PATH = {file.path: file for file in FILES}
ANY_FILE = pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
LOCK = "fieldops.openshift.rollout_lock"
PLUGIN = re.compile(r"(?:\|\s*|lookup\('|query\(')(\w+\.\w+\.\w+)")
LONGEST_EXPRESSION, LONGEST_CHAIN = 2, 4
ONE_NODE_AFTER_ANOTHER = {
    "roles/apply_image_mode/tasks/layered.yml": {"Gather the layered packages of each node"},
    "roles/clean_up_bundle/tasks/main.yml": {"Gather the images of the current release"},  # one node for each bundle
    "roles/load_images/tasks/await_mirrors.yml": {"Wait for nodes that cannot find them yet"},
    "roles/switch_os_image/tasks/summary.yml": {"Gather the current image of each host"},
    "roles/unlayer_packages/tasks/main.yml": {"Gather the layered packages of each node"},
}
FROZEN = {"use_image_store"}
OF_ANSIBLE = {"dict", "groups", "hostvars", "item", "lookup", "omit", "playbook_dir", "range", "role_path"}
HANDED_TO_PLAYS = {"site_settings", "fieldops_ending"}.union(*site_contract().words.values())
"""The contract of a site, what a person adds to a playbook, and what an update hands on to the next job."""


@cache
def of_owner(owner: str) -> set[str]:
    """Return the variables that a role, or the playbooks, set themselves."""
    kept = ROOT / "roles" / owner / "vars" / "main.yml"
    constants = set(yaml.safe_load(kept.read_text())) if kept.exists() else set()
    return {name for file in FILES if file.owner == owner for name in file.defined} | constants


@ANY_FILE
def test_a_role_is_handed_its_options_and_leaves_its_result(file: YamlFile) -> None:
    """All else of it is its own: another file neither reads nor sets it."""
    foreign = {name for name in file.read | file.defined if role_of(name) not in ("", file.owner)}
    shared = {name for name in foreign if name in options_of(role_of(name)) | results_of(role_of(name))}
    assert foreign - shared == set()


@pytest.mark.parametrize("role", ROLES)
def test_a_result_that_is_declared_is_left(role: str) -> None:
    assert results_of(role) - of_owner(role) == set()


@ANY_FILE
def test_every_variable_is_declared(file: YamlFile) -> None:
    own = of_owner(file.owner) | (HANDED_TO_PLAYS if file.owner == PLAYBOOKS else options_of(file.owner))
    others = {name for name in file.read if role_of(name) not in ("", file.owner)}
    known = own | others | OF_ANSIBLE
    assert {name for name in file.read - known if not name.startswith("ansible_")} == set()


@pytest.mark.parametrize("role", ROLES)
def test_every_option_of_a_role_is_read(role: str) -> None:
    files = [file for file in FILES if file.owner == role]
    defaults = (ROOT / "roles" / role / "defaults" / "main.yml").read_text()
    read = {name for file in files for name in file.read} | set(re.findall(r"\{\{ (\w+)", defaults))
    assert options_of(role) - read == set()


@ANY_FILE
def test_no_other_collection_is_required(file: YamlFile) -> None:
    """An execution environment has ansible-core and this collection."""
    named = {key for task in file.tasks for key in task if key.count(".") == 2}
    named |= {name for one in file.expressions for name in PLUGIN.findall(one)}
    assert {name for name in named if not name.startswith(("ansible.builtin.", "fieldops.openshift."))} == set()


@ANY_FILE
def test_expressions_are_short(file: YamlFile) -> None:
    assert [found for found in file.expressions if len(found.splitlines()) > LONGEST_EXPRESSION] == []


@ANY_FILE
def test_includes_are_not_deep(file: YamlFile) -> None:
    """Among the files of a role, or of the playbooks: another role begins anew, as a function does that is called."""
    found = [[path.name for path in chain] for chain in chains(file.path)]
    assert [chain for chain in found if len(chain) - 1 > LONGEST_CHAIN] == []


def chains(path: Path, above: tuple[Path, ...] = ()) -> list[tuple[Path, ...]]:
    """Return every chain of includes that begins at a file."""
    assert path not in above, f"{path} includes itself"
    chain = (*above, path)
    further = [one for found in BY_PATH[path].included() if found in BY_PATH for one in chains(found, chain)]
    return further or [chain]


@ANY_FILE
def test_work_on_nodes_runs_side_by_side(file: YamlFile) -> None:
    """A loop of Ansible's takes one node after another: the more nodes, the longer. A control plane has few."""
    loops = [
        task for task in file.tasks if {"delegate_to", "loop"} <= task.keys() and "is_control_plane" not in task["loop"]
    ]
    own = [task for task in loops if any(key.startswith("fieldops.openshift.") for key in task)]
    serial = {task["name"] for task in own if not (task.get("vars") or {}).get("fieldops_side_by_side")}
    assert serial == ONE_NODE_AFTER_ANOTHER.get(file.name, set()) or file.owner in FROZEN


@ANY_FILE
def test_a_question_to_the_change_guard_names_its_subject(file: YamlFile) -> None:
    """What is about to be changed: else the window of another pool would decide. What is shown is shown of all."""
    for task in file.tasks:
        role = (task.get(INCLUDED_ROLE) or {}).get("name", "")
        if role == "fieldops.openshift.require_change_window":
            assert {"require_change_window_pool", "require_change_window_name"} & set(task.get("vars") or {}), task[
                "name"
            ]
        for module in ("machine_config_pool", "change_management_info"):
            options = task.get(f"fieldops.openshift.{module}") or {}
            assert "guard" not in options or {"name", "time_zone"} & options.keys(), task["name"]


@pytest.mark.parametrize("path", sorted(ROOT.glob("playbooks/*.yml")), ids=lambda path: path.stem)
def test_a_play_that_takes_the_lock_can_break_that_of_a_dead_job(path: Path) -> None:
    locks = [task[LOCK] for file in reached(path) for task in file.tasks if LOCK in task]
    takes = any(options.get("state", "acquired") == "acquired" for options in locks)
    assert any(options.get("force") for options in locks) == takes


def reached(path: Path) -> list[YamlFile]:
    """Return a file and all that it may come to include, tasks of roles too."""
    found = {path}
    while further := {one for each in found for one in _next(BY_PATH[each])} - found:
        found |= further
    return [BY_PATH[one] for one in found]


def _next(file: YamlFile) -> Iterator[Path]:
    yield from (one for one in file.included() if one in BY_PATH)
    for task in file.tasks:
        role = task.get(INCLUDED_ROLE) or {}
        name = role.get("name", "").rpartition(".")[2]
        entry = str(role.get("tasks_from", "main")).removesuffix(".yml")
        path = ROOT / "roles" / name / "tasks" / f"{entry}.yml"
        if path in BY_PATH:
            yield path


@pytest.mark.parametrize("path", sorted(ROOT.glob("roles/*/meta/argument_specs.yml")), ids=lambda path: path.parts[-3])
def test_the_options_of_an_entry_point_are_a_mapping(path: Path) -> None:
    """ansible-core refuses an entry point with a key ``options`` that has no value when a play uses it, not before."""
    entries = yaml.safe_load(path.read_text())["argument_specs"]
    assert [name for name, entry in entries.items() if not isinstance(entry.get("options", {}), dict)] == []
