# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""PinnedImageSets by the real daemon: what a worker fetches and pins, what it refuses, and how it tells of it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.integration.machine_config_hosts.operated import WORKER
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.registry.release import PartnerSpec
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import pinned_image_set

pytestmark = pytest.mark.long

SETS = "/apis/machineconfiguration.openshift.io/v1/pinnedimagesets"
NODE = f"/apis/machineconfiguration.openshift.io/v1/machineconfignodes/{WORKER}"
RULES = "/etc/containers/registries.conf.d/000-lab.conf"
PARTNER = "registry.partner.example"
PULLS = 60.0  # a failed pull is tried four times, for 15 s in all


@pytest.fixture
def connected(site: Lab) -> Iterator[Lab]:
    """The site with a worker that finds the partner's images in the lab's registry, and without sets afterwards."""
    host = site.hosts[WORKER]
    host.write(RULES, site.registry.mirror_rules([PARTNER]))
    host.run("systemctl", "reload", "crio")
    yield site
    for one in site.api.rest.get(SETS)["items"]:
        site.api.rest.delete(f"{SETS}/{one['metadata']['name']}")
    wait_for(lambda: not told(site) and condition(site, "PinnedImageSetsDegraded")["status"] == "False", PULLS)
    host.run("rm", RULES)
    host.run("systemctl", "reload", "crio")


def test_images_of_a_set_are_fetched_and_pinned_until_it_is_deleted(connected: Lab) -> None:
    images = [publish(connected, number, is_oci=False) for number in range(2)]
    connected.api.rest.apply(pinned_image_set("pins", "worker", images))
    wait_for(lambda: [one.get("currentGeneration") for one in told(connected)] == [1], PULLS)
    wait_for(lambda: pinned(connected) >= {*images}, PULLS)  # the daemon does not wait for CRI-O, which reads it later
    assert condition(connected, "PinnedImageSetsProgressing")["status"] == "False"
    connected.api.rest.delete(f"{SETS}/pins")
    wait_for(lambda: not pinned(connected) & {*images}, PULLS)


@pytest.mark.parametrize(
    ("is_oci", "is_published", "error"),
    [
        pytest.param(True, True, "podman manifest inspect", id="a single manifest in OCI's format"),
        pytest.param(False, False, "podman manifest inspect", id="an image that no registry has"),
    ],
)
def test_what_cannot_be_sized_up_degrades_the_node(
    connected: Lab, is_oci: bool, is_published: bool, error: str
) -> None:
    image = publish(connected, 7, is_oci=is_oci)
    if not is_published:
        image = f"{PARTNER}/edge/missing@sha256:{'0' * 64}"
    connected.api.rest.apply(pinned_image_set("refused", "worker", [image]))
    wait_for(lambda: condition(connected, "PinnedImageSetsDegraded")["reason"] == "PrefetchFailed", PULLS)
    # Each further try takes the error back until it has failed too.
    wait_for(lambda: any(error in one.get("lastFailedGenerationError", "") for one in told(connected)), PULLS)
    assert image not in pinned(connected)


def publish(site: Lab, number: int, *, is_oci: bool) -> str:
    """Put an image of a partner's into the registry and return its name with its digest."""
    name = f"{PARTNER}/edge/pin-{number}"
    named = site.registry.factory.partner_image(PartnerSpec(reference=f"{name}:1", seed=number, is_oci=is_oci))
    site.registry.publish_images(site.registry.factory.pool, [named])
    return f"{name}@{named.image.digest}"


def pinned(site: Lab) -> set[str]:
    listed = json.loads(site.hosts[WORKER].run("crictl", "images", "--output", "json"))["images"]
    return {digest for image in listed if image.get("pinned") for digest in image["repoDigests"]}


def told(site: Lab) -> list[Json]:
    return site.api.rest.get(NODE)["status"].get("pinnedImageSets") or []


def condition(site: Lab, kind: str) -> Json:
    return next(one for one in site.api.rest.get(NODE)["status"]["conditions"] if one["type"] == kind)
