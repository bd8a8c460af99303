# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The collection's playbooks and roles as the structure tests see them: tasks, variables and what includes what."""

from __future__ import annotations

import re
import typing as t
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import yaml
from jinja2 import Environment, nodes

from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT

Task = dict[str, t.Any]

ROLES = sorted(path.name for path in (ROOT / "roles").iterdir())
PLAYBOOKS = "playbooks"
BLOCKS = ("block", "rescue", "always", "tasks")
EXPRESSIONS = ("when", "that", "until", "failed_when", "changed_when")
INCLUDED_FILES = ("ansible.builtin.include_tasks", "ansible.builtin.import_tasks")
INCLUDED_ROLE = "ansible.builtin.include_role"
JINJA = Environment(autoescape=True)
TEMPLATE = re.compile(r"\{[{%].*?[%}]\}", re.DOTALL)
CONDITION = re.compile(rf"^( *)(?:- )?(?:(?:{'|'.join(EXPRESSIONS)}):|-) >-\n((?:\1 +\S.*\n)+)", re.MULTILINE)


@dataclass(frozen=True)
class YamlFile:
    """A playbook or a file of tasks; ``name`` is its path below the collection's root."""

    path: Path

    @property
    def name(self) -> str:
        return str(self.path.relative_to(ROOT))

    @property
    def owner(self) -> str:
        """Return the role that it belongs to, or ``playbooks``."""
        parts = self.path.relative_to(ROOT).parts
        return parts[1] if parts[0] == "roles" else PLAYBOOKS

    @cached_property
    def content(self) -> t.Any:
        return yaml.load(self.path.read_text(), Loader=yaml.CSafeLoader)

    @cached_property
    def tasks(self) -> list[Task]:
        """Return its tasks, blocks and plays."""
        return list(_tasks(self.content))

    @cached_property
    def templates(self) -> list[str]:
        """Return every text in it that Jinja evaluates, conditions as templates of their own."""
        return list(_templates(self.content))

    @property
    def expressions(self) -> list[str]:
        """Return every expression in it as it stands there."""
        text = re.sub(r"^\s*#.*\n", "", self.path.read_text(), flags=re.MULTILINE)
        conditions = [found[2] for found in CONDITION.finditer(text) if "{{" not in found[2]]
        return TEMPLATE.findall(text) + conditions

    @cached_property
    def defined(self) -> set[str]:
        """Return the variables that it sets: facts, registered results, those of tasks and of loops."""
        names: set[str] = set()
        for task in self.tasks:
            names |= {*(task.get("ansible.builtin.set_fact") or {}), *(task.get("vars") or {})}
            names |= {str(task[key]) for key in ("register",) if key in task}
            names |= {str(value) for key, value in (task.get("loop_control") or {}).items() if key.endswith("_var")}
        return names

    @cached_property
    def read(self) -> set[str]:
        """Return the variables that its templates read, less what these set themselves."""
        return {name for template in self.templates for name in _variables(template)}

    def included(self) -> Iterator[Path]:
        """Yield the files of its owner that it may come to include."""
        for task in self.tasks:
            for key in INCLUDED_FILES:
                found = task.get(key) or ""
                name = found if isinstance(found, str) else found["file"]
                choices = re.findall(r"'(\w+\.yml)'", str(task.get("loop"))) if name.startswith("{{") else [name]
                yield from (self.path.parent / one for one in choices if name)


def yaml_files() -> list[YamlFile]:
    """Return all playbooks and files of tasks."""
    found = [*ROOT.glob("roles/*/tasks/*.yml"), *ROOT.glob("playbooks/*.yml"), *ROOT.glob("playbooks/tasks/*.yml")]
    return [YamlFile(path) for path in sorted(found)]


@cache
def options_of(role: str) -> set[str]:
    """Return the variables that a role declares, for all its entry points."""
    specs = yaml.load(_specs(role), Loader=yaml.CSafeLoader)["argument_specs"]
    return {name for entry in specs.values() for name in entry.get("options") or {}}


@cache
def results_of(role: str) -> set[str]:
    """Return the facts that a role declares to leave to others, where it describes its entry points."""
    return set(re.findall(rf"C\(({role}_\w+)\)", _specs(role))) - options_of(role)


def _specs(role: str) -> str:
    return (ROOT / "roles" / role / "meta" / "argument_specs.yml").read_text()


def role_of(name: str) -> str:
    """Return the role whose name a variable begins with, or nothing."""
    return max((role for role in ROLES if name.startswith(f"{role}_")), key=len, default="")


def _tasks(part: t.Any) -> Iterator[Task]:
    for one in part if isinstance(part, list) else []:
        yield one
        for key in BLOCKS:
            yield from _tasks(one.get(key))


def _templates(part: t.Any, key: str = "") -> Iterator[str]:
    if isinstance(part, dict):
        is_task = any("." in str(name) or name == "block" for name in part)
        for name, inner in part.items():
            yield from _templates(str(name))
            yield from _templates(inner, str(name) if is_task or name == "that" else "")
    elif isinstance(part, list):
        for inner in part:
            yield from _templates(inner, key)
    elif isinstance(part, str) and key in EXPRESSIONS and "{{" not in part:
        yield f"{{{{ {part.strip()} }}}}"
    elif isinstance(part, str) and TEMPLATE.search(part):
        yield part


def _variables(template: str) -> set[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Jinja reads regular expressions as Python does
        found = list(JINJA.parse(template).find_all(nodes.Name))
    return {one.name for one in found if one.ctx == "load"} - {one.name for one in found if one.ctx != "load"}
