# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Machine managers: what holds, and what a change leaves; the rows follow syncManagedBootImagesStatus."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.managers import (
    changed,
    effective,
    entry,
    same,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.platforms import Platform

Json = dict[str, t.Any]
SETS, CONTROL_PLANE = "machinesets", "controlplanemachinesets"
ALL, NONE, CONTROL_PLANE_ALL = entry(SETS, "All"), entry(SETS, "None"), entry(CONTROL_PLANE, "All")
FOREIGN = {"resource": "machinesets", "apiGroup": "cluster.x-k8s.io", "selection": {"mode": "All"}}
AWS = Platform("AWS", (4, 22))

HOLDS: dict[str, tuple[t.Any, str, Platform, str]] = {
    "AWS by default": (None, SETS, AWS, "All"),
    "GCP by default since 4.19": (None, SETS, Platform("GCP", (4, 19)), "All"),
    "but not in 4.18": (None, SETS, Platform("GCP", (4, 18)), "None"),
    "vSphere by default since 4.22": (None, SETS, Platform("VSphere", (4, 22)), "All"),
    "but not in 4.21": (None, SETS, Platform("VSphere", (4, 21)), "None"),
    "Azure by default since 4.22": (None, SETS, Platform("Azure", (5, 0)), "All"),
    "Azure Stack never": ([ALL], SETS, Platform("Azure", (4, 22), "AzureStackCloud"), "None"),
    "OpenStack never": ([ALL], SETS, Platform("OpenStack", (4, 22)), "None"),
    "an empty list opts out": ([], SETS, AWS, "None"),
    "an entry decides": ([NONE], SETS, AWS, "None"),
    "an entry for the control plane alone leaves the default": ([CONTROL_PLANE_ALL], SETS, AWS, "All"),
    "the control plane by default": (None, CONTROL_PLANE, AWS, "None"),
    "the control plane by entry": ([CONTROL_PLANE_ALL], CONTROL_PLANE, AWS, "All"),
    "not on vSphere": ([CONTROL_PLANE_ALL], CONTROL_PLANE, Platform("VSphere", (4, 22)), "None"),
    "an entry of another API": ([FOREIGN], SETS, Platform("AWS", (4, 18)), "None"),
}


@pytest.mark.parametrize(("managers", "resource", "platform", "mode"), HOLDS.values(), ids=HOLDS)
def test_what_holds(managers: t.Any, resource: str, platform: Platform, mode: str) -> None:
    assert effective(managers, resource, platform)["mode"] == mode


OLD = Platform("GCP", (4, 18))
CHANGED: dict[str, tuple[t.Any, Json, Platform, t.Any]] = {
    "nothing": ([ALL], {}, AWS, [ALL]),
    "a first entry": (None, {SETS: ALL}, AWS, [ALL]),
    "another mode in its place": ([NONE, CONTROL_PLANE_ALL], {SETS: ALL}, AWS, [ALL, CONTROL_PLANE_ALL]),
    "a second entry": ([ALL], {CONTROL_PLANE: CONTROL_PLANE_ALL}, AWS, [ALL, CONTROL_PLANE_ALL]),
    "entries of others stay": ([FOREIGN, NONE], {SETS: ALL}, AWS, [FOREIGN, ALL]),
    "one entry goes": ([ALL, CONTROL_PLANE_ALL], {CONTROL_PLANE: None}, AWS, [ALL]),
    "with the last entry goes the list": ([ALL], {SETS: None}, AWS, None),
    "an empty list to the default": ([], {SETS: None}, AWS, None),
    "an empty list keeps its meaning": (
        [],
        {CONTROL_PLANE: CONTROL_PLANE_ALL},
        AWS,
        [NONE, CONTROL_PLANE_ALL],
    ),
    "and stays where nothing joins it": ([], {CONTROL_PLANE: None}, AWS, []),
    "no list stays none": (None, {CONTROL_PLANE: None}, AWS, None),
    "None in 4.18 is an empty list": ([ALL], {SETS: NONE}, OLD, []),
    "All in 4.18": ([], {SETS: ALL}, OLD, [ALL]),
}


@pytest.mark.parametrize(("before", "wanted", "platform", "after"), CHANGED.values(), ids=CHANGED)
def test_change(before: t.Any, wanted: Json, platform: Platform, after: t.Any) -> None:
    found = changed(before, wanted, platform)
    assert (None if found is None else list(found)) == after
    assert same(changed(found, wanted, platform), found), "once more changes nothing"


def test_same() -> None:
    assert same([ALL, CONTROL_PLANE_ALL], [CONTROL_PLANE_ALL, ALL])
    assert not same(None, [])
    one = {"matchLabels": {"a": "b"}, "matchExpressions": []}
    assert same([entry(SETS, "Partial", one)], [entry(SETS, "Partial", {"matchLabels": {"a": "b"}})])
    assert not same([entry(SETS, "Partial", one)], [entry(SETS, "Partial", {"matchLabels": {"a": "c"}})])
