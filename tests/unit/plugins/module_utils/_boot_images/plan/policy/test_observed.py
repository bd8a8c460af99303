# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A MachineConfiguration of any release, and one that is not what it should be."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.managers import entry
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.observed import (
    ObservedPolicy,
    SkewStanza,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.report import policy_report
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.site import (
    PolicySite,
    site_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.writers import writers_of

Json = dict[str, t.Any]
ALL = entry("machinesets", "All")
DETAILS = {"version": "4.22.3", "enabled": [{"name": "BootImageSkewEnforcement"}]}

STANZAS: dict[str, tuple[t.Any, SkewStanza | None]] = {
    "Manual with a release": (
        {"mode": "Manual", "manual": {"mode": "OCPVersion", "ocpVersion": "4.20.1"}},
        SkewStanza("Manual", "4.20.1"),
    ),
    "Automatic with both": (
        {"mode": "Automatic", "automatic": {"ocpVersion": "4.20.1", "rhcosVersion": "9.6.20251023-0"}},
        SkewStanza("Automatic", "4.20.1", "9.6.20251023-0"),
    ),
    "None": ({"mode": "None"}, SkewStanza("None")),
    "absent": (None, None),
    "without a mode": ({"manual": {"ocpVersion": "4.20.1"}}, None),
    "a list": ([], None),
    "a mode that is not a string": ({"mode": 7}, None),
    "Manual without a version": ({"mode": "Manual", "manual": None}, SkewStanza("Manual")),
}


@pytest.mark.parametrize(("raw", "expected"), STANZAS.values(), ids=STANZAS)
def test_stanza(raw: t.Any, expected: SkewStanza | None) -> None:
    assert SkewStanza.of(raw) == expected


@pytest.mark.parametrize("mode", ["Manual", "None"])
def test_a_patch_leaves_nothing_of_the_stanza_before(mode: str) -> None:
    patch = SkewStanza(mode, "4.20.1" if mode == "Manual" else "").as_patch()
    assert patch == (
        {"mode": "None", "manual": None}
        if mode == "None"
        else {"mode": "Manual", "manual": {"mode": "OCPVersion", "ocpVersion": "4.20.1", "rhcosVersion": None}}
    )


BROKEN: dict[str, t.Any] = {
    "no object": None,
    "nothing in it": {},
    "parts that are null": {"metadata": None, "spec": None, "status": None},
    "parts that are lists": {"metadata": [], "spec": [], "status": []},
    "managers that are no list": {"spec": {"managedBootImages": {"machineManagers": {}}}},
    "managers that are no mappings": {"spec": {"managedBootImages": {"machineManagers": [None, 7, "x"]}}},
    "managers without anything": {"spec": {"managedBootImages": {"machineManagers": [{}]}}},
    "a selection that is null": {"spec": {"managedBootImages": {"machineManagers": [{**ALL, "selection": None}]}}},
    "conditions that are none": {"status": {"conditions": [None, {}, {"type": 7}]}},
    "a generation that is text": {"metadata": {"generation": "7"}, "status": {"observedGeneration": None}},
}


@pytest.mark.parametrize("found", BROKEN.values(), ids=BROKEN)
def test_what_is_broken_is_shown_as_far_as_it_goes(found: t.Any) -> None:
    site = site_of(found, None, None, None, legacy_provisioning=False)
    report = policy_report(site)
    assert report["status"]["skew_enforcement"] == {}
    assert report["holds"]["machine_sets"]["mode"] in ("None", "")
    assert writers_of(found) == {"managed_boot_images": [], "skew_enforcement": []}


def test_an_absent_list_is_not_an_empty_one() -> None:
    assert ObservedPolicy.of({"spec": {"managedBootImages": {}}}).managers is None
    assert ObservedPolicy.of({"spec": {"managedBootImages": {"machineManagers": []}}}).managers == ()


def test_what_stands_beside_the_managers_is_known() -> None:
    managed = {"machineManagers": [ALL], "later": {}}
    assert ObservedPolicy.of({"spec": {"managedBootImages": managed}}).beside == ("later",)


# openshift/api, features/features.go: the gate came into the default set with 4.22.
ENFORCED: dict[str, tuple[str, t.Any, Json, bool]] = {
    "4.22 without a gate to read": ("4.22.3", None, {}, True),
    "4.21": ("4.21.9", None, {}, False),
    "4.21 with the gate of a preview": ("4.21.9", [{**DETAILS, "version": "4.21.9"}], {}, True),
    "4.22 with the gate": ("4.22.3", [DETAILS], {}, True),
    "4.22 whose gate is off": ("4.22.3", [{**DETAILS, "enabled": []}], {}, False),
    "a gate of another version says nothing": ("4.21.9", [DETAILS], {}, False),
    "4.21 whose operator has spoken": ("4.21.9", None, {"bootImageSkewEnforcementStatus": {"mode": "None"}}, True),
    "a broken gate": ("4.22.3", ["x", None, {}], {}, True),
    "no version at all": ("", None, {}, False),
}


@pytest.mark.parametrize(("version", "gates", "status", "expected"), ENFORCED.values(), ids=ENFORCED)
def test_whether_skew_is_enforced_at_all(version: str, gates: t.Any, status: Json, expected: bool) -> None:
    cluster_version = {
        "status": {"history": [{"state": "Completed", "version": version}], "desired": {"version": version}}
    }
    gate = {"status": {"featureGates": gates}}
    found: PolicySite = site_of({"status": status}, None, cluster_version, gate, legacy_provisioning=False)
    assert found.skew_enforced is expected


def test_the_latest_writer_of_each_part_comes_first() -> None:
    owns: Json = {"f:spec": {"f:managedBootImages": {}}}
    fields = [
        {"manager": "kubectl-edit", "time": "2026-11-01T00:00:00Z", "fieldsV1": owns},
        {"manager": "argocd-controller", "time": "2026-11-21T00:00:00Z", "fieldsV1": owns},
        {"manager": "machine-config-operator", "fieldsV1": {"f:status": {}}},
        {"manager": "broken", "fieldsV1": None},
    ]
    found = writers_of({"metadata": {"managedFields": fields}})
    assert [one["manager"] for one in found["managed_boot_images"]] == ["argocd-controller", "kubectl-edit"]
