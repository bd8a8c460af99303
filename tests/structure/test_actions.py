# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Modules that talk to the API, wait, or meet a host that reboots have an action, and say what they wait for."""

from __future__ import annotations

import importlib
import typing as t

import pytest
import yaml

from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS
from ansible_collections.fieldops.openshift.tests.structure.source_tree import PREFIX, ROOT, is_common_action

ASKING = ("rollout_next", "node_answers")
"""Modules that answer a question and change nothing, beside those that are named so."""
MODULES = {
    path.stem: importlib.import_module(f"{PREFIX}plugins.modules.{path.stem}")
    for path in sorted((ROOT / "plugins" / "modules").glob("*.py"))
}
ACTIONS = {path.stem: path for path in sorted((ROOT / "plugins" / "action").glob("*.py"))}


def has_wait_options(module: t.Any) -> bool:
    return set(WAIT_OPTIONS.options) <= set(module.SPEC.options)


def needs_action(module: t.Any) -> bool:
    options = module.SPEC.options
    return "kubeconfig" in options or has_wait_options(module) or hasattr(module, "HOST_MAY_REBOOT")


def test_every_module_that_needs_an_action_has_one() -> None:
    needing = {name for name, module in MODULES.items() if needs_action(module)}
    linked = {name for name, path in ACTIONS.items() if is_common_action(path)}
    assert needing <= set(ACTIONS) <= set(MODULES)
    assert linked <= needing


def test_the_common_action_is_written_once() -> None:
    files = {name: path.read_text() for name, path in ACTIONS.items() if not is_common_action(path)}
    assert [name for name, text in files.items() if "(StepLoopAction)" in text and "def " not in text] == []


@pytest.mark.parametrize("name", MODULES)
def test_a_module_that_can_wait_says_for_what(name: str) -> None:
    assert hasattr(MODULES[name], "WAITING") == has_wait_options(MODULES[name])


@pytest.mark.parametrize("name", [name for name in MODULES if not (name.endswith("_info") or name in ASKING)])
def test_a_module_that_changes_something_documents_a_diff(name: str) -> None:
    stated = yaml.safe_load(MODULES[name].DOCUMENTATION)
    assert "fieldops.openshift._attributes" in stated["extends_documentation_fragment"]
    assert "support" not in stated.get("attributes", {}).get("diff_mode", {})
