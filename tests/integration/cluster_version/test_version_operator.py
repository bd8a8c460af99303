# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How the real cluster-version-operator accepts, refuses and carries out an update on the lab.

The releases lie in the lab's registry. What other operators would report is set here, as the payload has none of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.tests.integration.lab.waiting import wait_for
from ansible_collections.fieldops.openshift.tests.lab.cluster_version_operator import (
    VERSION,
    cluster_version_operator,
)
from ansible_collections.fieldops.openshift.tests.lab.lab import Lab
from ansible_collections.fieldops.openshift.tests.lab.registry.release import Release
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ReleaseSpec
from ansible_collections.fieldops.openshift.tests.lab.registry.version_operator_payload import VersionOperatorSpec
from ansible_collections.fieldops.openshift.tests.lab.rest import Json
from ansible_collections.fieldops.openshift.tests.lab.seed.conditions import condition

RUNNING, UPDATES = "4.22.1", ("4.22.2", "4.22.3", "4.22.4")
OPERATORS = "/apis/config.openshift.io/v1/clusteroperators"
RULES = "/etc/containers/registries.conf.d/50-lab.conf"


class Site:
    """A cluster with the version operator, and its releases by version."""

    def __init__(self, lab: Lab, releases: dict[str, Release]) -> None:
        self.lab, self.rest = lab, lab.api.rest
        self.releases = releases

    def request(self, version: str) -> str:
        """Ask for an update; return its image."""
        image = str(self.releases[version].reference.by_digest())
        self.rest.merge(VERSION, {"spec": {"desiredUpdate": {"version": version, "image": image}}})
        return image

    def sign(self, version: str) -> None:
        reference = self.releases[version].reference
        self.lab.registry.signer.sign(reference)
        self.rest.apply(self.lab.registry.signer.signatures(reference))

    def condition(self, kind: str) -> Json:
        conditions = self.rest.get(VERSION)["status"].get("conditions", [])
        return next((one for one in conditions if one["type"] == kind), {})

    def says(self, kind: str, status: str, part: str) -> bool:
        found = self.condition(kind)
        return found.get("status") == status and part in f"{found.get('reason')}: {found.get('message')}"

    @property
    def last(self) -> Json:
        """The newest entry of the history."""
        last: Json = self.rest.get(VERSION)["status"]["history"][0]
        return last

    def report(self, operator: str, version: str = "", *, degraded: bool = False) -> None:
        """Let a ClusterOperator report a version, or that it is degraded."""
        kinds = {"Available": True, "Progressing": False, "Degraded": degraded, "Upgradeable": True}
        change: Json = {"conditions": [condition(kind, status) for kind, status in kinds.items()]}
        if version:
            change["versions"] = [{"name": "operator", "version": version}]
        self.rest.merge(f"{OPERATORS}/{operator}/status", {"status": change})


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    from ansible_collections.fieldops.openshift.tests.lab.registry.lab_registry import RegistrySetup

    if os.geteuid():
        pytest.skip("node hosts need root")
    with Lab(control_plane=1, workers=0, registry=RegistrySetup()) as lab:
        releases = _publish(lab)
        host = lab.hosts["master-0"]
        host.write(RULES, lab.registry.mirror_rules(["quay.io/openshift-release-dev"]))
        host.run("systemctl", "reload", "crio")
        with cluster_version_operator(lab.api.rest, releases[RUNNING], UPDATES):
            yield Site(lab, releases)


def _publish(lab: Lab) -> dict[str, Release]:
    told = VersionOperatorSpec(json.dumps(lab.registry.signer.verification()))
    specs = [ReleaseSpec(version, operator=told) for version in (RUNNING, *UPDATES[:-1])]
    specs.append(ReleaseSpec(UPDATES[-1], operator=replace(told, waited=("etcd",))))
    releases = {one.version: lab.registry.factory.release(one) for one in specs}
    lab.registry.publish(*releases.values())
    return releases


def test_it_runs_from_its_release_and_reports_it(site: Site) -> None:
    assert site.last["version"] == RUNNING
    wait_for(lambda: site.says("Available", "True", f"Done applying {RUNNING}"), 60)


def test_a_release_without_a_signature_is_refused(site: Site) -> None:
    site.request("4.22.2")
    refusal = "The update cannot be verified: unable to verify sha256:"
    wait_for(lambda: site.says("ReleaseAccepted", "False", refusal), 30)
    assert site.condition("ReleaseAccepted")["reason"] == "RetrievePayload"
    assert "against keyrings: verifier-public-key-lab" in site.condition("ReleaseAccepted")["message"]
    assert site.last["version"] == RUNNING


def test_a_signature_in_the_cluster_is_enough_without_a_store(site: Site) -> None:
    image = site.request("4.22.2")
    site.sign("4.22.2")
    wait_for(lambda: site.last["version"] == "4.22.2", 120)
    wait_for(lambda: site.says("Progressing", "True", "waiting on etcd"), 60)
    for operator in ("etcd", "machine-config"):
        site.report(operator, "4.22.2")
    wait_for(lambda: site.last["state"] == "Completed", 120)
    assert (site.last["image"], site.last["verified"]) == (image, True)
    pods = site.rest.get("/api/v1/namespaces/openshift-cluster-version/pods")["items"]
    assert image in {one["spec"]["containers"][0]["image"] for one in pods}, "it has replaced itself"


def test_a_degraded_operator_is_waited_for(site: Site) -> None:
    site.sign("4.22.3")
    site.report("etcd", degraded=True)
    site.request("4.22.3")
    wait_for(lambda: site.says("Progressing", "True", "waiting up to 40 minutes on etcd"), 120)
    assert site.condition("Failing")["status"] == "False"


def test_patience_with_a_degraded_operator_ends_and_another_release_may_be_asked_for(site: Site) -> None:
    site.sign("4.22.4")
    site.request("4.22.4")
    wait_for(lambda: site.says("Failing", "True", "ClusterOperatorDegraded: Cluster operator etcd is degraded"), 180)
    # Failing can still be that of the release before.
    wait_for(lambda: site.says("Progressing", "True", "wait has exceeded 40 minutes for these operators: etcd"), 180)
    assert site.last["state"] == "Partial"
