# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""OS images by the real daemon on hosts with the real ostree: from a registry, and from what a node holds already."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.image_reference import ImageReference
from ansible_collections.fieldops.openshift.tests.integration.machine_config_hosts.operated import (
    WORKER,
    daemon_notes,
    update_worker,
)
from ansible_collections.fieldops.openshift.tests.lab.actors.bootc_images import BASE_LABEL, VERSION_LABEL
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.machine_config.coreos_host import KERNEL_ARGUMENTS
from ansible_collections.fieldops.openshift.tests.lab.node.host import NodeHost
from ansible_collections.fieldops.openshift.tests.lab.registry.images import DOCKER, NamedImage, write_image
from ansible_collections.fieldops.openshift.tests.lab.registry.layers import Member, write_layer
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.machine_configs import machine_config_with_os

pytestmark = pytest.mark.long

REPOSITORY = "quay.io/example/os"
RULES = "/etc/containers/registries.conf.d/000-lab.conf"


@pytest.fixture
def connected(site: Lab) -> Iterator[Lab]:
    """The site with a worker that finds OS images in the lab's registry."""
    host = site.hosts[WORKER]
    host.write(RULES, site.registry.mirror_rules([REPOSITORY]))
    yield site
    host.run("rm", RULES)


@pytest.mark.parametrize(
    ("version", "held", "transport"),
    [
        pytest.param("2", False, "ostree-unverified-registry", id="from the registry"),
        pytest.param("3", True, "ostree-unverified-image:containers-storage", id="that CRI-O holds already"),
    ],
)
def test_a_worker_boots_the_image_of_its_pool(connected: Lab, version: str, held: bool, transport: str) -> None:
    host = connected.hosts[WORKER]
    image = publish(connected, version)
    if held:
        host.run("systemctl", "reload", "crio")
        host.run("crictl", "pull", image)
    target = update_worker(connected, machine_config_with_os("50-os", "worker", image))
    assert daemon_notes(connected)["currentConfig"] == target
    assert host.run("cat", "/usr/lib/lab-os") == f"{version}\n"
    booted = booted_deployment(host)
    assert booted["container-image-reference"] == f"{transport}:{image}"
    assert set(host.run("rpm-ostree", "kargs").split()) >= {*KERNEL_ARGUMENTS}


def publish(site: Lab, version: str) -> str:
    """Put an OS image that changes one file of the booted one into the registry; return its name with its digest."""
    pool = site.registry.factory.pool
    layer = write_layer(pool, [Member("usr/lib/lab-os", f"{version}\n".encode())])
    labels = {VERSION_LABEL: version, BASE_LABEL: "booted", "containers.bootc": "1"}
    image = write_image(pool, DOCKER, Architecture.parse("x86_64"), [layer], {"Labels": labels})
    reference = ImageReference.parse(f"{REPOSITORY}:{version}@{image.digest}")
    site.registry.publish_images(pool, [NamedImage(reference, image)])
    return f"{REPOSITORY}@{image.digest}"


def booted_deployment(host: NodeHost) -> Json:
    document = json.loads(host.run("rpm-ostree", "status", "--json"))
    (booted,) = (one for one in document["deployments"] if one["booted"])
    return t.cast("Json", booted)
