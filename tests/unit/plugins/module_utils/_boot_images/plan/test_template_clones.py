# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which objects of the Cluster API are pointed at clones of their templates, and what those hold."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.cluster_api import ClusterApiResource
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.template_clones import (
    BEFORE,
    clone_of,
    pointing_patch,
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
OLD = Verdict(OUTDATED, "outdated", "the right image is 9.6", Image("ami-1"), Image("ami-2", "9.6"))


def resource(kind: str = "MachineSet", **annotations: str) -> ClusterApiResource:
    metadata = {"name": "site-a", "annotations": annotations}
    return ClusterApiResource(kind, "site-a", "AWSMachineTemplate/site-a-1", 1, {"metadata": metadata}, {})


def managed(resource_: str, mode: str, group: str = "cluster.x-k8s.io") -> Json:
    manager = {"apiGroup": group, "resource": resource_, "selection": {"mode": mode}}
    return {"status": {"managedBootImagesStatus": {"machineManagers": [manager]}}}


@pytest.mark.parametrize(
    ("kind", "verdict", "platform", "configuration", "outcome"),
    [
        ("MachineSet", OLD, "AWS", None, ("updated", "outdated")),
        ("MachineSet", Verdict(CURRENT, "current"), "AWS", None, ("unchanged", "current")),
        ("MachineSet", Verdict(LEFT_ALONE, "windows"), "AWS", None, ("left_alone", "windows")),
        ("MachineDeployment", OLD, "AWS", None, ("left_alone", "replaces_machines")),
        ("MachineSet", OLD, "Azure", None, ("left_alone", "not_cloned")),
        ("MachineSet", OLD, "AWS", managed("machinesets", "All"), ("left_to_operator", "managed_by_operator")),
        ("MachineSet", OLD, "AWS", managed("machinesets", "None"), ("updated", "outdated")),
        ("MachineSet", OLD, "AWS", managed("machinesets", "All", "machine.openshift.io"), ("updated", "outdated")),
    ],
)
def test_what_is_pointed_at_a_clone(
    kind: str, verdict: Verdict, platform: str, configuration: Json | None, outcome: tuple[str, str]
) -> None:
    found = update_of(resource(kind), verdict, platform, configuration)
    assert (found.outcome, found.code) == outcome
    assert found.image == ("ami-2" if found.outcome == "updated" else "")


def test_only_what_was_pointed_at_a_clone_goes_back() -> None:
    assert reversion_of(resource(), "AWS", None).outcome == "unchanged"
    back = reversion_of(resource(**{BEFORE: "site-a-1"}), "AWS", None)
    assert (back.outcome, back.to) == ("reverted", "site-a-1")
    assert pointing_patch("site-a-1", None)["metadata"] == {"annotations": {BEFORE: None}}


def test_a_clone_differs_in_its_image_and_its_name_alone() -> None:
    owner = {"kind": "Cluster", "name": "site", "blockOwnerDeletion": True}
    metadata = {"name": "site-a-1", "namespace": "openshift-cluster-api", "labels": {"site": "1"}, "uid": "0b8c"}
    spec = {"template": {"spec": {"ami": {"id": "ami-1"}, "instanceType": "m6i.xlarge"}}}
    template: Json = {"metadata": {**metadata, "ownerReferences": [owner]}, "spec": spec, "status": {"ready": True}}
    clone = clone_of(template, "site-a", "ami-2")
    assert clone["spec"] == {"template": {"spec": {"ami": {"id": "ami-2"}, "instanceType": "m6i.xlarge"}}}
    assert clone["metadata"] == {
        "name": "site-a-1976253c",
        "namespace": "openshift-cluster-api",
        "labels": {"site": "1"},
        "ownerReferences": [{"kind": "Cluster", "name": "site"}],
    }
    assert template["spec"]["template"]["spec"]["ami"] == {"id": "ami-1"}
    assert clone_of(template, "site-a", "ami-3")["metadata"]["name"] != clone["metadata"]["name"]
