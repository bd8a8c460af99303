# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What blocks a minor update, in the operator's words; each row names the code that it follows."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.check import compare
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.enforcement import (
    ALERT_TEXT,
    DEGRADED,
    PROGRESSING,
    alert_text,
    enforce,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.limits import (
    OPERATOR_LIMIT,
    SkewLimit,
    limit_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.mode import SkewMode
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.platforms import Platform
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import Condition
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

PAGE = "html/machine_configuration/mco-update-boot-skew-mgmt"
READY = {PROGRESSING: Condition(PROGRESSING, "False"), DEGRADED: Condition(DEGRADED, "False")}
NEXT = SkewLimit(ocp="4.18.0", rhel="9.6", source="given")

# pkg/operator/status.go: checkBootImageSkew, checkOCPVersionSkew, checkRHCOSVersionSkew.
COMPARED = {
    "older release": ("4.12.30", "", OPERATOR_LIMIT, True),
    "the limit itself": ("4.13.0", "", OPERATOR_LIMIT, False),
    "4.9 is older than 4.13": ("4.9.0", "", OPERATOR_LIMIT, True),
    "the release alone counts where both are recorded": ("4.13.0", "48.84.202208021106-0", OPERATOR_LIMIT, False),
    "and so it does the other way round": ("4.12.0", "9.6.20251023-0", OPERATOR_LIMIT, True),
    "legacy image": ("", "48.84.202208021106-0", OPERATOR_LIMIT, True),
    "RHEL 8.10 is older than 9.2": ("", "418.810.202411201433-0", OPERATOR_LIMIT, True),
    "RHEL 9.2 itself": ("", "413.92.202305021736-0", OPERATOR_LIMIT, False),
    "RHEL 9.10 is newer than 9.2": ("", "9.10.20270101-0", OPERATOR_LIMIT, False),
    "another limit": ("4.17.9", "", NEXT, True),
    "another limit for images": ("", "9.4.20250101-0", NEXT, True),
    "unreadable release": ("unknown", "", OPERATOR_LIMIT, False),
    "unreadable image": ("", "9.1.2024-0", OPERATOR_LIMIT, False),
    "nothing is recorded": ("", "", OPERATOR_LIMIT, False),
    "the version that stands for unknown": ("0.0.0", "", OPERATOR_LIMIT, True),
}


@pytest.mark.parametrize(("ocp", "rhcos", "limit", "exceeded"), COMPARED.values(), ids=COMPARED)
def test_comparison(ocp: str, rhcos: str, limit: SkewLimit, exceeded: bool) -> None:
    assert compare(ocp, rhcos, limit).exceeded is exceeded


def test_the_message_for_a_release() -> None:
    found = enforce(SkewMode("Manual", "4.12.30"), {}, OPERATOR_LIMIT, "4.22.5")
    assert found.blocked
    assert found.message == (
        "Upgrades have been disabled because the cluster is using OCP boot image version 4.12.30, which is below the "
        "minimum required version 4.13.0. To enable upgrades, please update your boot images or disable boot image "
        "skew enforcement by following the documentation at "
        f"https://docs.redhat.com/en/documentation/openshift_container_platform/4.22/{PAGE}"
    )


def test_the_message_for_an_image() -> None:
    found = enforce(SkewMode("Manual", "", "48.84.202208021106-0"), {}, OPERATOR_LIMIT, "")
    assert found.detail == (
        "the cluster is using RHCOS boot image version 48.84.202208021106-0(RHEL version: 8.4), which is below the "
        "minimum required RHEL version 9.2"
    )
    assert found.message.endswith(f"/openshift_container_platform/latest/{PAGE}"), "without a history"


# pkg/operator/status.go: checkBootImageSkewUpgradeableGuard, checkBootImageControllerReady.
OLD = "4.12.30"
MODES = {
    "manual and too old": (SkewMode("Manual", OLD), {}, (True, True)),
    "manual and new enough": (SkewMode("Manual", "4.22.0"), {}, (False, True)),
    "manual cares for no controller": (
        SkewMode("Manual", "4.22.0"),
        {DEGRADED: Condition(DEGRADED, "True")},
        (False, True),
    ),
    "none": (SkewMode("None"), READY, (False, False)),
    "no mode yet": (None, READY, (False, False)),
    "a mode of a later release": (SkewMode("Strict", OLD), READY, (False, False)),
    "automatic and too old": (SkewMode("Automatic", OLD), READY, (True, True)),
    "automatic and new enough": (SkewMode("Automatic", "4.22.0"), READY, (False, True)),
    "automatic, controller at work": (
        SkewMode("Automatic", OLD),
        {**READY, PROGRESSING: Condition(PROGRESSING, "True")},
        (False, False),
    ),
    "automatic, controller never reported": (SkewMode("Automatic", OLD), {}, (False, False)),
    "automatic, controller degraded": (
        SkewMode("Automatic", "4.22.0"),
        {**READY, DEGRADED: Condition(DEGRADED, "True", message="no such secret")},
        (True, True),
    ),
}


@pytest.mark.parametrize(("mode", "conditions", "expected"), MODES.values(), ids=MODES)
def test_what_blocks(mode: SkewMode | None, conditions: dict[str, Condition], expected: tuple[bool, bool]) -> None:
    found = enforce(mode, conditions, OPERATOR_LIMIT, "4.22.5")
    assert (found.blocked, found.evaluated) == expected
    assert bool(found.message) is found.blocked
    assert found.why, "it always says why"


def test_the_message_of_a_degraded_controller() -> None:
    conditions = {**READY, DEGRADED: Condition(DEGRADED, "True", message="no such secret")}
    assert enforce(SkewMode("Automatic", "4.22.0"), conditions, OPERATOR_LIMIT, "4.22.5").message == (
        "Upgrades have been disabled due to boot image update failures: boot image controller is degraded: "
        "no such secret"
    )


# pkg/controller/common/metrics.go and install/0000_90_machine-config_01_prometheus-rules.yaml.
@pytest.mark.parametrize(
    ("mode", "platform", "expected"),
    [
        ("None", Platform("OpenStack", (4, 22)), ALERT_TEXT),
        ("None", Platform("BareMetal", (4, 22)), ""),
        ("None", Platform("AWS", (4, 22), single_replica=True), ""),
        ("Manual", Platform("OpenStack", (4, 22)), ""),
        ("", Platform("OpenStack", (4, 22)), ""),
    ],
)
def test_alert(mode: str, platform: Platform, expected: str) -> None:
    assert alert_text(mode, platform) == expected


def test_a_limit_is_the_operators_unless_one_is_given() -> None:
    assert limit_of(None) == limit_of({}) == limit_of({"ocp": None, "rhel": None}) == SkewLimit("4.13.0", "9.2")
    assert limit_of({"ocp": "4.18"}) == SkewLimit("4.18", "9.2", "given")


@pytest.mark.parametrize("value", ["9", "9.6-beta", "new", "09.2", "9.2\n", "9.2.1", "9." + "9" * 40])
def test_a_limit_that_cannot_be_compared_is_refused(value: str) -> None:
    with pytest.raises(InvalidInputError) as refusal:
        limit_of({"rhel": value})
    assert refusal.value.on == "skew_limit.rhel"
