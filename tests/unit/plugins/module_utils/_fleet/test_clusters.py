# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Objects of a hub as hosts: which describe the same cluster, its state, what prevents an update, and its groups."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.plan.clusters import (
    ClusterHost,
    LabelKeys,
    cluster_hosts,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.plan.hub_objects import HubObjects
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

Json = dict[str, t.Any]
KEYS = LabelKeys("fieldops.openshift/window", "fieldops.openshift/ring", "fieldops.openshift/hardware")
LABELS = {KEYS.window: "saturday", KEYS.ring: "canary", KEYS.hardware: "model-7", "cloud": "BareMetal"}
JOINED = {"HubAcceptedManagedCluster": "True", "ManagedClusterJoined": "True"}
REACHED = {**JOINED, "ManagedClusterConditionAvailable": "True"}
UNREACHED = {**JOINED, "ManagedClusterConditionAvailable": "Unknown"}


def conditions(told: t.Mapping[str, str], message: str = "") -> list[Json]:
    return [{"type": name, "status": status, "message": message, "reason": name} for name, status in told.items()]


def managed(
    told: t.Mapping[str, str],
    message: str = "",
    *,
    accepted: bool = True,
    claims: Json | None = None,
    **metadata: t.Any,
) -> Json:
    claimed = [{"name": name, "value": value} for name, value in (claims or {}).items()]
    return {
        "metadata": {"name": "a", "labels": LABELS, **metadata},
        "spec": {"hubAcceptsClient": accepted},
        "status": {"conditions": conditions(told, message), "clusterClaims": claimed},
    }


def deployment(told: t.Mapping[str, str] | None = None, *, installed: bool = True, **status: t.Any) -> Json:
    metadata = {"clusterID": "0d1b", "infraID": "a-x", "adminKubeconfigSecretRef": {"name": "a-admin-kubeconfig"}}
    return {
        "metadata": {"name": "a", "namespace": "a"},
        "spec": {"clusterName": "a", "installed": installed, "clusterMetadata": metadata},
        "status": {"conditions": conditions(told or {}, "no route."), **status},
    }


def install(told: t.Mapping[str, str], message: str = "disks are too slow") -> Json:
    return {
        "metadata": {"name": "a-install", "namespace": "a"},
        "spec": {"clusterDeploymentRef": {"name": "a"}},
        "status": {"conditions": conditions(told, message), "platformType": "None"},
    }


def instance(told: t.Mapping[str, str]) -> Json:
    spec = {"clusterName": "a", "extraLabels": {"ManagedCluster": {KEYS.ring: "pilot"}}}
    return {"metadata": {"name": "i", "namespace": "a"}, "spec": spec, "status": {"conditions": conditions(told)}}


def only(**objects: list[Json]) -> ClusterHost:
    (host,) = cluster_hosts(HubObjects(**objects), KEYS)
    return host


STATES = [
    pytest.param({"managed": [managed(REACHED)]}, "available", (), id="imported and reached"),
    pytest.param(
        {"managed": [managed(UNREACHED, "lease expired")]},
        "unavailable",
        ("The hub cannot reach it. lease expired.",),
        id="its lease expired",
    ),
    pytest.param(
        {"managed": [managed(JOINED)]},
        "unavailable",
        ("The hub cannot reach it. Its agent reports nothing.",),
        id="no condition yet",
    ),
    pytest.param({"managed": [managed({})]}, "importing", ("Its agent has not joined the hub.",), id="not joined"),
    pytest.param(
        {"managed": [managed({}, accepted=False)]},
        "importing",
        ("The hub does not accept it: hubAcceptsClient of its ManagedCluster is false.",),
        id="not accepted",
    ),
    pytest.param(
        {"managed": [managed(REACHED, deletionTimestamp="2026-11-27T01:00:00Z")]},
        "deleting",
        ("The cluster is deleting.",),
        id="detached",
    ),
    pytest.param(
        {"deployments": [deployment()]},
        "importing",
        ("The hub has no ManagedCluster of this name.",),
        id="Hive alone",
    ),
    pytest.param(
        {"managed": [managed(UNREACHED, "x")], "deployments": [deployment(powerState="Hibernating")]},
        "hibernating",
        ("The cluster is hibernating.", "The hub cannot reach it. x."),
        id="asleep",
    ),
    pytest.param(
        {"managed": [managed({})], "deployments": [deployment(installed=False)], "installs": [install({})]},
        "installing",
        ("The cluster is installing.", "Its agent has not joined the hub."),
        id="installing",
    ),
    pytest.param(
        {"deployments": [deployment(installed=False)], "installs": [install({"Failed": "True"})]},
        "install_failed",
        ("AgentClusterInstall: disks are too slow.", "The hub has no ManagedCluster of this name."),
        id="the installation failed",
    ),
    pytest.param(
        {"deployments": [deployment({"ProvisionStopped": "True"}, installed=False)]},
        "install_failed",
        ("ClusterDeployment: no route.", "The hub has no ManagedCluster of this name."),
        id="Hive stopped",
    ),
    pytest.param(
        {
            "managed": [managed(REACHED)],
            "deployments": [deployment({"Unreachable": "True"})],
            "installs": [install({"Stopped": "True", "Completed": "True"})],
        },
        "available",
        ("ClusterDeployment: no route.",),
        id="an installation that ended is no cause",
    ),
    pytest.param(
        {"instances": [instance({"RenderedTemplates": "False"})]},
        "install_failed",
        ("ClusterInstance: RenderedTemplates.", "The hub has no ManagedCluster of this name."),
        id="SiteConfig cannot render",
    ),
    pytest.param(
        {"instances": [instance({"RenderedTemplates": "Unknown", "Provisioned": "Unknown"})]},
        "installing",
        ("The cluster is installing.", "The hub has no ManagedCluster of this name."),
        id="SiteConfig has begun",
    ),
]


@pytest.mark.parametrize(("objects", "state", "blocks"), STATES)
def test_state_and_causes(objects: dict[str, list[Json]], state: str, blocks: tuple[str, ...]) -> None:
    host = only(**objects)
    assert host.variables["cluster_state"] == state
    assert tuple(host.variables["cluster_blocks"]) == blocks
    assert ("blocked" in host.groups) == bool(blocks)


def test_groups_follow_labels_and_claims() -> None:
    claims = {"version.openshift.io": "4.21.5", "platform.open-cluster-management.io": "BareMetal"}
    assert only(managed=[managed(REACHED, claims=claims)]).groups == (
        "managed_clusters",
        "state_available",
        "version_4.21.5",
        "platform_BareMetal",
        "window_saturday",
        "ring_canary",
        "hardware_model-7",
    )


def test_before_its_import_a_cluster_has_the_labels_that_it_will_get() -> None:
    assert only(instances=[instance({})]).variables["cluster_ring"] == "pilot"


def test_what_the_claims_lack_comes_from_the_installation() -> None:
    found = only(deployments=[deployment(installVersion="4.20.1", apiURL="https://api")], installs=[install({})])
    names = ("version", "platform", "id", "api_url")
    assert [found.variables[f"cluster_{name}"] for name in names] == ["4.20.1", "None", "0d1b", "https://api"]


def test_credentials_are_named_and_not_read() -> None:
    assert only(deployments=[deployment()]).variables["cluster_kubeconfig_secret"] == {
        "namespace": "a",
        "name": "a-admin-kubeconfig",
        "key": "kubeconfig",
    }
    assert only(managed=[managed(REACHED)]).variables["cluster_kubeconfig_secret"] == {}


def test_two_clusters_of_one_name_are_refused() -> None:
    other = {**deployment(), "metadata": {"name": "a", "namespace": "b"}}
    with pytest.raises(InvalidInputError, match="ClusterDeployment a: it exists in the namespaces a and b"):
        only(deployments=[deployment(), other])


def test_a_selector_leaves_out_what_has_no_managed_cluster() -> None:
    other = {**deployment(), "metadata": {"name": "b", "namespace": "b"}}
    objects = HubObjects([managed(REACHED)], [deployment(), other], [], [instance({})]).only_managed()
    assert [one.name for one in objects.by_cluster()] == ["a"]
