# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which files of ``extensions/rbac`` plugins say that they require, and thereby which a playbook requires."""

from __future__ import annotations

import ast
import re
import typing as t
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from ansible_collections.fieldops.openshift.tests.structure.source_tree import ROOT, reached
from ansible_collections.fieldops.openshift.tests.structure.yaml_tree import INCLUDED_ROLE, YamlFile

COLLECTION = "fieldops.openshift."
MANIFESTS = ROOT / "extensions" / "rbac"
KINDS_OF_PLUGINS = ("modules", "inventory", "connection", "lookup")
_NAMED = re.compile(r"((?:O\([\w=]+\)(?:,| and)?\s+)*)[^()]*C\(extensions/rbac/([\w-]+\.yml)\)")
_CONDITION = re.compile(r"O\((\w+)=?(\w*)\)")
_TASK_FILE = re.compile(r"\b\w+\.yml\b")


@dataclass(frozen=True)
class Requirement:
    """A file that a plugin requires: always, or only with one of these options, each with a value or none."""

    manifest: str
    options: tuple[tuple[str, str], ...] = ()

    def applies(self, given: dict[str, t.Any]) -> bool:
        """Whether a task with the options ``given`` requires it although others do not."""
        return any(
            name in given and (not value or re.search(rf"\b{value}\b", str(given[name])))
            for name, value in self.options
        )


@cache
def requirements_of(plugin: Path) -> tuple[Requirement, ...]:
    """Return what the notes of a plugin name, in its sentences about required permissions."""
    notes = _documentation(plugin).get("notes") or []
    sentences = [sentence for note in notes for sentence in re.split(r"(?<=\.)\s", " ".join(note.split()))]
    found = [match for one in sentences if "required" in one for match in _NAMED.findall(one)]
    return tuple(Requirement(manifest, tuple(_CONDITION.findall(options))) for options, manifest in found)


def required_by_task(module: str, given: dict[str, t.Any]) -> set[str]:
    """Return the files that a task requires; what a module always requires goes where others are gathered alone."""
    needs = requirements_of(ROOT / "plugins" / "modules" / f"{module}.py")
    others = {value for need in needs for name, value in need.options if name == "gather"}
    gathered = given.get("gather")
    apart = isinstance(gathered, list) and set(gathered) <= others
    always = {need.manifest for need in needs if not need.options and not apart}
    return always | {need.manifest for need in needs if need.applies(given)}


def required_by_playbook(playbook: str) -> set[str]:
    """Return the files that the tasks of a playbook, and of the roles that it may include, require."""
    found: set[str] = set()
    for path in _reached(ROOT / "playbooks" / f"{playbook}.yml"):
        for task in YamlFile(path).tasks:
            for key, options in task.items():
                if key.startswith(COLLECTION):
                    found |= required_by_task(key.removeprefix(COLLECTION), options or {})
    return found


def plugins_that_name(manifest: str) -> list[str]:
    """Return the plugins whose notes name a file, by kind and name."""
    return [
        f"{kind}/{path.stem}"
        for kind in KINDS_OF_PLUGINS
        for path in sorted((ROOT / "plugins" / kind).glob("*.py"))
        if manifest in {need.manifest for need in requirements_of(path)}
    ]


def _documentation(plugin: Path) -> dict[str, t.Any]:
    for node in ast.parse(plugin.read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "DOCUMENTATION":
            return dict(yaml.safe_load(ast.literal_eval(node.value)))
    return {}


def _reached(playbook: Path) -> set[Path]:
    """Return a playbook and all files of tasks that it may come to include, those that variables name among them."""
    return reached([playbook], lambda path: [*_files_named_in(path), *_roles_included_by(path)])


def _files_named_in(path: Path) -> Iterator[Path]:
    folder = path.parent if path.parent.name == "tasks" else path.parent / "tasks"
    texts = [path, folder.parent / "defaults" / "main.yml"]
    text = "\n".join(re.sub(r"^\s*#.*", "", one.read_text(), flags=re.MULTILINE) for one in texts if one.exists())
    yield from (folder / name for name in set(_TASK_FILE.findall(text)) if (folder / name).exists())


def _roles_included_by(path: Path) -> Iterator[Path]:
    for task in YamlFile(path).tasks:
        included = task.get(INCLUDED_ROLE)
        if included and "{{" not in included["name"]:
            role = ROOT / "roles" / included["name"].removeprefix(COLLECTION) / "tasks"
            yield role / f"{Path(included.get('tasks_from', 'main')).stem}.yml"
