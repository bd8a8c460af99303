# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What machines of the Cluster API boot, by their templates; the rows have the forms of the providers' templates."""

from __future__ import annotations

import typing as t
from functools import partial

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.assessment import judge_cluster_api
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.cluster_api import (
    TEMPLATES,
    cluster_api_data,
    resources_of,
)
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._boot_images.plan.image_samples import (
    AMI,
    REGION,
    plan,
    site,
)

Json = dict[str, t.Any]
PUBLISHED = "ami-000a86fa0a0b76144"
INFRASTRUCTURE: Json = {"status": {"platformStatus": {"aws": {"region": REGION}}}}
GOOGLE = "projects/rhcos-cloud/global/images/"


def deployment(platform: str, name: str = "site-b", *, kind: str = "MachineDeployment", **metadata: t.Any) -> Json:
    reference = {"kind": TEMPLATES[platform].kind, "name": "site-b-1"}
    spec = {"replicas": 2, "template": {"spec": {"infrastructureRef": reference}}}
    return {"kind": kind, "metadata": {"name": name, **metadata}, "spec": spec}


def template(platform: str, spec: object) -> Json:
    kind = TEMPLATES[platform].kind
    return {"kind": kind, "metadata": {"name": "site-b-1"}, "spec": {"template": {"spec": spec}}}


def shown(platform: str, found: list[Json], templates: list[Json], mirrors: set[str] | None = None) -> list[Json]:
    where = site(platform, infrastructure=INFRASTRUCTURE)
    every = resources_of(platform, INFRASTRUCTURE, found, templates, mirrors or set())
    return [cluster_api_data(one, partial(judge_cluster_api, where)) for one in every]


FREE = {**plan("98-v2", "aro4", "azureopenshift"), "thirdPartyImage": False}
SPECS: dict[str, tuple[str, Json, str, str]] = {
    "the region's image": ("AWS", {"ami": {"id": AMI}}, "current", AMI),
    "another one of Red Hat's": ("AWS", {"ami": {"id": PUBLISHED}}, "outdated", PUBLISHED),
    "found by name": ("AWS", {"imageLookupFormat": "x"}, "left_alone", ""),
    "Google's, as a whole address": (
        "GCP",
        {"image": f"https://www.googleapis.com/compute/v1/{GOOGLE}rhcos-9-8-20260428-0-gcp-x86-64"},
        "current",
        f"{GOOGLE}rhcos-9-8-20260428-0-gcp-x86-64",
    ),
    "an older one of Google's": ("GCP", {"image": f"{GOOGLE}rhcos-x"}, "outdated", f"{GOOGLE}rhcos-x"),
    "Azure's without a plan": (
        "Azure",
        {"image": {"marketplace": FREE}},
        "current",
        "azureopenshift:aro4:98-v2:9.8.20260428",
    ),
    "Azure's that the installer uploaded": ("Azure", {"image": {"id": "/x/gen2"}}, "outdated", "/x/gen2"),
    "Azure's for confidential machines": (
        "Azure",
        {"image": {"marketplace": FREE}, "securityProfile": {"securityType": "ConfidentialVM"}},
        "left_alone",
        "azureopenshift:aro4:98-v2:9.8.20260428",
    ),
    "a template": ("VSphere", {"template": "rhcos-old"}, "needs_image", "rhcos-old"),
    "a template of no known form": ("GCP", {"image": 5}, "left_alone", ""),
}


@pytest.mark.parametrize(("platform", "spec", "standing", "image"), SPECS.values(), ids=SPECS)
def test_a_template_is_judged_as_the_machine_api_would(platform: str, spec: Json, standing: str, image: str) -> None:
    (one,) = shown(platform, [deployment(platform)], [template(platform, spec)])
    assert (one["standing"], one["current"]["image"]) == (standing, image)
    assert (one["template"], one["replicas"]) == (f"{TEMPLATES[platform].kind}/site-b-1", 2)


OWNED: Json = {"ownerReferences": [{"kind": "MachineDeployment", "name": "site-b"}]}


def test_what_makes_no_machines_by_itself_is_left_out() -> None:
    found = [
        deployment("AWS"),
        deployment("AWS", "site-b-7f9c", kind="MachineSet", **OWNED),
        deployment("AWS", "site-a", kind="MachineSet"),
        deployment("AWS", "site-c", kind="MachineSet"),
    ]
    names = [one["name"] for one in shown("AWS", found, [template("AWS", {"ami": {"id": AMI}})], {"site-a"})]
    assert names == ["site-b", "site-c"]


def test_machines_with_windows_are_left_alone() -> None:
    windows = deployment("AWS")
    windows["spec"]["template"]["metadata"] = {"labels": {"machine.openshift.io/os-id": "Windows"}}
    (one,) = shown("AWS", [windows], [template("AWS", {"ami": {"id": PUBLISHED}})])
    assert (one["standing"], one["code"]) == ("left_alone", "windows")


def test_a_template_that_is_not_there_is_named() -> None:
    (one,) = shown("AWS", [deployment("AWS")], [])
    assert (one["code"], one["reason"]) == ("unknown_image", "AWSMachineTemplate site-b-1 does not exist")
