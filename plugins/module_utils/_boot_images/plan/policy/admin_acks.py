# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The acknowledgements by which an administrator lets a default for boot images change in an update.

Source: machine-config-operator, pkg/operator/admin_ack.go of release-4.18 and release-4.21;
cluster-version-operator, pkg/cvo/upgradeable.go, which holds the update while a gate is not acknowledged.
"""

from __future__ import annotations

import typing as t
from collections.abc import Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.observed import (
    Object,
    as_mapping,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.policy_error import refused

GATES = ("admin-gates", "openshift-config-managed")
ACKS = ("admin-acks", "openshift-config")

MEANINGS: t.Mapping[str, str] = {
    "ack-4.18-boot-image-opt-out-in-4.19": "4.19 opts AWS and GCP in to managed boot images; set machine_sets instead "
    "to decide for yourself.",
    "ack-4.18-aarch64-bootloader-4.19": "The boot loader of arm64 nodes that were installed before 4.13 must be "
    "updated before 4.19.",
    "ack-4.21-boot-image-opt-out-in-4.22": "4.22 opts Azure and vSphere in to managed boot images; set machine_sets "
    "instead to decide for yourself.",
}


@dataclass(frozen=True)
class AdminAck:
    """A key, whether the cluster asks for it and whether it was given; ``message`` is what the cluster says."""

    key: str
    required: bool
    given: bool
    message: str

    def as_data(self) -> dict[str, t.Any]:
        """Return it as results show it."""
        return {**vars(self), "meaning": MEANINGS[self.key]}


def admin_acks(gates: Object | None, acks: Object | None) -> list[AdminAck]:
    """Return all acknowledgements that are about boot images, from the two ConfigMaps."""
    asked, given = (as_mapping(as_mapping(found).get("data")) for found in (gates, acks))
    return [AdminAck(key, key in asked, given.get(key) == "true", str(asked.get(key) or "")) for key in MEANINGS]


def missing_acks(wanted: Sequence[str], acks: Object | None) -> list[str]:
    """Return those of the ``wanted`` keys that were not given yet; raise PolicyRefusedError for an unknown one."""
    unknown = sorted(set(wanted) - set(MEANINGS))
    if unknown:
        known = ", ".join(MEANINGS)
        raise refused("admin_acks", f"{unknown[0][:80]!r} is not about boot images", f"Use one of these: {known}.")
    given = as_mapping(as_mapping(acks).get("data"))
    return [key for key in dict.fromkeys(wanted) if given.get(key) != "true"]
