# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which objects of the Cluster API are pointed at clones of their templates, and what those hold."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.cluster_api import ClusterApiResource
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.field_changes import FieldChange
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.template_clones import (
    BEFORE,
    clone_of,
    is_replacing,
    pointing_patch,
    pool_of,
    replaces_machines,
    reversion_of,
    update_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import (
    CURRENT,
    LEFT_ALONE,
    OUTDATED,
    Image,
    Verdict,
)

Json = dict[str, t.Any]
OLD = Verdict(OUTDATED, "outdated", "the correct image is 9.6", Image("ami-1"), Image("ami-2", "9.6"))


def resource(
    kind: str = "MachineSet", *, replicas: int = 3, topology: bool = False, **found: t.Any
) -> ClusterApiResource:
    annotations = found.pop("annotations", {})
    labels = {"topology.cluster.x-k8s.io/owned": ""} if topology else {}
    metadata = {"name": "site-a", "generation": 2, "annotations": annotations, "labels": labels}
    whole = {"metadata": metadata, **found}
    return ClusterApiResource(kind, "site-a", "AWSMachineTemplate/site-a-1", replicas, whole, {})


def managed(resource_: str, mode: str, group: str = "cluster.x-k8s.io") -> Json:
    manager = {"apiGroup": group, "resource": resource_, "selection": {"mode": mode}}
    return {"status": {"managedBootImagesStatus": {"machineManagers": [manager]}}}


@pytest.mark.parametrize(
    ("kind", "verdict", "platform", "configuration", "outcome"),
    [
        ("MachineSet", OLD, "AWS", None, ("updated", "outdated")),
        ("MachineSet", Verdict(CURRENT, "current"), "AWS", None, ("unchanged", "current")),
        ("MachineSet", Verdict(LEFT_ALONE, "windows"), "AWS", None, ("left_alone", "windows")),
        ("MachineDeployment", OLD, "AWS", None, ("updated", "outdated")),
        ("MachineSet", OLD, "GCP", None, ("updated", "outdated")),
        ("MachineSet", OLD, "VSphere", None, ("updated", "outdated")),
        ("MachineSet", OLD, "OpenStack", None, ("left_alone", "not_cloned")),
        ("MachineSet", OLD, "AWS", managed("machinesets", "All"), ("left_to_operator", "managed_by_operator")),
        ("MachineDeployment", OLD, "AWS", managed("machinesets", "All"), ("updated", "outdated")),
        (
            "MachineDeployment",
            OLD,
            "AWS",
            managed("machinedeployments", "All"),
            ("left_to_operator", "managed_by_operator"),
        ),
        ("MachineSet", OLD, "AWS", managed("machinesets", "None"), ("updated", "outdated")),
        ("MachineSet", OLD, "AWS", managed("machinesets", "All", "machine.openshift.io"), ("updated", "outdated")),
    ],
)
def test_what_is_pointed_at_a_clone(
    kind: str, verdict: Verdict, platform: str, configuration: Json | None, outcome: tuple[str, str]
) -> None:
    found = update_of(resource(kind), verdict, platform, configuration)
    assert (found.outcome, found.code) == outcome
    assert found.points == (found.outcome == "updated")


def test_what_a_cluster_class_keeps_is_left_alone() -> None:
    found = update_of(resource("MachineDeployment", topology=True), OLD, "AWS", None)
    assert (found.outcome, found.code, found.points) == ("left_alone", "topology", False)


MARKETPLACE = {
    "publisher": "azureopenshift",
    "offer": "aro4",
    "sku": "98-v2",
    "version": "9.8.20260428",
    "resourceID": "",
}


@pytest.mark.parametrize(
    ("platform", "target", "fields"),
    [
        ("AWS", "ami-2", {"ami": {"id": "ami-2"}}),
        ("GCP", "projects/rhcos-cloud/global/images/b", {"image": "projects/rhcos-cloud/global/images/b"}),
        ("VSphere", "rhcos-9.8", {"template": "rhcos-9.8"}),
    ],
)
def test_a_clone_has_the_image_where_its_platform_has_it(platform: str, target: str, fields: Json) -> None:
    verdict = Verdict(OUTDATED, "outdated", "", Image("a"), Image(target))
    assert update_of(resource(), verdict, platform, None).fields == fields


@pytest.mark.parametrize(("kind", "is_paid"), [("MarketplaceNoPlan", False), ("MarketplaceWithPlan", True)])
def test_a_clone_on_azure_names_the_image_of_the_marketplace(kind: str, is_paid: bool) -> None:
    change = FieldChange(("image",), ({},), ({**MARKETPLACE, "type": kind},))
    found = update_of(resource(), Verdict(OUTDATED, "outdated", changes=(change,)), "Azure", None)
    listed = {part: MARKETPLACE[part] for part in ("publisher", "offer", "sku", "version")}
    assert found.fields == {"image": {"marketplace": {**listed, "thirdPartyImage": is_paid}}}


@pytest.mark.parametrize(
    ("kind", "spec", "replaces"),
    [
        ("MachineSet", {}, False),
        ("MachineDeployment", {}, True),
        ("MachineDeployment", {"rollout": {"strategy": {"type": "OnDelete"}}}, False),
        ("MachineDeployment", {"strategy": {"type": "OnDelete"}}, False),
        ("MachineDeployment", {"strategy": {"type": "RollingUpdate"}}, True),
    ],
)
def test_a_machine_deployment_replaces_its_machines(kind: str, spec: Json, replaces: bool) -> None:
    assert replaces_machines(resource(kind, spec=spec)) == replaces


@pytest.mark.parametrize(
    ("status", "is_at_it"),
    [
        ({}, False),
        ({"observedGeneration": 2, "replicas": 3, "upToDateReplicas": 3}, False),
        ({"observedGeneration": 1, "replicas": 3, "upToDateReplicas": 3}, True),
        ({"observedGeneration": 2, "replicas": 3, "upToDateReplicas": 1}, True),
        ({"observedGeneration": 2, "replicas": 4, "upToDateReplicas": 3}, True),
        ({"observedGeneration": 2, "replicas": 3, "updatedReplicas": 2}, True),
    ],
    ids=["no word of it", "all are new", "not seen yet", "old ones left", "one more for now", "v1beta1"],
)
def test_it_is_seen_at_that(status: Json, is_at_it: bool) -> None:
    assert is_replacing(resource("MachineDeployment", status=status)) == is_at_it
    assert not is_replacing(resource("MachineSet", status=status))


def test_the_pool_that_its_machines_join_is_asked_for() -> None:
    labels = {"machine.openshift.io/cluster-api-machine-role": "infra"}
    infra = resource(spec={"template": {"metadata": {"labels": labels}}})
    assert (pool_of(infra), pool_of(resource())) == ("infra", "worker")


def test_only_what_was_pointed_at_a_clone_goes_back() -> None:
    assert reversion_of(resource(), "AWS", None).outcome == "unchanged"
    back = reversion_of(resource(annotations={BEFORE: "site-a-1"}), "AWS", None)
    assert (back.outcome, back.to) == ("reverted", "site-a-1")
    assert pointing_patch("site-a-1", None)["metadata"] == {"annotations": {BEFORE: None}}


def test_a_clone_differs_in_its_image_and_its_name_alone() -> None:
    owner = {"kind": "Cluster", "name": "site", "blockOwnerDeletion": True}
    metadata = {"name": "site-a-1", "namespace": "openshift-cluster-api", "labels": {"site": "1"}, "uid": "0b8c"}
    spec = {"template": {"spec": {"ami": {"id": "ami-1"}, "instanceType": "m6i.xlarge"}}}
    template: Json = {"metadata": {**metadata, "ownerReferences": [owner]}, "spec": spec, "status": {"ready": True}}
    clone = clone_of(template, "site-a", {"ami": {"id": "ami-2"}})
    assert clone["spec"] == {"template": {"spec": {"ami": {"id": "ami-2"}, "instanceType": "m6i.xlarge"}}}
    assert clone["metadata"] == {
        "name": "site-a-1976253c",
        "namespace": "openshift-cluster-api",
        "labels": {"site": "1"},
        "ownerReferences": [{"kind": "Cluster", "name": "site"}],
    }
    assert template["spec"]["template"]["spec"]["ami"] == {"id": "ami-1"}
    assert clone_of(template, "site-a", {"ami": {"id": "ami-3"}})["metadata"]["name"] != clone["metadata"]["name"]
