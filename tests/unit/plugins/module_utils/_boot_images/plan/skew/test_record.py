# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which version has to be recorded after MachineSets were updated by hand."""

from __future__ import annotations

import typing as t

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.record import oldest_boot_image
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

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
    "a release in another form": ([one("4.18.2025031114")], ("4.22.3", "")),
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
