# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The comparison itself: is the recorded boot image older than the limit?

Source: machine-config-operator, pkg/operator/status.go (checkBootImageSkew, checkOCPVersionSkew,
checkRHCOSVersionSkew). The API says that both versions are looked at; the code looks at the release alone where it is
recorded, and so do we.
"""

from __future__ import annotations

from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.limits import SkewLimit
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.versions import (
    less_than,
    parse_generic,
    rhel_version_of,
)


@dataclass(frozen=True)
class Comparison:
    """``exceeded`` with the operator's words in ``detail``; ``compared`` is false where it could not read a version."""

    exceeded: bool
    detail: str = ""
    compared: bool = True


NOT_COMPARED = Comparison(exceeded=False, compared=False)


def compare(ocp: str, rhcos: str, limit: SkewLimit) -> Comparison:
    """Return what the operator would find for the recorded versions, each empty where there is none."""
    if ocp:
        return _compare_release(ocp, limit)
    if rhcos:
        return _compare_rhcos(rhcos, limit)
    return NOT_COMPARED


def _compare_release(version: str, limit: SkewLimit) -> Comparison:
    numbers, oldest = parse_generic(version), parse_generic(limit.ocp)
    if numbers is None or oldest is None:
        return NOT_COMPARED
    if not less_than(numbers, oldest):
        return Comparison(exceeded=False)
    below = f"which is below the minimum required version {limit.ocp}"
    return Comparison(True, f"the cluster is using OCP boot image version {version}, {below}")


def _compare_rhcos(version: str, limit: SkewLimit) -> Comparison:
    rhel = rhel_version_of(version)
    numbers, oldest = parse_generic(rhel), parse_generic(limit.rhel)
    if numbers is None or oldest is None:
        return NOT_COMPARED
    if not less_than(numbers, oldest):
        return Comparison(exceeded=False)
    below = f"which is below the minimum required RHEL version {limit.rhel}"
    return Comparison(True, f"the cluster is using RHCOS boot image version {version}(RHEL version: {rhel}), {below}")
