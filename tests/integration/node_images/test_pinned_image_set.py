# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The cluster's own pins: real objects, nodes that report as the machine-config daemon does, and CRI-O."""

from __future__ import annotations

import contextlib
import typing as t
from functools import partial

import pytest
import yaml

from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    Controller,
    forget_everything,
    listed,
    plug_in,
    wait_for,
)
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS, PlayRun, run_play
from ansible_collections.fieldops.openshift.tests.lab.actors.machine_config_node import NODES
from ansible_collections.fieldops.openshift.tests.lab.actors.pinned_images import SETS, CrioOnHost, PinnedImages
from ansible_collections.fieldops.openshift.tests.lab.machine_config_controller import machine_config_controller
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image

if t.TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle
    from ansible_collections.fieldops.openshift.tests.lab.lab import Lab

RBAC = COLLECTIONS / "ansible_collections/fieldops/openshift/extensions/rbac/pinned-image-sets.yml"
WORKERS = ("worker-0", "worker-1")


@pytest.fixture
def machine_config_operator(lab: Lab) -> Iterator[dict[str, contextlib.ExitStack]]:
    """The operator's controller, and its daemon on the workers, each of which can be ended by itself."""
    with contextlib.ExitStack() as running:
        running.enter_context(machine_config_controller(lab.api))
        daemons = {name: running.enter_context(contextlib.ExitStack()) for name in WORKERS}
        for name, daemon in daemons.items():
            daemon.enter_context(PinnedImages(lab.api.rest, name, CrioOnHost(lab.hosts[name])))
        yield daemons


@pytest.fixture
def technician(lab: Lab) -> Iterator[str]:
    """A token with the rights of extensions/rbac alone."""
    role = yaml.safe_load(RBAC.read_text())
    name = role["metadata"]["name"]
    binding = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": name},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": name},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "technician"}],
    }
    lab.api.rest.apply_all([role, binding])
    yield lab.api.token_of("technician")
    for kind in ("clusterrolebindings", "clusterroles"):
        lab.api.rest.delete(f"/apis/rbac.authorization.k8s.io/v1/{kind}/{name}")


def play(lab: Lab, folder: Path, token: str, module: str, *words: str, **options: t.Any) -> PlayRun:
    reach = {"host": lab.api.url, "ca_cert": str(lab.api.ca_file), "api_key": token}
    return run_play(folder, {f"fieldops.openshift.{module}": {**reach, **options}}, *words)


@pytest.mark.usefixtures("machine_config_operator")
def test_sets_are_applied_awaited_and_given_up(lab: Lab, technician: str, tmp_path: Path) -> None:
    asked: dict[str, t.Any] = {"name": "release", "pools": ["worker"], "images": [pause_image().name]}

    trial = play(lab, tmp_path, technician, "pinned_image_set", "--check", **asked).result
    assert (trial["changed"], lab.api.rest.exists(f"{SETS}/release-worker")) == (True, False)

    done = play(lab, tmp_path, technician, "pinned_image_set", **asked, wait=True, wait_timeout=100)
    assert not done.result["failed"], done.output
    assert done.result["nodes"] == [{"node": n, "pool": "worker", "state": "pinned", "reason": ""} for n in WORKERS]
    assert "2 of 2 nodes have and keep all images" in done.output
    assert all(listed(lab.hosts[name])[pause_image().name] for name in WORKERS)

    again = play(lab, tmp_path, technician, "pinned_image_set", **asked).result
    assert (again["changed"], again["progress"]["done"]) == (False, True)
    seen = play(lab, tmp_path, technician, "pinned_image_set_info", name="release").result
    assert [one["name"] for one in seen["pinned_image_sets"]] == ["release-worker"]

    gone = play(lab, tmp_path, technician, "pinned_image_set", name="release", state="absent").result
    assert (gone["changed"], lab.api.rest.exists(f"{SETS}/release-worker")) == (True, False)


def has_failed(lab: Lab, node: str) -> bool:
    sets = lab.api.rest.get(f"{NODES}/{node}")["status"].get("pinnedImageSets") or []
    return any("lastFailedGenerationError" in one for one in sets)


def test_a_node_that_cannot_get_an_image_says_why(
    lab: Lab, machine_config_operator: dict[str, contextlib.ExitStack], technician: str, tmp_path: Path
) -> None:
    nowhere = f"quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:{'0' * 64}"
    options: dict[str, t.Any] = {"name": "nowhere", "pools": ["worker"], "images": [nowhere]}
    try:
        asked = play(lab, tmp_path, technician, "pinned_image_set", **options).result
        assert (asked["failed"], asked["progress"]["done"]) == (False, False)
        for name, daemon in machine_config_operator.items():
            wait_for(partial(has_failed, lab, name), f"{name} has given up", 240)
            # It would try again at once, and not say why until it has given up again.
            daemon.close()
        told = play(lab, tmp_path, technician, "pinned_image_set", **options).result
        assert {one["node"]: one["state"] for one in told["nodes"]} == dict.fromkeys(WORKERS, "failed")
        assert "0 of 2 nodes have and keep all images; worker-0: " in told["progress"]["sentence"]
        assert "failed to pull image" in told["nodes"][0]["reason"]
    finally:
        play(lab, tmp_path, technician, "pinned_image_set", name="nowhere", state="absent")


@pytest.mark.usefixtures("machine_config_operator")
def test_the_play_prefers_the_cluster_s_way_and_gives_up_its_own(
    lab: Lab, controller: Controller, bundle: WrittenBundle
) -> None:
    digest = str(bundle.index.digest)
    variables: dict[str, t.Any] = {
        "site_nodes": list(WORKERS),
        "site_index_digest": digest,
        "site_bundle_src_by_node": {name: plug_in(lab, name, bundle) for name in WORKERS},
        "site_keep_free_percent": 1,
    }
    made = f"{SETS}/bundle-{digest[7:19]}-worker"
    try:
        by_node = controller.play("fieldops.openshift.stage_bundle", **variables)
        assert by_node.rc == 0, by_node.output
        assert not lab.api.rest.exists(made)
        by_cluster = controller.play("fieldops.openshift.stage_bundle", **variables, site_pools=["worker"])
        assert by_cluster.rc == 0, by_cluster.output
        names = {one["name"] for one in lab.api.rest.get(made)["spec"]["pinnedImages"]}
        for name in WORKERS:
            assert dict.fromkeys(bundle.names, True).items() <= listed(lab.hosts[name]).items()
            own = controller.task(name, "crio_pinned_images_info").result["pins"]["own"]
            assert set(own) == set(bundle.names) - names
        again = controller.play("fieldops.openshift.stage_bundle", **variables, site_pools=["worker"])
        assert (again.rc, again.changed) == (0, 0), again.output
    finally:
        lab.api.rest.delete(made)
        for name in WORKERS:
            forget_everything(lab.hosts[name], bundle.names)
