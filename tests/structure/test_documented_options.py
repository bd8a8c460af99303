# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Options are documented as they are: name by name, type by type, default by default, alias by alias."""

from __future__ import annotations

import importlib
import typing as t

import pytest
import yaml

from ansible_collections.fieldops.openshift.tests.structure.source_tree import PREFIX, ROOT

COMPARED = ("type", "default", "choices", "elements", "required", "aliases")
IMPLIED: dict[str, t.Any] = {
    "type": "str",
    "default": None,
    "choices": None,
    "elements": None,
    "required": False,
    "aliases": [],
}

Options = dict[str, dict[str, t.Any]]


def facts(options: Options) -> Options:
    """Return what a specification and its documentation have to agree on, sub-options included."""
    compared = {}
    for name, option in options.items():
        compared[name] = {fact: option.get(fact, IMPLIED[fact]) for fact in COMPARED}
        inner = option.get("options") or option.get("suboptions")
        if inner:
            compared[name]["options"] = facts(inner)
    return compared


def documented(text: str) -> Options:
    options: Options = yaml.safe_load(text).get("options", {})
    return options


def shared_parts() -> list[str]:
    """Return the names of the option sets that several modules share."""
    return sorted(path.stem for path in (ROOT / "plugins" / "module_utils" / "_run").glob("*_options.py"))


def modules() -> list[str]:
    return sorted(path.stem for path in (ROOT / "plugins" / "modules").glob("*.py"))


@pytest.mark.parametrize("name", shared_parts())
def test_fragment_is_the_twin_of_its_spec(name: str) -> None:
    part = importlib.import_module(f"{PREFIX}plugins.module_utils._run.{name}")
    fragment = importlib.import_module(f"{PREFIX}plugins.doc_fragments._{name}")
    spec = getattr(part, name.upper())
    assert facts(documented(fragment.ModuleDocFragment.DOCUMENTATION)) == facts(spec.options)


@pytest.mark.parametrize("name", modules())
def test_module_documents_its_own_options(name: str) -> None:
    module = importlib.import_module(f"{PREFIX}plugins.modules.{name}")
    stated: Options = {}
    for fragment_name in yaml.safe_load(module.DOCUMENTATION)["extends_documentation_fragment"]:
        stem = fragment_name.removeprefix("fieldops.openshift.").partition(".")[0]
        fragment = importlib.import_module(f"{PREFIX}plugins.doc_fragments.{stem}")
        stated.update(documented(fragment.ModuleDocFragment.DOCUMENTATION))
    for option, own in documented(module.DOCUMENTATION).items():
        stated[option] = {**stated.get(option, {}), **own}
    assert facts(stated) == facts(module.SPEC.options)


@pytest.mark.parametrize("name", modules())
def test_module_examples_use_full_names(name: str) -> None:
    module = importlib.import_module(f"{PREFIX}plugins.modules.{name}")
    tasks = yaml.safe_load(module.EXAMPLES)
    assert any(f"fieldops.openshift.{name}" in task for task in tasks)
    assert all("name" in task for task in tasks)
