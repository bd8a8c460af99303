# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which mode the operator determines; the rows are the branches of its syncBootImageSkewEnforcementStatus."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.observed import SkewStanza
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.mode import (
    determine_mode,
    install_version,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.platforms import Platform

INSTALLED = "4.9.10"
R422 = (4, 22)
AUTOMATIC = SkewStanza("Automatic", "4.22.3")

CASES: dict[str, tuple[dict[str, t.Any], tuple[str, str, str]]] = {
    "spec Manual is copied": ({"spec": SkewStanza("Manual", "4.20.1")}, ("Manual", "4.20.1", "")),
    "with an image": ({"spec": SkewStanza("Manual", "", "9.6.20251023-0")}, ("Manual", "", "9.6.20251023-0")),
    "spec None": ({"spec": SkewStanza("None")}, ("None", "", "")),
    "spec wins on bare metal": (
        {"spec": SkewStanza("Manual", "4.20.1"), "platform": Platform("BareMetal", R422)},
        ("Manual", "4.20.1", ""),
    ),
    "bare metal of today": ({"platform": Platform("BareMetal", R422)}, ("None", "", "")),
    "bare metal from before 4.10": (
        {"platform": Platform("BareMetal", R422), "legacy_provisioning": True},
        ("Manual", INSTALLED, ""),
    ),
    "single node": ({"platform": Platform("AWS", R422, single_replica=True)}, ("None", "", "")),
    "single node on legacy bare metal": (
        {"platform": Platform("BareMetal", R422, single_replica=True), "legacy_provisioning": True},
        ("None", "", ""),
    ),
    "all managed, first time": ({}, ("Automatic", INSTALLED, "")),
    "all managed, record kept": ({"status": AUTOMATIC}, ("Automatic", "4.22.3", "")),
    "all managed, marketplace record kept": (
        {"status": SkewStanza("Automatic", "", "9.6.20251023-0")},
        ("Automatic", "", "9.6.20251023-0"),
    ),
    "all managed, record empty": ({"status": SkewStanza("Automatic")}, ("Automatic", INSTALLED, "")),
    "all managed, from Manual": ({"status": SkewStanza("Manual", "4.20.1")}, ("Automatic", INSTALLED, "")),
    "part managed": ({"machine_sets_mode": "Partial", "status": AUTOMATIC}, ("Manual", INSTALLED, "")),
    "none managed": ({"machine_sets_mode": "None"}, ("Manual", INSTALLED, "")),
    "OpenStack": ({"platform": Platform("OpenStack", R422)}, ("Manual", INSTALLED, "")),
    "no platform at all": ({"platform": Platform("", R422)}, ("Manual", INSTALLED, "")),
    "Azure Stack": ({"platform": Platform("Azure", R422, "AzureStackCloud")}, ("Manual", INSTALLED, "")),
    "Azure": ({"platform": Platform("Azure", R422, "AzurePublicCloud")}, ("Automatic", INSTALLED, "")),
}


@pytest.mark.parametrize(("given", "expected"), CASES.values(), ids=CASES)
def test_mode(given: dict[str, t.Any], expected: tuple[str, str, str]) -> None:
    usual: dict[str, t.Any] = {"spec": None, "status": None, "machine_sets_mode": "All", "legacy_provisioning": False}
    platform = given.get("platform", Platform("AWS", R422))
    options = {**usual, **{key: one for key, one in given.items() if key != "platform"}}
    found = determine_mode(platform, install_version=INSTALLED, **options)
    assert (found.mode, found.ocp_version, found.rhcos_version) == expected
    assert found.reason


# pkg/apihelpers/apihelpers.go, GetOCPInstallVersion.
HISTORIES: dict[str, tuple[list[t.Any], str]] = {
    "oldest completed": (
        [
            {"state": "Partial", "version": "4.22.0"},
            {"state": "Completed", "version": "4.21.0"},
            {"state": "Completed", "version": "4.12.0"},
            {"state": "Partial", "version": "4.11.9"},
        ],
        "4.12.0",
    ),
    "oldest where none is completed": ([{"state": "Partial", "version": "4.22.1"}], "4.22.1"),
    "a candidate in the form that the API takes": ([{"state": "Completed", "version": "4.12.0-rc.2"}], "4.12.0"),
    "none at all": ([], "0.0.0"),
    "unreadable": ([{"state": "Completed", "version": "nightly"}], "0.0.0"),
    "no version": ([{"state": "Completed"}], "0.0.0"),
    "no entries": (["broken", None], "0.0.0"),
}


@pytest.mark.parametrize(("history", "expected"), HISTORIES.values(), ids=HISTORIES)
def test_install_version(history: list[t.Any], expected: str) -> None:
    assert install_version(history) == expected
