# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The way from one policy to another: which write comes first, and what is waited for."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.managers import entry
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.moves import (
    later_moves,
    next_move,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.policy_error import (
    PolicyRefusedError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.requests import Request
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.site import PolicySite
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.target import target_of
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._boot_images.plan.policy.sites import (
    ALL,
    AUTOMATIC,
    CONTROL_PLANE,
    MANUAL,
    NONE,
    request,
    site,
)

WRITES, WAITS, SETTLED = "writes", "waits", "settled"
MANAGED, SKEW = "managedBootImages", "bootImageSkewEnforcement"
OUT = request("None", skew="Manual", ocp_version="4.20.1")
BACK = request("All", skew="Automatic")
NO_SKEW = {"mode": "None"}

# The order follows the validations of the definition: spec is judged against the status that holds.
MOVES: dict[str, tuple[PolicySite, Request, str, set[str]]] = {
    "out of Automatic: first skew": (site(holds=[ALL], holding=AUTOMATIC), OUT, WRITES, {SKEW}),
    "then wait for the status": (site(skew=MANUAL, holds=[ALL], holding=AUTOMATIC), OUT, WAITS, set()),
    "then the managers": (site(skew=MANUAL, holds=[ALL], holding=MANUAL), OUT, WRITES, {MANAGED}),
    "then wait again": (site(managers=[NONE], skew=MANUAL, holds=[ALL], holding=MANUAL), OUT, WAITS, set()),
    "then it holds": (site(managers=[NONE], skew=MANUAL, holds=[NONE], holding=MANUAL), OUT, SETTLED, set()),
    "but not before the operator has seen it": (
        site(managers=[NONE], skew=MANUAL, holds=[NONE], holding=MANUAL, seen=0),
        OUT,
        WAITS,
        set(),
    ),
    "out of Manual: both at once": (site(holds=[ALL], holding=MANUAL), OUT, WRITES, {SKEW, MANAGED}),
    "back: first the managers": (
        site(managers=[NONE], skew=MANUAL, holds=[NONE], holding=MANUAL),
        BACK,
        WRITES,
        {MANAGED},
    ),
    "back: then wait": (site(managers=[ALL], skew=MANUAL, holds=[NONE], holding=MANUAL), BACK, WAITS, set()),
    "back: then the stanza goes": (
        site(managers=[ALL], skew=MANUAL, holds=[ALL], holding=MANUAL),
        BACK,
        WRITES,
        {SKEW},
    ),
    "back: then wait for Automatic": (site(managers=[ALL], holds=[ALL], holding=MANUAL), BACK, WAITS, set()),
    "back: then it holds": (site(managers=[ALL], holds=[ALL], holding=AUTOMATIC), BACK, SETTLED, set()),
    "the control plane alone is taken in Automatic": (
        site(holds=[ALL], holding=AUTOMATIC),
        request(control_plane="All"),
        WRITES,
        {MANAGED},
    ),
    "skew alone": (site(holds=[ALL], holding=AUTOMATIC), request(skew="None"), WRITES, {SKEW}),
    "another version is recorded": (
        site(skew=MANUAL, holds=[ALL], holding=MANUAL),
        request(skew="Manual", ocp_version="4.22.3"),
        WRITES,
        {SKEW},
    ),
    "and waited for": (
        site(
            skew={"mode": "Manual", "manual": {"mode": "OCPVersion", "ocpVersion": "4.22.3"}},
            holds=[ALL],
            holding=MANUAL,
        ),
        request(skew="Manual", ocp_version="4.22.3"),
        WAITS,
        set(),
    ),
    "skew is for every platform": (
        site(platform="OpenStack", holding=MANUAL),
        request(skew="Manual", ocp_version="4.22.3"),
        WRITES,
        {SKEW},
    ),
    "4.18 says nothing in its status": (site(managers=[ALL], version="4.18.9", seen=0), request("All"), SETTLED, set()),
    "a default that holds already": (site(holds=[ALL], holding=AUTOMATIC), request("Default"), SETTLED, set()),
    "an entry that says what is default": (site(holds=[ALL], holding=AUTOMATIC), request("All"), WRITES, {MANAGED}),
}


@pytest.mark.parametrize(("found", "wanted", "kind", "parts"), MOVES.values(), ids=MOVES)
def test_move(found: PolicySite, wanted: Request, kind: str, parts: set[str]) -> None:
    move = next_move(found, target_of(found, wanted))
    assert (WRITES if move.writes else SETTLED if move.settled else WAITS) == kind
    assert set(move.spec) == parts
    assert move.sentence


def test_check_mode_knows_what_follows() -> None:
    found = site(holds=[ALL], holding=AUTOMATIC)
    target = target_of(found, OUT)
    assert [set(one) for one in later_moves(found, target, next_move(found, target))] == [{MANAGED}]


def test_an_absent_list_is_removed_with_all_of_its_field() -> None:
    found = site(managers=[ALL], holds=[ALL], holding=AUTOMATIC)
    assert next_move(found, target_of(found, request("Default"))).spec == {MANAGED: None}


# The messages are those of the definition and of the admission policies.
REFUSED: dict[str, tuple[PolicySite, Request, str, str]] = {
    "opting out while skew is Automatic": (
        site(holds=[ALL], holding=AUTOMATIC),
        request("None"),
        "machine_sets",
        "when skew enforcement is in Automatic mode, any MachineAPI MachineSet MachineManager must use selection mode "
        "'All'",
    ),
    "a part while skew is Automatic": (
        site(holds=[ALL], holding=AUTOMATIC),
        request("Partial", selector={"matchLabels": {"a": "b"}}),
        "machine_sets",
        "selection mode 'All'",
    ),
    "opting out and asking for Automatic": (
        site(holds=[ALL], holding=MANUAL),
        request("None", skew="Automatic"),
        "skew_enforcement.mode",
        "would not determine Automatic but Manual",
    ),
    "Automatic on OpenStack": (
        site(platform="OpenStack", holding=MANUAL),
        request(skew="Automatic"),
        "skew_enforcement.mode",
        "platform OpenStack",
    ),
    "Automatic on bare metal": (
        site(platform="BareMetal", holding=NO_SKEW),
        request(skew="Automatic"),
        "skew_enforcement.mode",
        "but None: bare metal machines boot the image that the release contains",
    ),
    "managers on OpenStack": (site(platform="OpenStack"), request("All"), "machine_sets", "GCP, AWS, VSphere, Azure"),
    "managers on Azure Stack": (
        site(platform="Azure", cloud="AzureStackCloud"),
        request("All"),
        "machine_sets",
        "platform AzureStackCloud",
    ),
    "vSphere in 4.19": (site(platform="VSphere", version="4.19.1"), request("All"), "machine_sets", "but on GCP, AWS"),
    "the control plane on vSphere": (
        site(platform="VSphere"),
        request(control_plane="All"),
        "control_plane_machine_sets",
        "but on AWS, Azure, GCP",
    ),
    "the control plane in 4.20": (
        site(version="4.20.1"),
        request(control_plane="None"),
        "control_plane_machine_sets",
        "but on none",
    ),
    "skew in 4.21": (site(version="4.21.3"), request(skew="None"), "skew_enforcement", "release 4.21.3"),
}


@pytest.mark.parametrize(("found", "wanted", "field", "seen"), REFUSED.values(), ids=REFUSED)
def test_refused(found: PolicySite, wanted: Request, field: str, seen: str) -> None:
    with pytest.raises(PolicyRefusedError) as refusal:
        target_of(found, wanted)
    assert refusal.value.on == field
    assert seen in refusal.value.seen


def test_default_takes_whatever_the_operator_makes_of_it() -> None:
    found = site(platform="OpenStack", skew=MANUAL, holding=MANUAL)
    move = next_move(found, target_of(found, request(skew="Default")))
    assert move.spec == {SKEW: None}


def test_a_gate_that_is_said_to_be_on_counts_before_the_release() -> None:
    found = site(version="4.21.3", holding=AUTOMATIC, holds=[ALL])
    assert found.skew_enforced
    assert next_move(found, target_of(found, request(skew="None"))).spec == {SKEW: {"mode": "None", "manual": None}}


HOSTILE: list[t.Any] = [None, "text", 7, [], {"machineManagers": "all"}, {"machineManagers": [None, "x", {}]}]


@pytest.mark.parametrize("part", HOSTILE, ids=repr)
def test_parts_that_are_not_what_they_should_be(part: t.Any) -> None:
    found = site(status={"managedBootImagesStatus": part, "bootImageSkewEnforcementStatus": part, "conditions": part})
    assert next_move(found, target_of(found, request("All"))).writes


def test_an_entry_for_the_control_plane_does_not_opt_machine_sets_in() -> None:
    found = site(managers=[], holds=[], holding=MANUAL, skew=MANUAL)
    move = next_move(found, target_of(found, request(control_plane="All")))
    assert move.spec == {MANAGED: {"machineManagers": [NONE, entry(CONTROL_PLANE, "All")]}}
