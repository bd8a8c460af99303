# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Before and after an update: deltas, proof that no node lacks an image, and the clean-up."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.pinned_image_sets import GROUP_LABEL
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import POOL_ROLE_LABEL
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import WrittenBundle, write_bundle
from ansible_collections.fieldops.openshift.tests.integration.node_images.nodes import (
    BUNDLES,
    Controller,
    Ended,
    forget_everything,
    listed,
    plug_in,
)
from ansible_collections.fieldops.openshift.tests.integration.plays import COLLECTIONS
from ansible_collections.fieldops.openshift.tests.lab.actors.pinned_images import SETS
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.node.images import pause_image
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release, ReleaseFactory

pytestmark = pytest.mark.long

GATE = COLLECTIONS / "ansible_collections/fieldops/openshift/playbooks/tasks/prove_images.yml"
CLUSTER_VERSION = "/apis/config.openshift.io/v1/clusterversions/version"


@pytest.fixture(scope="module")
def next_release(factory: ReleaseFactory, release: Release) -> Release:
    """The z-stream after the release: half of its images rebuilt on the same base layers."""
    return factory.release(release.spec.next_z_stream("4.21.4", share=0.5, keeps=2))


@pytest.fixture
def delta(next_release: Release, bundle: WrittenBundle, tmp_path_factory: pytest.TempPathFactory) -> WrittenBundle:
    return write_bundle(tmp_path_factory.mktemp("delta") / "delta", next_release, base=bundle.index)


@pytest.fixture
def host(lab: Lab, bundle: WrittenBundle, delta: WrittenBundle) -> Iterator[NodeHost]:
    found = lab.hosts["worker-1"]
    yield found
    forget_everything(found, list({*bundle.names, *delta.names}))


def brought(lab: Lab, controller: Controller, host: NodeHost, bundle: WrittenBundle) -> Ended:
    """Bring a bundle onto a host, loaded and pinned."""
    return controller.play(
        "fieldops.openshift.stage_bundle",
        site_nodes=[host.name],
        site_bundle_digest=str(bundle.index.digest),
        site_bundle_src_by_node={host.name: plug_in(lab, host.name, bundle)},
        site_keep_free_percent=1,
    )


def pinned(host: NodeHost) -> set[str]:
    return {name for name, is_pinned in listed(host).items() if is_pinned} - {pause_image().name}


def test_a_delta_is_completed_from_its_base_on_the_node(
    lab: Lab, controller: Controller, host: NodeHost, bundle: WrittenBundle, delta: WrittenBundle
) -> None:
    assert brought(lab, controller, host, bundle).rc == 0
    done = brought(lab, controller, host, delta)
    assert done.rc == 0, done.output
    assert set(delta.names) <= pinned(host)
    assert delta.index.size < bundle.index.size


def test_a_delta_whose_base_is_loaded_and_no_longer_staged_is_refused(
    lab: Lab, controller: Controller, host: NodeHost, bundle: WrittenBundle, delta: WrittenBundle
) -> None:
    """The node could not serve the images of the delta, which a wiped storage and the next boot need."""
    assert brought(lab, controller, host, bundle).rc == 0
    host.run("rm", "-rf", f"{BUNDLES}/{bundle.index.folder_name}")
    done = brought(lab, controller, host, delta)
    assert done.rc == 2, done.output
    assert "Stage the base bundle first, or use a full bundle." in " ".join(done.output.split())
    assert not set(delta.names) - set(bundle.names) & set(listed(host))


def keep_by_the_cluster(lab: Lab, bundle: WrittenBundle, group: str) -> str:
    """Make a PinnedImageSet under the name ``group`` of this collection; return its path."""
    lab.api.rest.apply(
        {
            "apiVersion": "machineconfiguration.openshift.io/v1",
            "kind": "PinnedImageSet",
            "metadata": {"name": f"{group}-worker", "labels": {GROUP_LABEL: group, POOL_ROLE_LABEL: "worker"}},
            "spec": {"pinnedImages": [{"name": str(bundle.index.release)}]},
        }
    )
    return f"{SETS}/{group}-worker"


class TestProof:
    """The update refuses to begin while a node lacks an image."""

    def prove(self, controller: Controller, host: NodeHost, bundle: WrittenBundle) -> Ended:
        tasks = [
            {
                "name": "Prove",
                "ansible.builtin.include_role": {"name": "fieldops.openshift.load_images", "tasks_from": "prove"},
                "vars": {
                    "load_images_nodes": [host.name],
                    "load_images_index_digest": str(bundle.index.digest),
                },
            }
        ]
        return controller.play(str(controller.play_of(tasks)))

    def test_node_and_image_are_named(
        self, lab: Lab, controller: Controller, host: NodeHost, bundle: WrittenBundle
    ) -> None:
        unknown = self.prove(controller, host, bundle)
        assert unknown.rc == 2
        assert f"worker-1 does not have the bundle {bundle.index.digest}" in unknown.output
        assert brought(lab, controller, host, bundle).rc == 0
        assert self.prove(controller, host, bundle).rc == 0
        lost = bundle.names[-1]
        host.run("crictl", "--timeout", "2m", "rmi", lost)
        assert self.prove(controller, host, bundle).rc == 0, "it pulls the image from its own bundle"
        controller.task(host.name, "image_source", state="absent")
        lacking = self.prove(controller, host, bundle)
        assert lacking.rc == 2
        assert f"worker-1 lacks {lost}" in lacking.output.replace("\\n", " ")


class TestLateNodes:
    """The gate of the update, which asks the cluster for the nodes of its pools."""

    def gate(self, controller: Controller, bundle: WrittenBundle) -> Ended:
        update = {"rollout": "update-4.21.3", "digest": str(bundle.index.digest)}
        tasks = [{"name": "Gate", "ansible.builtin.include_tasks": str(GATE)}]
        return controller.play(str(controller.play_of(tasks)), play_update=update, site_pools=["worker"])

    def test_one_that_joined_is_named_and_converges_by_the_same_play(
        self, lab: Lab, controller: Controller, bundle: WrittenBundle, fresh_node: Callable[..., NodeHost]
    ) -> None:
        hosts = list(lab.hosts.values())
        last = lab.hosts["worker-1"]
        try:
            for host in hosts:
                assert host is last or brought(lab, controller, host, bundle).rc == 0
            half = self.gate(controller, bundle)
            assert half.rc == 2, half.output
            assert "worker-1 does not have the bundle" in half.output
            assert brought(lab, controller, last, bundle).rc == 0
            passed = self.gate(controller, bundle)
            assert passed.rc == 0, passed.output
            late = fresh_node()
            lab.wait_ready([late.name])
            refused = self.gate(controller, bundle)
            assert refused.rc == 2, refused.output
            assert f"{late.name} does not have the bundle" in refused.output
            assert "worker-0 " not in refused.output.partition("fatal:")[2]
            assert brought(lab, controller, late, bundle).rc == 0
            assert self.gate(controller, bundle).rc == 0
            with lab.faults.partition(late.name):
                unasked = self.gate(controller, bundle)
            assert unasked.rc == 2, unasked.output
            assert f"{late.name} could not be queried" in unasked.output
        finally:
            for host in hosts:
                forget_everything(host, bundle.names)


class TestCleanUp:
    """What earlier releases left is given up, and only when nobody needs it any more."""

    @pytest.fixture
    def history(self, lab: Lab, release: Release, next_release: Release) -> Iterator[list[dict[str, t.Any]]]:
        """The cluster has gone from the release to the next one."""
        before = lab.api.rest.get(CLUSTER_VERSION)["status"]
        entries = [
            {
                "state": "Completed",
                "version": one.spec.version,
                "image": str(one.reference.by_digest()),
                "startedTime": f"2026-11-2{day}T20:00:00Z",
                "completionTime": f"2026-11-2{day}T21:00:00Z",
                "verified": True,
            }
            for day, one in ((1, next_release), (0, release))
        ]
        yield entries
        lab.api.rest.merge(
            f"{CLUSTER_VERSION}/status", {"status": {key: before[key] for key in ("history", "desired")}}
        )

    def tell(self, lab: Lab, history: list[dict[str, t.Any]]) -> None:
        desired = {"version": history[0]["version"], "image": history[0]["image"]}
        lab.api.rest.merge(f"{CLUSTER_VERSION}/status", {"status": {"history": history, "desired": desired}})

    def test_not_before_the_update_is_complete_and_then_all_but_the_present(
        self,
        lab: Lab,
        controller: Controller,
        host: NodeHost,
        bundle: WrittenBundle,
        delta: WrittenBundle,
        history: list[dict[str, t.Any]],
    ) -> None:
        for one in (bundle, delta):
            assert brought(lab, controller, host, one).rc == 0
        ours, others = (keep_by_the_cluster(lab, bundle, group) for group in ("fieldops", "partner"))
        partial = [{**history[0], "state": "Partial"}, history[1]]
        self.tell(lab, partial)
        refused = controller.play("fieldops.openshift.clean_up_bundle", site_nodes=[host.name])
        assert refused.rc == 2, refused.output
        assert "Nothing was removed, because an update may still need it" in refused.output
        assert set(bundle.names) <= pinned(host)
        assert lab.api.rest.exists(ours)

        self.tell(lab, history)
        done = controller.play("fieldops.openshift.clean_up_bundle", site_nodes=[host.name])
        assert done.rc == 0, done.output
        assert host.run("ls", BUNDLES).split() == [delta.index.folder_name]
        served = controller.task(host.name, "node_info", gather=["image_source"]).result["image_source"]["bundles"]
        assert [(one["index_digest"], one["lacking"]) for one in served] == [(str(delta.index.digest), [])], "whole"
        assert pinned(host) == set(delta.names)
        assert (lab.api.rest.exists(ours), lab.api.rest.exists(others)) == (False, True)
        assert set(bundle.names) <= set(listed(host))
        again = controller.play("fieldops.openshift.clean_up_bundle", site_nodes=[host.name])
        assert (again.rc, again.changed) == (0, 0), again.output

        ours = keep_by_the_cluster(lab, bundle, "fieldops")
        chosen = {"site_nodes": [host.name], "site_pin_method": "pinned_image_set"}
        assert controller.play("fieldops.openshift.clean_up_bundle", **chosen).rc == 0
        assert lab.api.rest.exists(ours)
        for path in (ours, others):
            lab.api.rest.delete(path)

    def test_a_node_that_holds_the_images_without_the_bundle_keeps_no_others(
        self,
        lab: Lab,
        controller: Controller,
        host: NodeHost,
        bundle: WrittenBundle,
        delta: WrittenBundle,
        history: list[dict[str, t.Any]],
    ) -> None:
        """As one does that pulled them from the control plane."""
        other = lab.hosts["worker-0"]
        try:
            for node in (other, host):
                for one in (bundle, delta):
                    assert brought(lab, controller, node, one).rc == 0
            other.run("sh", "-c", f"rm -rf {BUNDLES}/*")
            self.tell(lab, history)
            done = controller.play("fieldops.openshift.clean_up_bundle", site_nodes=[host.name, other.name])
            assert done.rc == 0, done.output
            assert pinned(other) == set(delta.names)
            other.run("crictl", "--timeout", "2m", "rmi", delta.names[0])
            kept = controller.play("fieldops.openshift.clean_up_bundle", site_nodes=[host.name, other.name])
            assert (kept.rc, kept.changed) == (0, 0), kept.output
        finally:
            forget_everything(other, list({*bundle.names, *delta.names}))
