# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A site whose images were staged, but are not loaded on some of its nodes: these pull from their own disks."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.tests.demo.stage import Stage
from ansible_collections.fieldops.openshift.tests.integration.site.playbook_runs import run
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image

pytestmark = pytest.mark.long
UNLOADED = ("master-0", "worker-0")


def test_a_site_comes_to_a_release_that_is_not_loaded_on_a_master_and_a_worker() -> None:
    """The version operator has its own pods on that master alone."""
    with Stage(control_plane=1, workers=2) as stage:
        built = run(stage.command("create_bundle", stage.create_bundle()))
        assert built.status == 0, built.output
        stage.lab.cut_registry()
        brought = run(stage.command("update_site", {**stage.update_site(), "site_phases": ["images"]}))
        assert brought.status == 0, brought.output
        running = {name for name in stage.images_on("master-0") if name not in stage.image_names}
        for node in UNLOADED:
            unload(stage, node)
        site = {**stage.update_site(), "site_skip_phases": ["images"]}
        updated = run(stage.command("update_site", site))
        assert updated.status == 0, updated.output
        assert "of which these are pulled from the node's own bundle: master-0 " in updated.output
        assert "Nothing remains." in updated.output
        last = stage.last_update()
        assert (last["state"], last["image"]) == ("Completed", str(stage.release.reference.by_digest()))
        assert stage.version_operator_image() == str(stage.release.reference.by_digest())
        for node in UNLOADED:
            pulled = set(stage.images_on(node)) - running
            assert pulled, f"{node} runs the release and has pulled nothing"
            assert pulled < set(stage.image_names), "it has pulled what it runs, and no more"


def unload(stage: Stage, node: str) -> None:
    """Remove the images of the release that no pod of the node uses."""
    host = stage.lab.hosts[node]
    used = {pause_image().name, *in_use(stage, node)}
    for name in stage.image_names:
        if name not in used:
            host.run("crictl", "rmi", name)
    assert not set(stage.images_on(node)) & set(stage.image_names) - used


def in_use(stage: Stage, node: str) -> set[str]:
    """Return which images a node's containers use already, some of which are of both releases."""
    pods = stage.lab.api.rest.get("/api/v1/pods", fieldSelector=f"spec.nodeName={node}")["items"]
    return {one["image"] for pod in pods for one in pod["spec"]["containers"]}
