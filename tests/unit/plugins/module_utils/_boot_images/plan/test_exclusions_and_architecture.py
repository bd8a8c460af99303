# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What is left alone whatever the platform, in the operator's order (ms_helpers.go, cpms_helpers.go), and architecture.

The rows on architecture follow pkg/controller/bootimage/helpers.go, getArchFromMachineSet.
"""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.architecture_of import (
    ClusterArchitecture,
    architecture_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.exclusions import excluded
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._boot_images.plan.image_samples import (
    machine_set,
)

Json = dict[str, t.Any]
INTEL, ARM = Architecture.parse("x86_64"), Architecture.parse("aarch64")
OWNER = {"ownerReferences": [{"kind": "MachineDeployment", "name": "site"}]}
HIVE = {"labels": {"hive.openshift.io/managed": "true"}}
WINDOWS = {"labels": {"machine.openshift.io/os-id": "Windows"}}
ROLLING = {"state": "Active", "strategy": {"type": "RollingUpdate"}}

ROWS: dict[str, tuple[Json, str, tuple[int, int], str]] = {
    "an ordinary MachineSet": ({}, "AWS", (4, 22), ""),
    "owned": ({"metadata": OWNER}, "AWS", (4, 22), "owned"),
    "an owner counts before Windows": ({"metadata": OWNER, "template": WINDOWS}, "AWS", (4, 22), "owned"),
    "of Hive": ({"metadata": HIVE}, "AWS", (4, 22), "hive"),
    "Hive's label with another value": (
        {"metadata": {"labels": {"hive.openshift.io/managed": "no"}}},
        "AWS",
        (4, 22),
        "",
    ),
    "a mirror of the Cluster API": ({"status": {"authoritativeAPI": "ClusterAPI"}}, "AWS", (4, 22), "cluster_api"),
    "on its way to or from the Cluster API": (
        {"status": {"authoritativeAPI": "Migrating"}},
        "AWS",
        (4, 22),
        "cluster_api",
    ),
    "the machine API's own": ({"status": {"authoritativeAPI": "MachineAPI"}}, "AWS", (4, 22), ""),
    "Windows": ({"template": WINDOWS}, "AWS", (4, 22), "windows"),
    "being deleted": ({"metadata": {"deletionTimestamp": "2026-11-21T20:00:00Z"}}, "AWS", (4, 22), "being_deleted"),
    "a control plane": ({"kind": "ControlPlaneMachineSet", "spec": ROLLING}, "AWS", (4, 22), ""),
    "one that would be replaced": (
        {"kind": "ControlPlaneMachineSet", "spec": ROLLING},
        "AWS",
        (4, 21),
        "would_replace_control_plane",
    ),
    "one that only replaces what is deleted": (
        {"kind": "ControlPlaneMachineSet", "spec": {"state": "Active", "strategy": {"type": "OnDelete"}}},
        "AWS",
        (4, 21),
        "",
    ),
    "one that is not active": ({"kind": "ControlPlaneMachineSet", "spec": {"state": "Inactive"}}, "AWS", (4, 21), ""),
    "one on vSphere": (
        {"kind": "ControlPlaneMachineSet", "spec": ROLLING},
        "VSphere",
        (4, 22),
        "control_plane_unsupported",
    ),
}


@pytest.mark.parametrize(("parts", "platform", "version", "code"), ROWS.values(), ids=ROWS)
def test_exclusions(parts: Json, platform: str, version: tuple[int, int], code: str) -> None:
    found = excluded(machine_set({"ami": {}}, **parts), platform, version)
    assert (found.code if found else "") == code


@pytest.mark.parametrize("provider", [None, [], "text", 5])
def test_a_half_written_specification_is_a_fault(provider: object) -> None:
    found = excluded(machine_set(provider), "AWS", (4, 22))
    assert found is not None
    assert (found.standing, found.code) == ("fault", "half_written")


def noted(text: str) -> Json:
    return {"metadata": {"annotations": {"capacity.cluster-autoscaler.kubernetes.io/labels": text}}}


ONE, MULTI, UNKNOWN = ClusterArchitecture(INTEL), ClusterArchitecture(INTEL, True), ClusterArchitecture()
ARCHITECTURES: dict[str, tuple[Json, ClusterArchitecture, Architecture | None, Architecture | None, bool]] = {
    "annotated": (noted("kubernetes.io/arch=arm64"), ONE, None, ARM, False),
    "annotated among others": (noted("topology=a, kubernetes.io/arch=arm64,x=y"), MULTI, None, ARM, False),
    "the first of two": (noted("kubernetes.io/arch=arm64,kubernetes.io/arch=amd64"), ONE, None, ARM, False),
    "annotated without one": (noted("topology=a"), ONE, None, None, True),
    "annotated with an unknown one": (noted("kubernetes.io/arch=riscv64"), ONE, None, None, True),
    "RHEL's name is none of Kubernetes": (noted("kubernetes.io/arch=aarch64"), ONE, None, None, True),
    "the control plane's": ({}, ONE, None, INTEL, False),
    "for several architectures, and nothing says which": ({}, MULTI, None, None, False),
    "for several architectures, and the site says which": ({}, MULTI, ARM, ARM, False),
    "the control plane counts before what the site says": ({}, ONE, ARM, INTEL, False),
    "nothing is known": ({}, UNKNOWN, None, None, False),
    "nothing but what the site says": ({}, UNKNOWN, ARM, ARM, False),
    "a control plane has its own": ({"kind": "ControlPlaneMachineSet", **noted("x=y")}, MULTI, ARM, INTEL, False),
}


@pytest.mark.parametrize(
    ("parts", "cluster", "given", "architecture", "damaged"), ARCHITECTURES.values(), ids=ARCHITECTURES
)
def test_architectures(
    parts: Json,
    cluster: ClusterArchitecture,
    given: Architecture | None,
    architecture: Architecture | None,
    damaged: bool,
) -> None:
    found = architecture_of(machine_set({}, **parts), cluster, given)
    assert (found.architecture, found.damaged) == (architecture, damaged)
    assert bool(found.reason) is (architecture is None)
