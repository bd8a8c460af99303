# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The contents of the documentation site, and the pages of Ansible that it refers to."""

from __future__ import annotations

import zlib

from ansible_collections.fieldops.openshift.tests.gates.documentation import contents_of, inventory_of_ansible

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
