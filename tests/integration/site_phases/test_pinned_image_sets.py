# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the role pin_images asks of the daemons of a pool, against what upstream's daemon is able to do."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.media_types import DOCKER_MANIFEST
from ansible_collections.fieldops.openshift.tests.integration.cluster_update.role_runs import RolePlay
from ansible_collections.fieldops.openshift.tests.integration.site_phases.conftest import MakeSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import SETS
from ansible_collections.fieldops.openshift.tests.integration.site_phases.prefetching import (
    Limits,
    Prefetching,
    limits_of_upstream,
)
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import (
    COMPONENT_REPOSITORY,
    pinned_image_set,
)

IMAGES = 190  # of a release of OpenShift


def images_of(release: str) -> list[str]:
    digests = (hashlib.sha256(f"{release} {number}".encode()).hexdigest() for number in range(IMAGES))
    return [f"{COMPONENT_REPOSITORY}@sha256:{digest}" for digest in digests]


def sets_of(*releases: str) -> list[Json]:
    made = [pinned_image_set(name, "master", images_of(name)) for name in releases]
    return [{**one, "metadata": {**one["metadata"], "uid": one["metadata"]["name"]}} for one in made]


def test_the_limits_are_those_of_the_pinned_daemon() -> None:
    assert limits_of_upstream() == Limits()


@pytest.mark.parametrize(
    ("releases", "rounds"),
    [
        pytest.param(["first"], 2, id="one release, which looks like a failure for two minutes"),
        pytest.param(["first", "second"], None, id="two releases, of which one pushes the other out of the cache"),
    ],
)
def test_what_the_daemon_of_a_control_plane_node_is_able_to_keep(releases: list[str], rounds: int | None) -> None:
    assert Prefetching(Limits()).rounds(sets_of(*releases)) == rounds


def bundle_of(release: str) -> list[Json]:
    """Return the images of a release as release_bundle_info returns them, OS image and host components among them."""
    known = ["rhel-coreos", "rhel-coreos-extensions", "machine-config-operator", "baremetal-runtimecfg", "pod"]
    components = [*known, *(f"component-{number}" for number in range(IMAGES - len(known)))]
    return [
        {
            "name": name,
            "component": component,
            "reason": "os_image" if component.startswith("rhel-coreos") else "component",
            "media_type": DOCKER_MANIFEST,
        }
        for name, component in zip(images_of(release), components)
    ]


def test_the_sets_of_the_next_release_take_the_place_of_those_before(
    server: ApiServer, make_site: MakeSite, tmp_path: Path
) -> None:
    """A daemon completes them in one round, also one that has been started again meanwhile and remembers nothing."""
    site = make_site(1, 0)
    for digit, release in (("a", "first"), ("b", "second")):
        # No daemon says that it is done, and the role ends by waiting for one.
        run = RolePlay(tmp_path, server.kubeconfig, "pin_images", []).run(
            pin_images_nodes=[],
            pin_images_index_digest=f"sha256:{digit * 64}",
            pin_images_method="pinned_image_set",
            pin_images_pools=["master"],
            pin_images_bundle_images=bundle_of(release),
            pin_images_timeout=1,
        )
        (only,) = site.rest.get(SETS)["items"]
        assert only["metadata"]["name"] == "fieldops-master", run.output
        assert {one["name"] for one in only["spec"]["pinnedImages"]} == {*images_of(release)[:5]}
        assert Prefetching(Limits()).rounds([only]) == 1
    assert only["metadata"]["generation"] == 2


def test_pins_of_nodes_alone_ask_no_cluster(server: ApiServer, tmp_path: Path) -> None:
    mark = server.audit.mark()
    run = RolePlay(tmp_path, server.kubeconfig, "pin_images", []).run(
        pin_images_nodes=[], pin_images_index_digest=f"sha256:{'a' * 64}", pin_images_pools=["master"]
    )
    assert run.status == 0, run.output
    assert not [one for one in server.audit.requests(mark) if "pinnedimageset" in one.resource]


def test_sets_that_daemons_would_not_complete_beside_others_are_refused(
    server: ApiServer, make_site: MakeSite, tmp_path: Path
) -> None:
    site = make_site(1, 0)
    site.rest.apply(pinned_image_set("site", "master", [*images_of("first"), *images_of("second")][:252]))
    run = RolePlay(tmp_path, server.kubeconfig, "pin_images", []).run(
        pin_images_nodes=[],
        pin_images_index_digest=f"sha256:{'a' * 64}",
        pin_images_method="pinned_image_set",
        pin_images_pools=["master"],
        pin_images_bundle_images=bundle_of("third"),
    )
    assert run.status != 0
    assert "its nodes would have to keep 257 images of 2 PinnedImageSets" in " ".join(run.output.split())
    assert [one["metadata"]["name"] for one in site.rest.get(SETS)["items"]] == ["site"]
