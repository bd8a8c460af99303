# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a task sends to a node: Ansible packs every file that a module leads to by imports of any kind.

That is so for imports in functions and for type checking as well, and each task of each node sends all of it again.
"""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.tests.structure.source_tree import (
    PREFIX,
    SourceFile,
    plugin_files,
    reached,
)
from ansible_collections.fieldops.openshift.tests.structure.test_dead_code import imported

HOST_OPTIONS = PREFIX + "plugins.module_utils._run.host_options"
LARGEST = 680 * 1024
"""Bytes of source of the largest module."""

MODULES = [source for source in plugin_files() if HOST_OPTIONS in source.imports]
NOT_FOR_NODES = (
    PREFIX + "plugins.module_utils._cluster.",
    PREFIX + "plugins.module_utils._net.registry.registry_client",
)


def carried(module: SourceFile) -> set[SourceFile]:
    """Return the files that are sent with a module."""
    return reached([module], imported)


@pytest.mark.parametrize("module", MODULES, ids=lambda source: source.path.stem)
def test_a_module_of_nodes_carries_what_it_uses(module: SourceFile) -> None:
    files = carried(module)
    assert [one.name for one in files if f"{one.module}.".startswith(NOT_FOR_NODES)] == []
    assert sum(one.path.stat().st_size for one in files) <= LARGEST


def test_there_are_modules_of_nodes() -> None:
    assert {"node_bundle", "node_images", "node_info"} <= {source.path.stem for source in MODULES}
