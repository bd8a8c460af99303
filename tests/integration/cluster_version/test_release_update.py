# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An update by ``desiredUpdate``, carried through by OpenShift's own operators from signature to rebooted nodes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.cluster_version_operator import VERSION
from ansible_collections.fieldops.openshift.tests.lab.machine_config.payload import OPERATOR
from ansible_collections.fieldops.openshift.tests.lab.machine_config.reading import operator_condition, pool_is
from ansible_collections.fieldops.openshift.tests.lab.operated import OperatedLab, operated_lab
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.boot_images import MACHINE_CONFIG

pytestmark = pytest.mark.long
OPERATORS = "/apis/config.openshift.io/v1/clusteroperators"
PODS = "/api/v1/namespaces/{}/pods"
UPDATE_SECONDS = 480.0  # a single control-plane node's controller waits for the Lease of the one before it


@pytest.fixture(scope="module")
def site() -> Iterator[OperatedLab]:
    if os.geteuid():
        pytest.skip("node hosts need root")
    with operated_lab(control_plane=1, workers=1) as site:
        yield site


def test_its_operators_are_pods_of_the_release_that_it_runs(site: OperatedLab) -> None:
    running = site.releases["4.21.3"]
    assert history(site)[0]["version"] == "4.21.3"
    assert images_of(site, "openshift-cluster-version") == {str(running.reference.by_digest())}
    assert str(running.reference_of(OPERATOR)) in images_of(site, MACHINE_CONFIG)


def test_nodes_find_the_registry_by_what_the_real_controller_rendered(site: OperatedLab) -> None:
    for host in site.lab.hosts.values():
        rules = host.run("cat", "/etc/containers/registries.conf")
        assert f'location = "{site.registry.host}/openshift-release-dev"' in rules
        assert "blocked = true" in rules


def test_an_update_goes_through_to_the_last_node(site: OperatedLab) -> None:
    rest, release = site.lab.api.rest, site.releases["4.21.4"]
    earlier = {pool: target_of(site, pool) for pool in ("master", "worker")}
    rest.apply(json.loads(site.signature_file("4.21.4").read_text()))
    image = str(release.reference.by_digest())
    rest.merge(VERSION, {"spec": {"desiredUpdate": {"version": "4.21.4", "image": image}}})
    wait_for(lambda: is_completed(site, "4.21.4"), UPDATE_SECONDS)
    assert (history(site)[0]["image"], history(site)[0]["verified"]) == (image, True)
    assert images_of(site, "openshift-cluster-version") >= {image}, "it has replaced itself"
    for pool, target in earlier.items():
        assert target_of(site, pool) != target
        assert pool_is(rest, pool, "Updated")
    assert {name: host.boots for name, host in site.lab.hosts.items()} == {"master-0": 1, "worker-0": 1}


def test_every_operator_reports_the_release_and_none_is_degraded(site: OperatedLab) -> None:
    for operator in site.lab.api.rest.get(OPERATORS)["items"]:
        versions = {one["name"]: one["version"] for one in operator["status"]["versions"]}
        assert versions["operator"] == "4.21.4", operator["metadata"]["name"]
    assert operator_condition(site.lab.api.rest, "Degraded")["status"] == "False"
    deployed = site.lab.api.rest.get(f"/apis/apps/v1/namespaces/{MACHINE_CONFIG}/deployments/{OPERATOR}")
    assert "--payload-version=4.21.4" in deployed["spec"]["template"]["spec"]["containers"][0]["args"]


def is_completed(site: OperatedLab, version: str) -> bool:
    """Whether an update to a version is through; the API goes on while the only control-plane node reboots."""
    newest = history(site)[0]
    return bool((newest["version"], newest["state"]) == (version, "Completed"))


def history(site: OperatedLab) -> list[Json]:
    found: list[Json] = site.lab.api.rest.get(VERSION)["status"]["history"]
    return found


def images_of(site: OperatedLab, namespace: str) -> set[str]:
    """Return the images that the pods of a namespace run."""
    pods = site.lab.api.rest.get(PODS.format(namespace))["items"]
    return {one["image"] for pod in pods for one in pod["spec"]["containers"]}


def target_of(site: OperatedLab, pool: str) -> str:
    found = site.lab.api.rest.get(f"/apis/machineconfiguration.openshift.io/v1/machineconfigpools/{pool}")
    return str(found["spec"]["configuration"]["name"])
