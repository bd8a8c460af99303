# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which version has to be recorded after MachineSets were updated by hand."""

from __future__ import annotations

import typing as t
from dataclasses import replace

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.record import (
    INSTALLATION,
    OLDEST,
    oldest_boot_image,
    recording_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._boot_images.plan.policy.sites import (
    ALL,
    AUTOMATIC,
    MANUAL,
    NONE,
    site,
)

Json = dict[str, t.Any]


def one(release: str, standing: str = "current", **further: t.Any) -> Json:
    """Return a MachineSet as boot_image_info shows it."""
    return {"kind": "MachineSet", "name": "w", "standing": standing, "current": {"release": release}, **further}


NEW, LEGACY = "9.6.20260112-0", "418.94.202501221327-0"
RECORDED: dict[str, tuple[list[Json], tuple[str, str]]] = {
    "all of one release": ([one(NEW), one(NEW)], ("", NEW)),
    "the oldest counts": ([one(NEW), one(LEGACY, "outdated")], ("", LEGACY)),
    "RHEL 9.10 is newer than 9.6": ([one("9.10.20270101-0"), one(NEW)], ("", NEW)),
    "RHEL 8.4 is older than 9.2, whatever OpenShift": (
        [one("413.92.202305021736-0"), one("48.84.202208021106-0")],
        ("", "48.84.202208021106-0"),
    ),
    "the day decides within a version of RHEL": (
        [one("9.6.20260112-0"), one("9.6.20251023-0")],
        ("", "9.6.20251023-0"),
    ),
    "releases that nobody knows, but all are the stream's": ([one(NEW), one("")], ("4.22.3", "")),
    "Azure's paid images, current as they are": ([one("4.18.2025031114")], ("4.18.0", "")),
    "Azure's images without a plan": ([one("9.6.20251015")], ("", "9.6.20251015-0")),
    "Azure's former images without a plan": ([one("417.94.20240701"), one("9.6.20251015")], ("4.17.0", "")),
    "a paid one is older than one without a plan": ([one("9.6.20251015"), one("4.18.2025031114")], ("4.18.0", "")),
    "a paid one whose RHEL is not known": ([one("4.30.2025031114", "outdated")], ("", "")),
    "one that nobody knows and that is not the stream's": ([one(NEW), one("", "left_alone")], ("", "")),
    "Windows does not count": ([one(NEW), one("", "left_alone", code="windows")], ("", NEW)),
    "nor does the control plane": ([one(NEW), one(LEGACY, kind="ControlPlaneMachineSet")], ("", NEW)),
    "there is none": ([], ("", "")),
    "broken entries": ([one(NEW), t.cast("Json", None), t.cast("Json", "x")], ("", NEW)),
}


@pytest.mark.parametrize(("resources", "expected"), RECORDED.values(), ids=RECORDED)
def test_recorded(resources: list[Json], expected: tuple[str, str]) -> None:
    found = oldest_boot_image({"cluster": {"images_of": "4.22.3"}, "machine_resources": resources})
    assert (found["ocp_version"], found["rhcos_version"]) == expected
    assert bool(found["reason"]) == (expected == ("", ""))


def test_a_candidate_is_recorded_in_the_form_that_the_api_takes() -> None:
    found = oldest_boot_image({"cluster": {"images_of": "4.22.0-rc.3"}, "machine_resources": [one("")]})
    assert found["ocp_version"] == "4.22.0"


def test_those_that_nobody_knows_are_named() -> None:
    many = [one("", "left_alone", name=f"w{number}") for number in range(5)]
    assert "w0, w1, w2 and 2 more" in oldest_boot_image({"machine_resources": many})["reason"]


@pytest.mark.parametrize("found", [None, [], "x", {}, {"machine_resources": None}])
def test_anything_else_is_refused(found: object) -> None:
    with pytest.raises(InvalidInputError):
        oldest_boot_image(found)


def manual(**version: str) -> Json:
    """Return the stanza in spec that records a version."""
    return {"mode": "Manual", "manual": {"mode": "OCPVersion", **version}}


KNOWN, UNKNOWN = {"machine_resources": [one(NEW)]}, {"machine_resources": [one("", "left_alone")]}
INSTALLED = ("4.9.10", "")
BY_RHCOS: Json = {"mode": "Manual", "manual": {"mode": "RHCOSVersion", "rhcosVersion": LEGACY}}
DECIDED: dict[str, tuple[str, Json, Json, tuple[str, str] | None, tuple[str, str]]] = {
    # What is asked for, what the images are, what the site says, what is written, what counts then.
    "the oldest": (OLDEST, KNOWN, {"skew": MANUAL}, ("", NEW), ("", NEW)),
    "the oldest, of which nothing is known": (OLDEST, UNKNOWN, {"skew": MANUAL}, None, ("4.20.1", "")),
    "the oldest, while nothing is configured": (OLDEST, KNOWN, {"managers": [NONE]}, ("", NEW), ("", NEW)),
    "the installation, below a newer one": (INSTALLATION, {}, {"skew": MANUAL}, INSTALLED, INSTALLED),
    "the installation, below one that RHCOS names": (INSTALLATION, {}, {"skew": BY_RHCOS}, INSTALLED, INSTALLED),
    "the installation, which counts by itself": (INSTALLATION, {}, {"managers": [NONE]}, None, INSTALLED),
    "the installation, recorded before": (INSTALLATION, {}, {"skew": manual(ocpVersion="4.9.10")}, None, INSTALLED),
    "an older one stays": (INSTALLATION, {}, {"skew": manual(ocpVersion="4.8.2")}, None, ("4.8.2", "")),
    "the operator records it itself": (OLDEST, KNOWN, {"managers": [ALL], "holding": AUTOMATIC}, None, ("4.22.3", "")),
    "skew is not looked at": (OLDEST, KNOWN, {"skew": {"mode": "None"}}, None, ("", "")),
    "a release that does not enforce skew": (OLDEST, KNOWN, {"managers": [NONE], "version": "4.21.9"}, None, ("", "")),
}


@pytest.mark.parametrize(("which", "found", "said", "written", "counts"), DECIDED.values(), ids=DECIDED)
def test_what_is_written_and_what_counts_then(
    which: str, found: Json, said: Json, written: tuple[str, str] | None, counts: tuple[str, str]
) -> None:
    recording = recording_of(which, found, site(**said))
    stanza = recording.stanza
    assert (stanza and (stanza.ocp_version, stanza.rhcos_version)) == written
    data = recording.as_data()
    assert (data["ocp_version"], data["rhcos_version"]) == counts
    assert bool(data["reason"]) == (which == INSTALLATION or written is None)


def test_an_installation_of_unknown_version_is_not_recorded() -> None:
    unknown = replace(site(skew=MANUAL), installed="0.0.0")
    recording = recording_of(INSTALLATION, {}, unknown)
    assert (recording.stanza, recording.as_data()["ocp_version"]) == (None, "4.20.1")
