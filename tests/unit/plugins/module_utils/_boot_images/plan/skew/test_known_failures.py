# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Boot images that the operator takes and that are known not to join."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.known_failures import (
    KNOWN_FAILURES,
    known_failures,
    warning_of,
    warnings_of,
)


@pytest.mark.parametrize(
    ("image", "to", "expected"),
    [
        pytest.param({"ocp_version": "4.13.0"}, "5.0.1", ["OCPBUGS-86768"], id="made for 4.13"),
        pytest.param({"rhcos_version": "414.92.202310170514-0"}, "5.0.1", ["OCPBUGS-86768"], id="named so"),
        pytest.param({"ocp_version": "4.15.2"}, "5.0.1", [], id="made for a later one"),
        pytest.param({"ocp_version": "4.13.0"}, "4.21.3", [], id="in an older cluster"),
        pytest.param({"rhcos_version": "9.6.20250826-1"}, "4.22.0", ["77647"], id="RHEL 9.6 of 2025"),
        pytest.param({"rhcos_version": "9.6.20251023-0"}, "4.22.0", [], id="RHEL 9.6 of which it was not seen"),
        pytest.param({"rhcos_version": "9.6.20260401-0"}, "4.22.0", [], id="RHEL 9.6 with the fix"),
        pytest.param({"rhcos_version": "9.6.20250826-1"}, "4.21.9", [], id="in a cluster of RHEL 9.6"),
        pytest.param({}, "5.0.1", [], id="not known"),
        pytest.param({"ocp_version": "4.13.0"}, "next", [], id="no version"),
    ],
)
def test_an_image_is_known_to_fail(image: dict[str, str], to: str, expected: list[str]) -> None:
    found = known_failures(to, **image)
    assert [any(word in one.source for one in found) for word in expected] == [True] * len(expected)
    assert len(found) == len(expected)


def test_the_warning_names_symptom_source_and_what_to_do() -> None:
    said = warning_of(KNOWN_FAILURES[:1])
    assert said.startswith("it passes the operator's check, but is known to fail: its rpm-ostree")
    assert "OCPBUGS-86768" in said
    assert said.endswith("site_canary=proof")
    assert warning_of(()) == ""


@pytest.mark.parametrize(
    ("to", "releases", "expected"),
    [
        pytest.param("4.22.5", {"a": "9.6.20250826-1", "b": "9.6.20260112-0"}, ["a"], id="one of two"),
        pytest.param("5.0.1", {"a": "413.92.202305021736-0", "b": "9.6.20250826-1"}, ["a", "b"], id="by two causes"),
        pytest.param("4.21.9", {"a": "9.6.20250826-1"}, [], id="an older cluster"),
        pytest.param("4.22.5", {"a": ""}, [], id="an unknown release"),
        pytest.param("", {"a": "9.6.20250826-1"}, [], id="a cluster without a version"),
        pytest.param("4.22.5", {}, [], id="no resources"),
    ],
)
def test_each_resource_that_is_known_to_fail_is_named_once(
    to: str, releases: dict[str, str], expected: list[str]
) -> None:
    resources = [{"kind": "MachineSet", "name": one, "current": {"release": held}} for one, held in releases.items()]
    said = warnings_of(to, resources)
    named = [
        f"MachineSet {one} boots {releases[one]}: it passes the operator's check, but is known" for one in expected
    ]
    assert [one[: len(start)] for one, start in zip(said, named, strict=True)] == named
    assert all(one.endswith("Run update_boot_images with site_canary=proof") for one in said)
