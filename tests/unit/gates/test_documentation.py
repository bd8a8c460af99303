# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The contents of the documentation site, and the pages of Ansible that it refers to.

The site itself is built only by ``make test-all``. A reference that its inventory lacks would break it unnoticed.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import typing as t
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from ansible import constants

from ansible_collections.fieldops.openshift.tests.gates.documentation import (
    PAGES_OF_ANSIBLE,
    VARIABLES_OF_ANSIBLE,
    contents_of,
    inventory_of_ansible,
)

DOCUMENTED = ("callback", "connection", "filter", "inventory", "lookup", "module", "role", "test")
MARKUP = re.compile(r"(?<!\w)([EMOP]|RV)\(([A-Z0-9_]{3,}|\w+\.\w+\.\w+)(?:#(\w+))?(:[^)]*)?\)")
"""A reference in a text: the kind, the name, the type of the plugin, and the option or result."""

OVERVIEW = """# Documentation

Start with the [README](../README.md).

## On site

| [One page](technician.md) | [again](rollout.md#troubleshooting) |

## Develop

| [Contribute](../CONTRIBUTING.md) | [One page](technician.md) | [The lab](lab.md) |
"""


def sections(contents: str) -> dict[str, list[str]]:
    """Return the pages by caption."""
    blocks = [block.split("```\n")[0].splitlines() for block in contents.split("```{toctree}\n")[1:]]
    return {
        lines[0].removeprefix(":caption: "): [line for line in lines[1:] if line[:1] not in ("", ":")]
        for lines in blocks
    }


def test_contents_follow_the_overview_and_name_each_page_once() -> None:
    assert sections(contents_of(OVERVIEW, ["roll_nodes"])) == {
        "Start": ["README", "docs/README"],
        "On site": ["docs/technician"],
        "Develop": ["CONTRIBUTING", "docs/lab"],
        "Errors": ["errors"],
        "Roles": ["roll_nodes <roles/roll_nodes/README>"],
        "Plugins": ["reference/*"],
    }


def test_the_inventory_names_pages_by_their_labels() -> None:
    head, lines = inventory_of_ansible().split(b"zlib:\n")
    assert head.startswith(b"# Sphinx inventory version 2\n")
    assert b"action_plugins std:label -1 plugins/action.html action_plugins\n" in zlib.decompress(lines)


@pytest.fixture(scope="module")
def documentation() -> dict[str, t.Any]:
    """All plugin and role documentation, with the fragments that it includes."""
    program = str(Path(sys.executable).with_name("ansible-doc"))
    command = [program, "--metadata-dump", "--no-fail-on-errors", "fieldops.openshift"]
    dumped = subprocess.run(command, capture_output=True, check=True, text=True)
    found: dict[str, t.Any] = json.loads(dumped.stdout)["all"]
    return {kind: found[kind] for kind in DOCUMENTED}


def test_the_inventory_has_all_labels_that_plugins_refer_to(documentation: dict[str, t.Any]) -> None:
    assert set(labels_in(documentation)) - set(PAGES_OF_ANSIBLE) == set()


def test_the_inventory_has_all_variables_of_ansible_that_plugins_refer_to(documentation: dict[str, t.Any]) -> None:
    """Other variables are described on the generated page of environment variables."""
    settings = constants.config.get_configuration_definitions().values()
    of_ansible = {one["name"] for setting in settings for one in setting.get("env") or []}
    assert set(variables_in(documentation)) & of_ansible == set(VARIABLES_OF_ANSIBLE)


@pytest.mark.parametrize(
    ("part", "labels", "variables"),
    [
        ("Use M(ansible.builtin.slurp).", ["ansible_collections.ansible.builtin.slurp_module"], []),
        ("See P(other.one.name#lookup).", ["ansible_collections.other.one.name_lookup"], []),
        ("O(ansible.builtin.copy#module:src)", ["ansible_collections.ansible.builtin.copy_module:src"], []),
        ({"seealso": [{"module": "a.b.c"}]}, ["ansible_collections.a.b.c_module"], []),
        ({"seealso": [{"plugin": "a.b.c", "plugin_type": "test"}]}, ["ansible_collections.a.b.c_test"], []),
        ("M(fieldops.openshift.node_drain), O(state=present) and RV(received.etcd.problem)", [], []),
        (["Set E(KUBECONFIG)."], [], ["KUBECONFIG"]),
        ({"options": {"view": {"env": [{"name": "FIELDOPS_VIEW"}]}}}, [], ["FIELDOPS_VIEW"]),
    ],
)
def test_what_a_part_of_documentation_refers_to(part: object, labels: list[str], variables: list[str]) -> None:
    assert (list(labels_in(part)), list(variables_in(part))) == (labels, variables)


def labels_in(part: object) -> Iterator[str]:
    """Yield the labels of plugins of other collections."""
    for kind, name, type_, inner in _references_in(part):
        if (type_ or kind == "M") and not name.startswith("fieldops.openshift."):
            yield f"ansible_collections.{name}_{type_ or 'module'}{inner}"
    for mapping in _mappings_in(part):
        plugin = mapping.get("plugin", mapping.get("module"))
        if isinstance(plugin, str) and "." in plugin and not plugin.startswith("fieldops.openshift."):
            yield f"ansible_collections.{plugin}_{mapping.get('plugin_type', 'module')}"


def variables_in(part: object) -> Iterator[str]:
    """Yield the environment variables."""
    yield from (name for kind, name, _type, _inner in _references_in(part) if kind == "E")
    for mapping in _mappings_in(part):
        if isinstance(mapping.get("env"), list):
            yield from (one["name"] for one in mapping["env"])


def _references_in(part: object) -> Iterator[tuple[str, ...]]:
    return (found.groups("") for found in MARKUP.finditer(json.dumps(part)))


def _mappings_in(part: object) -> Iterator[dict[str, t.Any]]:
    if isinstance(part, dict):
        yield part
    for one in part.values() if isinstance(part, dict) else part if isinstance(part, list) else []:
        yield from _mappings_in(one)
