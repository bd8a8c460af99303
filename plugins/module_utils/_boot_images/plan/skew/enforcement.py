# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What a recorded boot image means for the next update, in the operator's own words.

Source: machine-config-operator, pkg/operator/status.go (checkBootImageSkewUpgradeableGuard,
checkBootImageControllerReady) and pkg/controller/common/metrics.go for the alert. ``Upgradeable=False`` stops minor
updates only; those within a minor version go on.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.check import compare
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.limits import SkewLimit
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.mode import (
    AUTOMATIC,
    MANUAL,
    NONE,
    SkewMode,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.platforms import (
    BARE_METAL,
    Platform,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.versions import parse_generic
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import Condition

SKEW_REASON = "ClusterBootImageSkewError"
PROGRESSING, DEGRADED = "BootImageUpdateProgressing", "BootImageUpdateDegraded"
ALERT = "MCCBootImageSkewEnforcementNone"
ALERT_TEXT = (
    "Boot image skew enforcement is disabled. Scaling operations may not be successful. Boot image skew enforcement "
    "mode is set to None: whether new machines can still join is no longer checked."
)
_DOCS = "https://docs.redhat.com/en/documentation/openshift_container_platform/{}/html/machine_configuration/"
_PAGE = "mco-update-boot-skew-mgmt"


@dataclass(frozen=True)
class Enforcement:
    """Whether a minor update is blocked and the message of the condition Upgradeable.

    ``evaluated`` is false where the operator does not compare at all, and ``why`` says why; ``detail`` is the
    comparison alone.
    """

    blocked: bool
    evaluated: bool
    message: str = ""
    detail: str = ""
    why: str = ""

    def as_data(self) -> dict[str, t.Any]:
        """Return it as results show it."""
        return {
            "blocks_minor_update": self.blocked,
            "reason": SKEW_REASON if self.blocked else "",
            "message": self.message,
            "evaluated": self.evaluated,
            "why": self.why,
        }


def enforce(mode: SkewMode | None, conditions: Mapping[str, Condition], limit: SkewLimit, newest: str) -> Enforcement:
    """Return what the operator makes of ``mode``, None where its status says nothing yet.

    ``conditions`` are those of the MachineConfiguration, ``newest`` is the version of the newest entry of the
    ClusterVersion's history.
    """
    if mode is None or mode.mode not in (AUTOMATIC, MANUAL, NONE):
        return Enforcement(False, False, why="the operator has not determined a mode yet")
    if mode.mode == NONE:
        return Enforcement(False, False, why="skew is not enforced in mode None")
    if mode.mode == AUTOMATIC:
        unready = _controller(conditions)
        if unready:
            return unready
    found = compare(mode.ocp_version, mode.rhcos_version, limit)
    if not found.compared:
        return Enforcement(False, False, why="the recorded version is not readable, so nothing is blocked")
    if not found.exceeded:
        return Enforcement(False, True, why="the boot images are recent enough")
    return Enforcement(True, True, _message(found.detail, newest), found.detail, "the boot images are too old")


def alert_text(mode: str, platform: Platform) -> str:
    """Return the text of the alert that ``mode`` raises, empty where none is raised.

    The operator raises none for bare metal and for a single node, where None is the rule.
    """
    exempt = platform.type == BARE_METAL or platform.single_replica
    return ALERT_TEXT if mode == NONE and not exempt else ""


def _controller(conditions: Mapping[str, Condition]) -> Enforcement | None:
    degraded, progressing = conditions.get(DEGRADED), conditions.get(PROGRESSING)
    if degraded is not None and degraded.is_true:
        detail = f"boot image controller is degraded: {degraded.message}"
        message = f"Upgrades have been disabled due to boot image update failures: {detail}"
        return Enforcement(True, True, message, detail, "the boot image controller is degraded")
    if progressing is None or progressing.is_true:
        return Enforcement(False, False, why="the boot image controller is still in progress")
    return None


def _message(detail: str, newest: str) -> str:
    numbers = parse_generic(newest)
    page = _DOCS.format(f"{numbers[0]}.{numbers[1]}" if numbers else "latest") + _PAGE
    return (
        f"Upgrades have been disabled because {detail}. To enable upgrades, please update your boot images or disable "
        f"boot image skew enforcement by following the documentation at {page}"
    )
