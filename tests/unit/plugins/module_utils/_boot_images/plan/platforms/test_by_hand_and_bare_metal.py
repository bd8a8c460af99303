# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Bare metal, from a downloaded image or by what the release brings, and platforms that a person has to see to.

Source: machine-config-operator, pkg/operator/sync.go, isBareMetalOnLegacyProvisioningPath; openshift-docs,
modules/mco-update-boot-images-*.adoc.
"""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.by_hand import checklist
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.streams import Stream
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.architecture import Architecture
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._boot_images.plan.image_samples import (
    judged,
)

Json = dict[str, t.Any]
DEPLOYED = {"customDeploy": {"method": "install_coreos"}}
EMPTY = {"image": {"url": "", "checksum": ""}}
OLD = {"image": {"url": "http://172.22.0.3/rhcos-49.qcow2", "checksum": "http://172.22.0.3/rhcos-49.qcow2.md5sum"}}

ROWS: dict[str, tuple[Json, str, list[tuple[str, ...]]]] = {
    "since 4.10": ({**DEPLOYED, **EMPTY}, "current", []),
    "since 4.10 without an image": (DEPLOYED, "current", []),
    "from before": (OLD, "outdated", [("customDeploy",), ("image",)]),
    "half migrated: the image is left": ({**DEPLOYED, **OLD}, "outdated", [("image",)]),
    "half migrated: only the image is empty": (EMPTY, "outdated", [("customDeploy",)]),
    "another method": ({"customDeploy": {"method": "install_site"}, **EMPTY}, "left_alone", []),
}


@pytest.mark.parametrize(("provider", "standing", "paths"), ROWS.values(), ids=ROWS)
def test_bare_metal(provider: Json, standing: str, paths: list[tuple[str, ...]]) -> None:
    verdict = judged("BareMetal", provider)
    assert (verdict.standing, [one.path for one in verdict.changes]) == (standing, paths)


def test_after_bare_metal_moved_the_object_provisioning_has_to() -> None:
    assert "provisioningOSDownloadURL" in judged("BareMetal", OLD).steps[-1]


@pytest.mark.parametrize("platform", ["None", "External", "KubeVirt", "Ovirt", ""])
def test_platforms_that_a_person_has_to_see_to(platform: str) -> None:
    infrastructure = {"status": {"platformStatus": {"type": platform}}}
    verdict = judged(platform, {"image": "x"}, infrastructure=infrastructure)
    assert (verdict.standing, verdict.code) == ("left_alone", "unsupported_platform")
    assert platform in verdict.reason


def test_the_checklist_lists_the_files_that_a_site_serves() -> None:
    pxe = {part: {"location": f"https://images.example/{part}", "sha256": "5f70bf18"} for part in ("kernel", "rootfs")}
    iso = {"disk": {"location": "https://images.example/live.iso", "sha256": "9f86d081"}}
    artifacts = {"metal": {"release": "9.8.1", "formats": {"iso": iso, "pxe": pxe}}, "aws": {"release": "9.8.1"}}
    stream = Stream("rhel-9", {"architectures": {"x86_64": {"artifacts": artifacts}}})
    found = checklist(stream, Architecture.parse("x86_64"))
    assert [(one["platform"], one["format"], sorted(one["files"])) for one in found] == [
        ("metal", "iso", ["disk"]),
        ("metal", "pxe", ["kernel", "rootfs"]),
    ]
    assert found[0]["files"]["disk"] == {"location": "https://images.example/live.iso", "sha256": "9f86d081"}
    assert all(one["release"] == "9.8.1" and one["step"] for one in found)
