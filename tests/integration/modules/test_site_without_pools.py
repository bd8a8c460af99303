# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""update_site refuses, before it touches anything, what cannot end well: no machine-config operator, no update."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS, run_play

PLAYBOOK = COLLECTIONS / "ansible_collections/fieldops/openshift/playbooks/update_site.yml"


@pytest.mark.parametrize(("pools", "is_refused"), [([], True), ([{"name": "master"}], False)])
def test_a_cluster_without_pools_is_refused(tmp_path: Path, pools: list[dict[str, str]], is_refused: bool) -> None:
    (play,) = yaml.safe_load(PLAYBOOK.read_text())
    (block,) = [task["block"] for task in play["tasks"] if "block" in task]
    names = [task["name"] for task in block]
    asked = names.index("Reject a cluster that is not OpenShift")
    assert asked == names.index("Gather the nodes of the site") + 1, "nothing is done before"
    refusal = {"ansible.builtin.assert": block[asked]["ansible.builtin.assert"]}
    found = json.dumps({"play_nodes_found": {"pools": pools}})
    result = run_play(tmp_path, refusal, "-e", found).result
    assert result.get("failed", False) is is_refused
    assert ("has no MachineConfigPool" in result["msg"]) is is_refused
