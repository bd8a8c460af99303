# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Commands and tasks in pages work as they stand: playbooks, their variables, modules, roles, options and targets."""

from __future__ import annotations

import importlib
import json
import re
import shlex
import typing as t
from collections.abc import Iterator

import pytest
import yaml

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_contract import site_contract
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_settings import settings_for
from ansible_collections.fieldops.openshift.tests.structure.page_blocks import BLOCK, PAGES, blocks, commands
from ansible_collections.fieldops.openshift.tests.structure.permissions import MANIFESTS
from ansible_collections.fieldops.openshift.tests.structure.source_tree import PREFIX, ROOT
from ansible_collections.fieldops.openshift.tests.structure.yaml_tree import (
    INCLUDED_ROLE,
    options_of,
    role_of,
    yaml_files,
)

COLLECTION = "fieldops.openshift."


def extra_variables(words: list[str]) -> dict[str, t.Any]:
    """Return what ``-e`` gives, less files."""
    given: dict[str, t.Any] = {}
    for word in (words[index + 1] for index, one in enumerate(words[:-1]) if one == "-e"):
        name, _equals, value = word.partition("=")
        given |= json.loads(word) if word.startswith("{") else {} if word.startswith("@") else {name: value}
    return given


OF_PLAYBOOKS = [one for one in commands("ansible-playbook") if COLLECTION in one[1]]


@pytest.mark.parametrize(("page", "command"), OF_PLAYBOOKS)
def test_a_playbook_takes_the_variables_that_it_is_shown_with(page: str, command: str) -> None:
    words = shlex.split(command, comments=True)
    (playbook,) = [word.removeprefix(COLLECTION) for word in words if word.startswith(COLLECTION)]
    assert (ROOT / "playbooks" / f"{playbook}.yml").exists()
    given = extra_variables(words)
    found = settings_for(site_contract(), playbook, given, given.__getitem__, given)
    from_files = any(word.startswith("@") for word in words)
    assert [problem for problem in found.problems if not (from_files and " needs " in problem)] == []
    read = {one.name for one in site_contract().read_by(playbook)} | {*site_contract().words.get(playbook, ())}
    assert set(given) - read == set(), page


@pytest.mark.parametrize(("page", "command"), commands("make"))
def test_a_target_that_is_shown_exists(page: str, command: str) -> None:
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)
    assert shlex.split(command, comments=True)[1] in targets, page


INSTALLED = "~/.ansible/collections/ansible_collections/fieldops/openshift/"
"""Where the collection is installed, as pages write it."""
OF_PATHS = [one for one in commands("ansible-playbook") if one not in OF_PLAYBOOKS]
OF_OTHERS = [one for program in ("oc", "kubectl", "pip") for one in commands(program)]
PROGRAMS = {
    *("ansible-builder", "ansible-galaxy", "ansible-playbook", "export", "kubectl", "make"),
    *("oc", "pip", "python3", "sha256sum", "ssh"),
}


@pytest.mark.parametrize(("page", "command"), OF_OTHERS)
def test_a_command_of_another_program_names_what_is_there(page: str, command: str) -> None:
    words = shlex.split(command, comments=True)
    following = dict(zip(words, words[1:]))
    files = [following[option].removeprefix(INSTALLED) for option in ("-f", "-r") if option in following]
    assert [name for name in files if not (ROOT / name).exists()] == [], page
    role = following.get("add-cluster-role-to-user")
    assert role is None or f"name: {role}\n" in "".join(path.read_text() for path in MANIFESTS.glob("*.yml")), page


@pytest.mark.parametrize(("page", "command"), OF_PATHS)
def test_a_playbook_that_is_named_by_its_path_is_there(page: str, command: str) -> None:
    (path,) = [word for word in shlex.split(command) if word.startswith(INSTALLED)]
    assert (ROOT / path.removeprefix(INSTALLED)).exists(), page


def test_no_page_shows_a_program_whose_commands_are_not_checked() -> None:
    texts = [text.replace("\\\n", "") for _page, text in blocks("shell")]
    lines = [line.strip() for text in texts for line in text.splitlines()]
    assert {line.split()[0] for line in lines if line and not line.startswith("#")} <= PROGRAMS


def tasks(part: t.Any) -> Iterator[dict[str, t.Any]]:
    """Yield every mapping in a document."""
    for one in part.values() if isinstance(part, dict) else part if isinstance(part, list) else []:
        yield from tasks(one)
    if isinstance(part, dict):
        yield part


@pytest.mark.parametrize(("page", "text"), blocks("yaml"))
def test_tasks_use_options_that_exist(page: str, text: str) -> None:
    for task in tasks(yaml.safe_load(text)):
        for name, options in task.items():
            if str(name).startswith(COLLECTION):
                module = importlib.import_module(f"{PREFIX}plugins.modules.{name.removeprefix(COLLECTION)}")
                assert set(options or {}) <= set(module.SPEC.options), f"{page}: {name}"
        if INCLUDED_ROLE in task:
            unknown = {name for name in task.get("vars") or {} if name not in options_of(role_of(name))}
            assert unknown == set(), f"{page}: {task['name']}"


def variables_of_roles() -> list[tuple[str, str]]:
    """Return what looks like a variable of a role in running text, with the page."""
    found = [(page, name) for page in PAGES for name in re.findall(r"`(\w+)[`.:]", BLOCK.sub("", page.read_text()))]
    return sorted({(str(page.relative_to(ROOT)), name) for page, name in found if role_of(name)})


@pytest.mark.parametrize(("page", "name"), variables_of_roles())
def test_a_variable_of_a_role_exists(page: str, name: str) -> None:
    role = role_of(name)
    left = {one for file in yaml_files() if file.owner == role for one in file.defined}
    assert name in options_of(role) | left, page
