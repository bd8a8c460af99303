# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A cluster of one node, whose API, lock and journal go away with it while it reboots."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.tests.integration.rollout.roll import Rollout

pytestmark = pytest.mark.long

NODE = "master-0"


@pytest.mark.skipif(os.geteuid() != 0, reason="node hosts need root")
def test_the_only_node_is_rebooted_without_a_drain_and_proved(tmp_path: Path) -> None:
    from ansible_collections.fieldops.openshift.tests.lab.lab import Lab

    with Lab(control_plane=1, workers=0, hosted=True) as lab:
        rollout = Rollout(lab, tmp_path, "single", nodes=[NODE])
        run = rollout.run()
        assert run.returncode == 0, run.stdout
        assert f"{NODE} has started and is not cordoned" in run.stdout
        assert "1 of 1 nodes are done, 0 remain" in run.stdout
        assert (rollout.boots(), rollout.is_schedulable(NODE), rollout.holder()) == ({NODE: 1}, True, "")
        assert sorted(rollout.record(NODE)["times"]) == ["done", "draining", "rebooting"]
