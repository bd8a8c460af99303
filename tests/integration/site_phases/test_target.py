# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Releases whose machine-config daemons take OS images from a registry alone, on a site that has none."""

from __future__ import annotations

from pathlib import Path

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.read_health import (
    HEALTH_OPTIONS,
    read_health,
)
from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.modules.change_sites import client_of
from ansible_collections.fieldops.openshift.tests.integration.node_images.bundles import write_bundle
from ansible_collections.fieldops.openshift.tests.integration.site_phases.phase_site import PhaseSite
from ansible_collections.fieldops.openshift.tests.integration.site_phases.played_site import VERSION, finish, kill
from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer
from ansible_collections.fieldops.openshift.tests.lab.registry.release import ReleaseFactory
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.seed.healthy import healthy_cluster, plant

WITHOUT_HOSTS = [name for name in HEALTH_OPTIONS["checks"]["choices"] if name != "space"]
PATHS = [("4.15.40", "4.16.3"), ("4.16.30", "4.17.9"), ("4.17.20", "4.18.4"), ("4.18.20", "4.19.11")]
"""The daemon of the target decides.

Source: machine-config-operator, pkg/daemon/rpm-ostree.go (4.16) and update.go, updateLayeredOS (4.17, 4.18), where
feature gate PinnedImages, which no supported cluster had before 4.19.12, decides on an image that is there.
"""


@pytest.fixture(
    params=[
        # The first and the last path; those between are for the long run.
        pytest.param(path, id=" to ".join(path), marks=[pytest.mark.long] if path in PATHS[1:-1] else [])
        for path in PATHS
    ]
)
def path(request: pytest.FixtureRequest) -> tuple[str, str]:
    found: tuple[str, str] = request.param
    return found


@pytest.fixture
def site(server: ApiServer, tmp_path: Path, path: tuple[str, str]) -> PhaseSite:
    """A site at the first release with a bundle of the second one."""
    running, target = path
    release = ReleaseFactory(tmp_path / "pool").release(ReleaseSpec(version=target, previous=(running,)))
    made = PhaseSite(server, write_bundle(tmp_path / "media", release), tmp_path, control_plane=1, workers=1)
    made.rest.delete(VERSION.rpartition("/")[0])
    plant(made.rest, healthy_cluster(running, control_plane=1, workers=1))
    return made


def test_it_is_begun_only_when_each_node_serves_its_os_image(site: PhaseSite, path: tuple[str, str]) -> None:
    site.take_images_as_proved(serving=False)
    refused = site.update(["release"])
    assert refused.returncode != 0, refused.stdout
    assert f"daemon of {path[1]} pulls the OS image from a registry only: master-0; worker-0" in refused.stdout
    assert site.requested() == {}

    site.take_images_as_proved(serving=True)
    process = site.start(["release"])
    wait_for(lambda: bool(site.requested()) or process.poll() is not None, 120)
    kill(process)
    output = finish(process).stdout
    assert site.requested().get("version") == path[1], output


@pytest.mark.parametrize(
    ("method", "faults"), [("node", set()), ("pinned_image_set", {"pinned_image_sets_unused"})], ids=["node", "sets"]
)
@pytest.mark.usefixtures("site")
def test_before_anything_is_brought_only_sets_that_would_be_of_no_use_are_faults(
    server: ApiServer, path: tuple[str, str], method: str, faults: set[str]
) -> None:
    options = {**{name: one["default"] for name, one in HEALTH_OPTIONS.items()}, "target_version": path[1]}
    health = read_health(client_of(server), {**options, "checks": WITHOUT_HOSTS, "pin_method": method})
    assert {one["code"] for one in health.objects["findings"] if one["severity"] == "fault"} == faults, health.sentence
