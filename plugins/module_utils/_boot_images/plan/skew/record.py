# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which version an administrator has to record: that of the oldest boot image in use, or that of the installation.

Source: openshift/api, operator/v1/types_machineconfiguration.go (the value should be the oldest boot image among all
machine resources); machine-config-operator, pkg/controller/bootimage (what it records itself: the control plane's
images do not count, nor do machines with Windows; where all have the stream's image, the release of the stream).
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.observed import (
    SkewStanza,
    as_list,
    as_mapping,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.site import PolicySite
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.rhcos_release import (
    RhcosRelease,
    parse_release,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.mode import (
    MANUAL,
    UNKNOWN_VERSION,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.versions import (
    less_than,
    parse_generic,
    three_numbers,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.listing import listed

INSTALLATION, OLDEST = "installation", "oldest"
RECORD_OPTIONS: Mapping[str, Mapping[str, t.Any]] = {
    "record": {"type": "str", "choices": [INSTALLATION, OLDEST]},
    "boot_images": {"type": "dict"},
}


@dataclass(frozen=True)
class Recording:
    """``stanza`` is what has to be recorded, None where what stands recorded stays; ``reason`` is for people."""

    stanza: SkewStanza | None
    standing: SkewStanza
    reason: str = ""

    def as_data(self) -> dict[str, str]:
        """Return what counts then, as results show it."""
        counts = self.stanza or self.standing
        return {"ocp_version": counts.ocp_version, "rhcos_version": counts.rhcos_version, "reason": self.reason}


def recording_of(which: str, found: object, site: PolicySite) -> Recording:
    """Return what to record: the version of the installation, or that of the oldest boot image in ``found``.

    ``found`` is what ``oldest_boot_image`` takes. Nothing is recorded where the operator determines the version itself,
    and no version of the installation in place of an older one.
    """
    determined = site.determined(site.policy.managers, site.policy.skew)
    standing = SkewStanza(determined.mode, determined.ocp_version, determined.rhcos_version)
    if not site.skew_enforced:
        return Recording(None, SkewStanza(""), f"release {site.version or 'unknown'} does not enforce skew")
    if determined.mode != MANUAL:
        return Recording(None, standing, f"skew enforcement is in mode {determined.mode}: {determined.reason}")
    if which == INSTALLATION:
        return _of_installation(site.installed, standing)
    oldest = oldest_boot_image(found)
    if oldest["reason"]:
        return Recording(None, standing, oldest["reason"])
    return Recording(SkewStanza(MANUAL, oldest["ocp_version"], oldest["rhcos_version"]), standing)


def _of_installation(installed: str, standing: SkewStanza) -> Recording:
    if installed == UNKNOWN_VERSION:
        return Recording(None, standing, "the ClusterVersion does not show the release of the installation")
    reason = "until the release of each image is known, the version of the installation is used"
    recorded, conservative = parse_generic(standing.ocp_version), parse_generic(installed)
    if recorded and conservative and not less_than(conservative, recorded):
        return Recording(None, standing, reason)
    return Recording(SkewStanza(MANUAL, installed), standing, reason)


def oldest_boot_image(found: object) -> dict[str, str]:
    """Return ``ocp_version`` or ``rhcos_version``, the other one empty; or both empty and a ``reason``.

    ``found`` is what the module boot_image_info returns for all MachineSets of a cluster. Raise InvalidInputError for
    anything else.
    """
    if not isinstance(found, Mapping) or not isinstance(found.get("machine_resources"), list):
        raise InvalidInputError(
            "determine the oldest boot image",
            on="boot_images",
            seen=f"{type(found).__name__} without machine_resources",
            advice="Set it to the result of fieldops.openshift.boot_image_info.",
        )
    machine_sets = [one for one in as_list(found["machine_resources"]) if _counts(one)]
    if not machine_sets:
        return _answer(reason="there is no MachineSet whose boot image can be recorded")
    releases = [_release_of(one) for one in machine_sets]
    known = [one for one in releases if one is not None]
    if len(known) == len(releases):
        return _version(min(known, key=lambda one: one.age or ((0, 0), "")))
    ocp = three_numbers(str(as_mapping(found.get("cluster")).get("images_of") or ""))
    if ocp and all(one.get("standing") == "current" for one in machine_sets):
        return _answer(ocp_version=ocp)
    unknown = [str(one.get("name")) for one, release in zip(machine_sets, releases) if not release]
    return _answer(reason=f"the version that {listed(unknown)} boots is unknown: record it manually")


def _counts(one: object) -> bool:
    return isinstance(one, Mapping) and one.get("kind") == "MachineSet" and one.get("code") != "windows"


def _release_of(one: Mapping[str, t.Any]) -> RhcosRelease | None:
    release = parse_release(str(as_mapping(one.get("current")).get("release") or ""))
    return release if release and release.age else None


def _version(release: RhcosRelease) -> dict[str, str]:
    """Return a release in the form that the API takes; Azure's have no serial number, which counts for nothing there.

    What Azure names by OpenShift's version is recorded as that.
    """
    if release.serial is not None:
        return _answer(rhcos_version=str(release))
    return _answer(ocp_version=f"{release.openshift}.0") if release.openshift else _answer(rhcos_version=f"{release}-0")


def _answer(*, ocp_version: str = "", rhcos_version: str = "", reason: str = "") -> dict[str, str]:
    return {"ocp_version": ocp_version, "rhcos_version": rhcos_version, "reason": reason}
