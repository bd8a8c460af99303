# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""``meta/site_variables.yml`` is the one contract: playbooks read what it declares, and declare no default again."""

from __future__ import annotations

import functools
import re
import typing as t
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_contract import (
    OWN,
    PREFIX,
    site_contract,
)
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_settings import POLICIES, STANZA, settings_for
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_values import converted
from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

PLAYBOOKS = ROOT / "playbooks"
EXAMPLE = ROOT / "docs" / "examples" / "site.yml"
CONTRACT = site_contract()
TYPES = ("str", "path", "digest", "int", "percent", "bool", "list", "dict", "raw")
READ = re.compile(r"\bsite_settings\.(\w+)")
NAMED = re.compile(r"(?<![\w.])site_\w+")
INCLUDED = re.compile(r"(?:(?:include|import)_tasks: |playbook_dir \}\}/)(?:tasks/)?(\w+\.yml)")
JINJA = re.compile(r"\{[{%].*?[%}]\}", re.DOTALL)
EXPRESSIONS = ("when", "that", "until", "failed_when", "changed_when", "register", "loop_var")
DERIVED = {"guard": {STANZA, POLICIES}, "problems": {OWN[len(PREFIX) :]}}
"""What the lookup makes beside the values, and of which variables."""
OTHERS = ("site_ending", "site_settings", "site_variables", "site_images")
"""Names in pages that are none of variables: plugins, a file, and an option of modules."""


def names() -> list[str]:
    return sorted(path.stem for path in PLAYBOOKS.glob("*.yml"))


def yaml_files() -> list[str]:
    """Return all playbooks and their files of tasks, from the folder of playbooks."""
    return sorted(str(path.relative_to(PLAYBOOKS)) for path in PLAYBOOKS.rglob("*.yml"))


@functools.cache
def text_of(path: Path) -> str:
    """Return a file without its comments."""
    return re.sub(r"^\s*#.*", "", path.read_text(), flags=re.MULTILINE)


def files_of(path: Path, found: frozenset[Path] = frozenset()) -> frozenset[Path]:
    """Return a playbook and every file of tasks that it comes to include."""
    if path in found or not path.exists():
        return found
    found |= {path}
    for name in INCLUDED.findall(text_of(path)):
        found = files_of(PLAYBOOKS / "tasks" / name, found)
    return found


def keys_in(text: str) -> set[str]:
    """Return what a text reads of the settings, by the keys of the variables."""
    return {key for read in READ.findall(text) for key in DERIVED.get(read, {read})}


def names_in(part: t.Any, key: str = "") -> Iterator[str]:
    """Yield what looks like a variable of a site in a part of a playbook: set, registered or in an expression."""
    if isinstance(part, dict):
        for name, inner in part.items():
            yield from NAMED.findall(str(name))
            yield from names_in(inner, name)
    elif isinstance(part, list):
        for inner in part:
            yield from names_in(inner, key)
    elif key in EXPRESSIONS:
        yield from NAMED.findall(str(part))
    else:
        yield from NAMED.findall(" ".join(JINJA.findall(str(part))))


@pytest.mark.parametrize("playbook", names())
def test_a_playbook_reads_what_is_declared_to_be_read_by_it(playbook: str) -> None:
    text = "\n".join(text_of(path) for path in files_of(PLAYBOOKS / f"{playbook}.yml"))
    assert keys_in(text) == {one.key for one in CONTRACT.read_by(playbook)}


def test_no_playbook_is_declared_that_is_none() -> None:
    assert CONTRACT.playbooks == names()
    assert {playbook for one in CONTRACT.variables.values() for playbook in one.required_by} <= set(names())


@pytest.mark.parametrize("playbook", names())
def test_the_first_task_checks_the_variables_of_this_playbook(playbook: str) -> None:
    (play,) = yaml.safe_load((PLAYBOOKS / f"{playbook}.yml").read_text())
    assert play["vars"]["site_settings"] == f"{{{{ lookup('fieldops.openshift.site_settings', '{playbook}') }}}}"
    assert play["tasks"][0]["ansible.builtin.import_tasks"] == "tasks/check_variables.yml"
    assert play["hosts"] == "localhost"
    assert not {"pre_tasks", "roles"} & play.keys()


@pytest.mark.parametrize("name", yaml_files())
def test_variables_are_read_by_way_of_the_settings_alone(name: str) -> None:
    """So that each is converted, has its one default, and facts of a play are never taken for one of the site's."""
    tasks = yaml.safe_load((PLAYBOOKS / name).read_text())
    assert {found for found in names_in(tasks) if found != "site_settings"} == set()


@pytest.mark.parametrize("name", yaml_files())
def test_no_default_stands_again(name: str) -> None:
    defaults = re.findall(r"site_settings\.\w+ \| default\((?!omit\b)[^)]*\)", text_of(PLAYBOOKS / name))
    assert defaults == []


@pytest.mark.parametrize("name", CONTRACT.variables)
def test_a_declaration_is_whole(name: str) -> None:
    one = CONTRACT.variables[name]
    assert name.startswith(PREFIX)
    assert one.type in TYPES
    assert one.elements in ("str", "path", "dict")
    assert one.meaning.strip().endswith(".")
    assert one.read_by
    assert list(one.read_by) == sorted(one.read_by)
    assert set(one.required_by) | set(one.asked_by) <= set(one.read_by)
    if one.default not in (None, ""):
        assert converted(one, one.default) == one.default


def handed_on() -> list[tuple[str, str]]:
    """Return the variables that a playbook hands to a role as they are, each with the name that it has there."""
    text = "\n".join(text_of(path) for path in PLAYBOOKS.rglob("*.yml"))
    pairs = re.findall(r'^\s+(\w+): "\{\{ site_settings\.(\w+) \}\}"$', text, flags=re.MULTILINE)
    return sorted(
        {
            (PREFIX + key, option)
            for option, key in pairs
            if option in role_options() and PREFIX + key in CONTRACT.variables
        }
    )


@functools.cache
def role_options() -> dict[str, dict[str, t.Any]]:
    """Return the variables of all roles."""
    found: dict[str, dict[str, t.Any]] = {}
    for path in ROOT.glob("roles/*/meta/argument_specs.yml"):
        for entry in yaml.safe_load(path.read_text())["argument_specs"].values():
            found |= entry.get("options") or {}
    return found


@pytest.mark.parametrize(("name", "option"), handed_on())
def test_a_variable_has_the_choices_and_the_default_of_the_role(name: str, option: str) -> None:
    one, its = CONTRACT.variables[name], role_options()[option]
    assert set(one.choices) <= set(its.get("choices") or one.choices)
    if one.default and its.get("default"):
        assert one.default == its["default"] or set(one.choices) < set(its["choices"])


@pytest.mark.parametrize("playbook", names())
def test_the_example_serves_every_playbook(playbook: str) -> None:
    given = yaml.safe_load(EXAMPLE.read_text())
    found = settings_for(CONTRACT, playbook, given, given.__getitem__)
    assert [problem for problem in found.problems if not problem.startswith(f"{playbook} needs ")] == []


def test_secrets_are_marked() -> None:
    words = re.compile(r"passphrase|password|token|kubeconfig|sources")
    assert [one.name for one in CONTRACT.variables.values() if words.search(one.name) and not one.secret] == []


def named_in_pages() -> list[tuple[str, str]]:
    """Return what looks like a variable of a site in a page, with the page."""
    pages = [*(ROOT / "docs").glob("*.md"), ROOT / "README.md"]
    name = re.compile(r"(?<![\w.|])site_[a-z_]*[a-z]\b(?![*(])")
    return sorted({(page.name, found) for page in pages for found in name.findall(page.read_text())})


@pytest.mark.parametrize(("page", "name"), named_in_pages())
def test_pages_name_variables_that_are_declared(page: str, name: str) -> None:
    assert name in CONTRACT.variables or name in OTHERS, page
