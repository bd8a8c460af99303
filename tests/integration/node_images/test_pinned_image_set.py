# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The cluster's own pins beside those of a play; with the daemon's actor, because the hosts are shared with others."""

from __future__ import annotations

import contextlib
import typing as t
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    OURS,
    Controller,
    forget_everything,
    listed,
    plug_in,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.pinned_images import SETS, CrioOnHost, PinnedImages
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.machine_config_controller import machine_config_controller

pytestmark = pytest.mark.long

WORKERS = ("worker-0", "worker-1")


@pytest.fixture
def machine_config_operator(lab: Lab) -> Iterator[None]:
    """The operator's controller, and its daemon on the workers."""
    with contextlib.ExitStack() as running:
        running.enter_context(machine_config_controller(lab.api))
        for name in WORKERS:
            running.enter_context(PinnedImages(lab.api.rest, name, CrioOnHost(lab.hosts[name])))
        yield


@pytest.mark.usefixtures("machine_config_operator")
def test_nodes_pin_by_themselves_and_sets_come_beside_that_where_they_are_the_method(
    lab: Lab, controller: Controller, bundle: WrittenBundle
) -> None:
    variables: dict[str, t.Any] = {
        "site_nodes": list(WORKERS),
        "site_bundle_digest": str(bundle.index.digest),
        "site_bundle_src_by_node": {name: plug_in(lab, name, bundle) for name in WORKERS},
        "site_pools_by_node": dict.fromkeys(WORKERS, "worker"),
        "site_keep_free_percent": 1,
    }
    by_sets = {**variables, "site_pinned_pools": ["worker"], "site_pin_method": "pinned_image_set"}
    made = f"{SETS}/fieldops-worker"
    try:
        by_node = controller.play("fieldops.openshift.stage_bundle", **variables)
        assert by_node.rc == 0, by_node.output
        assert not lab.api.rest.exists(made)
        by_cluster = controller.play("fieldops.openshift.stage_bundle", **by_sets)
        assert by_cluster.rc == 0, by_cluster.output
        names = {one["name"] for one in lab.api.rest.get(made)["spec"]["pinnedImages"]}
        assert names == {str(image.name) for image in bundle.index.images if image.reason == "os_image"}
        left_out = next(str(one.name) for one in bundle.index.images if one.component == "machine-config-operator")
        assert f"{left_out} is pinned on each node only" in by_cluster.output.replace("\n", " ")
        for name in WORKERS:
            assert dict.fromkeys(bundle.names, True).items() <= listed(lab.hosts[name]).items()
            own = lab.hosts[name].run("cat", OURS)
            assert all(f'"{image}"' in own for image in bundle.names)
        again = controller.play("fieldops.openshift.stage_bundle", **by_sets)
        assert (again.rc, again.changed) == (0, 0), again.output
    finally:
        if lab.api.rest.exists(made):
            lab.api.rest.delete(made)
        for name in WORKERS:
            forget_everything(lab.hosts[name], bundle.names)
