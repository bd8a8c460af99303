# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action group ``cluster`` names the modules that take the API's connection options, no more and no fewer."""

from __future__ import annotations

import yaml

from ansible_collections.fieldops.openshift.tests.structure.source_tree import PREFIX, ROOT, SourceFile

CONNECTION_OPTIONS = PREFIX + "plugins.module_utils._run.cluster_options"


def test_group_is_complete() -> None:
    groups = yaml.safe_load((ROOT / "meta" / "runtime.yml").read_text())["action_groups"]
    modules = [SourceFile(path) for path in sorted((ROOT / "plugins" / "modules").glob("*.py"))]
    with_connection = [source.path.stem for source in modules if CONNECTION_OPTIONS in source.imports]
    assert with_connection, "no module takes the connection options: this test would prove nothing"
    assert groups == {"cluster": with_connection}


def test_group_members_document_their_membership() -> None:
    (members,) = yaml.safe_load((ROOT / "meta" / "runtime.yml").read_text())["action_groups"].values()
    for name in members:
        text = (ROOT / "plugins" / "modules" / f"{name}.py").read_text()
        assert "fieldops.openshift._attributes.cluster" in text, name
        assert "fieldops.openshift._cluster_options" in text, name
