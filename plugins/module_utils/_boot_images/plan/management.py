# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who keeps a resource's boot image: the machine-config operator, as its configuration says, or none.

Source: machine-config-operator, pkg/operator/sync.go, syncManagedBootImagesStatus, and pkg/controller/bootimage.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import (
    Document,
    list_at,
    mapping_at,
    text_at,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.machine_resource import (
    MachineResource,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.platforms.aws import IN_MARKETPLACE
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.platforms import (
    ADMITTED_SINCE,
    CONTROL_PLANE_ON,
    CONTROL_PLANE_SINCE,
    Release,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.streams import DEFAULT_LABEL
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import (
    FAULT,
    LEFT_ALONE,
    Verdict,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.label_selector import selects

OPERATOR = "machine-config-operator"
NONE = "none"
_PLURALS = {"MachineSet": "machinesets", "ControlPlaneMachineSet": "controlplanemachinesets"}
_SINCE = {
    "MachineSet": ADMITTED_SINCE,
    "ControlPlaneMachineSet": dict.fromkeys(CONTROL_PLANE_ON, CONTROL_PLANE_SINCE),
}
_MARKETPLACE_SINCE = (4, 23)


@dataclass(frozen=True)
class Management:
    """``by`` is OPERATOR or NONE; ``mode`` is that of the configuration, ``reason`` says why there is none."""

    by: str
    mode: str = ""
    reason: str = ""

    def as_data(self) -> dict[str, str]:
        """Return it as results show it."""
        return {"by": self.by, "mode": self.mode, "reason": self.reason}


def management_of(
    resource: MachineResource, configuration: Document | None, platform: str, release: Release
) -> Management:
    """Return who keeps the boot image as MachineConfiguration ``cluster`` says; None where there is no such object.

    ``release`` is (0, 0) where it is not known. Then the operator is expected to be new enough.
    """
    since = _SINCE[resource.kind].get(platform)
    if since is None:
        return Management(NONE, "", f"the operator does not support it on {platform or 'an unknown platform'}")
    if (0, 0) < release < since:
        return Management(NONE, "", f"the operator supports it on {platform} since {since[0]}.{since[1]}")
    for entry in _managers(configuration):
        if (text_at(entry, "resource"), text_at(entry, "apiGroup")) == (
            _PLURALS[resource.kind],
            "machine.openshift.io",
        ):
            return _by_mode(resource, entry)
    return Management(NONE, "", "not opted in")


def operator_handles(
    management: Management, resource: MachineResource, verdict: Verdict, version: tuple[int, int]
) -> bool:
    """Return whether the operator itself brings this image up to date, so that no one else should."""
    if management.by != OPERATOR or verdict.standing in (LEFT_ALONE, FAULT):
        return False
    if resource.stream_label not in ("", DEFAULT_LABEL):
        return False
    return verdict.code != IN_MARKETPLACE or version >= _MARKETPLACE_SINCE


def _managers(configuration: Document | None) -> list[t.Any]:
    """Return the entries that are in force: the status has defaults filled in, releases before 4.19 have no status."""
    status = mapping_at(configuration, "status")
    if "managedBootImagesStatus" in status:
        return list_at(status, "managedBootImagesStatus", "machineManagers")
    return list_at(configuration, "spec", "managedBootImages", "machineManagers")


def _by_mode(resource: MachineResource, entry: object) -> Management:
    mode = text_at(entry, "selection", "mode")
    if mode == "All":
        return Management(OPERATOR, mode)
    if mode == "Partial":
        if selects(mapping_at(entry, "selection", "partial").get("machineResourceSelector"), resource.labels):
            return Management(OPERATOR, mode)
        return Management(NONE, mode, "its labels do not match those that are opted in")
    return Management(NONE, mode, "opted out")
