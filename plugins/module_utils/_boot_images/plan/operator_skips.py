# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the operator makes of resources that are left alone here: which it skips and counts, and which it changes.

In mode Automatic one counted skip makes it record the version of the installation again, which may stop the next minor
update. Source: machine-config-operator, pkg/controller/bootimage (reconcileSkipped of ms_helpers.go, and
resetClusterBootImage, OCPBUGS-87962).
"""

from __future__ import annotations

from collections.abc import Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.assessment import (
    Assessment,
    Site,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.management import OPERATOR
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.mode import AUTOMATIC
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.report import SkewReport
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.versions import three_numbers
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.verdict import FAULT
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.listing import listed

_COUNTED = ("owned", "custom_image", "unknown_image", "no_image_id", "not_in_stream", "unknown_architecture")
_OURS = ("hive", "cluster_api", "azure_stack", "newer_than_stream", "other_architecture")
"""Exclusions that the operator does not know: it changes these."""


def counts_as_skip(found: Assessment) -> bool:
    """Whether the operator skips this resource and takes it for one with an image of unknown age."""
    is_kept = found.management.by == OPERATOR and not found.resource.is_control_plane
    return is_kept and found.verdict.code in _COUNTED


def changed_all_the_same(found: Assessment) -> str:
    """Return what to add to the reason of a resource that is left alone here, while the operator changes it."""
    if found.management.by != OPERATOR or found.verdict.code not in _OURS:
        return ""
    return "; the machine-config operator changes it until its labels opt it out"


def skips(found: Sequence[Assessment]) -> list[str]:
    """Return each counted skip with the reason."""
    counted = [one for one in found if counts_as_skip(one)]
    return [f"{one.resource.kind} {one.resource.name}: {one.verdict.code}, {one.verdict.reason}" for one in counted]


def next_record(found: Sequence[Assessment], site: Site, skew: SkewReport) -> dict[str, str]:
    """Return what the operator records when it has looked at all of ``found`` again, and why; empty but in Automatic.

    ``found`` has to be every MachineSet. Source: machine-config-operator, docs/BootImageCAPIDesign.md (the condition of
    updateClusterBootImage) and pkg/controller/bootimage: a skip resets the record, an error leaves it as it is.
    """
    if skew.determined.mode != AUTOMATIC:
        return {}
    counted = [one.resource.name for one in found if counts_as_skip(one)]
    if counted:
        return _record(skew.install_version, f"the version of the installation, because of {listed(counted)}")
    kept = [one for one in found if one.management.by == OPERATOR and not one.resource.is_control_plane]
    broken = [one.resource.name for one in kept if one.verdict.standing == FAULT]
    standing = skew.determined.ocp_version or skew.determined.rhcos_version
    if broken:
        return _record(standing, f"the record stays unchanged, because of an error with {listed(broken)}")
    streams = site.streams
    if streams is None or not streams.version or streams.operator_version not in ("", streams.version):
        return _record(standing, "the record stays unchanged until the images are those of the operator's release")
    return _record(three_numbers(streams.version), "all of them have, or will have, the images of this release")


def _record(version: str, reason: str) -> dict[str, str]:
    return {"version": version, "reason": reason}
