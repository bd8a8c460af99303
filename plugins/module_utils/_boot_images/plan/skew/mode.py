# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which skew enforcement a cluster has, as the machine-config operator determines it in each of its syncs.

Source: machine-config-operator, pkg/operator/sync.go (syncBootImageSkewEnforcementStatus,
isBareMetalOnLegacyProvisioningPath), pkg/apihelpers/apihelpers.go (GetOCPInstallVersion).
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.observed import (
    SkewStanza,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.platforms import (
    BARE_METAL,
    Platform,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.versions import three_numbers

AUTOMATIC, MANUAL, NONE = "Automatic", "Manual", "None"
UNKNOWN_VERSION = "0.0.0"


@dataclass(frozen=True)
class SkewMode:
    """``mode`` and the recorded versions, each empty where there is none; ``reason`` says why it is this mode."""

    mode: str
    ocp_version: str = ""
    rhcos_version: str = ""
    reason: str = ""

    def as_data(self) -> dict[str, str]:
        """Return it as results show it."""
        return dict(vars(self))


def determine_mode(
    platform: Platform,
    *,
    spec: SkewStanza | None,
    status: SkewStanza | None,
    machine_sets_mode: str,
    install_version: str,
    legacy_provisioning: bool,
) -> SkewMode:
    """Return the mode that the operator arrives at.

    ``machine_sets_mode`` is the selection that holds for MachineSets, see ``policy/managers.py``, ``install_version``
    the result of the function of that name, ``legacy_provisioning`` matters on bare metal alone.
    """
    if spec is not None:
        said = "spec.bootImageSkewEnforcement sets it"
        return SkewMode(MANUAL, spec.ocp_version, spec.rhcos_version, said) if spec.mode == MANUAL else _none(said)
    if platform.type == BARE_METAL and not legacy_provisioning:
        return _none("bare metal machines boot the image that the release contains")
    if platform.single_replica:
        return _none("the control plane has a single node")
    if platform.manages_machine_sets and machine_sets_mode == "All":
        return _automatic(status, install_version)
    if not platform.manages_machine_sets:
        why = f"the operator does not update boot images on platform {_name(platform)}"
    else:
        why = f"the operator manages the boot images of {machine_sets_mode.lower()} of the MachineSets, not of all"
        why = why.replace("of partial of", "of a part of")
    return SkewMode(MANUAL, install_version, reason=f"{why}: the version of the installation is used")


def install_version(history: Sequence[Mapping[str, t.Any]]) -> str:
    """Return the release that the cluster was installed with as ``x.y.z``: the oldest that a history completed.

    ``history`` is ``status.history`` of the ClusterVersion, newest first. Without a completed one the oldest at all
    counts, without any UNKNOWN_VERSION.
    """
    entries = [entry for entry in history if isinstance(entry, dict)]
    completed = [entry for entry in entries if entry.get("state") == "Completed"]
    oldest = (completed or entries)[-1:]
    return three_numbers(str(oldest[0].get("version") or "")) or UNKNOWN_VERSION if oldest else UNKNOWN_VERSION


def _automatic(status: SkewStanza | None, installed: str) -> SkewMode:
    reason = "the operator manages the boot images of all MachineSets"
    if status is not None and status.mode == AUTOMATIC and (status.ocp_version or status.rhcos_version):
        return SkewMode(AUTOMATIC, status.ocp_version, status.rhcos_version, reason)
    return SkewMode(AUTOMATIC, installed, "", reason)


def _none(reason: str) -> SkewMode:
    return SkewMode(NONE, reason=reason)


def _name(platform: Platform) -> str:
    return platform.cloud if platform.is_azure_stack else platform.type or "unknown"
