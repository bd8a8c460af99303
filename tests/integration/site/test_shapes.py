# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The main job on sites of another shape, with OpenShift's own operators: one node, and three that are both.

The API of the single node, and with it the lock and the journal, goes away while that node reboots.
"""

from __future__ import annotations

import json

import pytest

from ansible_collections.fieldops.openshift.tests.demo.stage import Stage
from ansible_collections.fieldops.openshift.tests.integration.site.api_outages import outages_of
from ansible_collections.fieldops.openshift.tests.integration.site.playbook_runs import run

pytestmark = pytest.mark.long
PATIENCE = 180  # what site_api_patience is by default
SETS = "/apis/machineconfiguration.openshift.io/v1/pinnedimagesets"


@pytest.mark.parametrize(
    ("nodes", "pin_method"),
    [(1, "pinned_image_set"), (3, "node")],
    ids=["a single node whose pool has a set", "three nodes that are both"],
)
def test_a_site_without_workers_comes_to_the_release(nodes: int, pin_method: str) -> None:
    with Stage(control_plane=nodes, workers=0, hosted=nodes == 1) as stage:
        built = run(stage.command("create_bundle", stage.create_bundle()))
        assert built.status == 0, built.output
        stage.lab.cut_registry()
        boots = stage.boots()
        site = {**stage.update_site(), "site_pools": [], "site_pin_method": pin_method}
        with outages_of(stage.lab.api) as outages:
            updated = run(stage.command("update_site", site))
        print(f"the API was away for {outages} s")
        assert updated.status == 0, updated.output
        assert "Nothing remains." in updated.output
        assert (len(outages) > 0, max(outages, default=0) < PATIENCE) == (nodes == 1, True)
        last = stage.last_update()
        assert (last["state"], last["image"]) == ("Completed", str(stage.release.reference.by_digest()))
        assert all(boots[name] != boot for name, boot in stage.boots().items())
        found = [stage.lab.api.rest.get(f"/api/v1/nodes/{name}") for name in boots]
        assert not [one for one in found if one["spec"].get("unschedulable")]
        sets = stage.lab.api.rest.get(SETS)["items"]
        assert [one["metadata"]["name"] for one in sets] == ["fieldops-master"] * (pin_method == "pinned_image_set")
        held = {image["name"] for one in sets for image in one["spec"]["pinnedImages"]}
        assert held <= {*stage.image_names}
        again = run(stage.command("update_site", site))
        assert (again.status, again.changed) == (0, 0), again.output
        records = [json.loads(text) for text in stage.rollout_journal().values()]
        assert [one["phase"] for one in records] == ["done"] * nodes
