# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Which version an administrator has to record: that of the oldest boot image in use.

Source: openshift/api, operator/v1/types_machineconfiguration.go (the value should be the oldest boot image among all
machine resources); machine-config-operator, pkg/controller/bootimage (what it records itself: the control plane's
images do not count, nor do machines with Windows; where all have the stream's image, the release of the stream).
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.observed import (
    as_list,
    as_mapping,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.versions import (
    parse_generic,
    rhel_version_of,
    three_numbers,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

# The form that the API takes, see ``policy/wishes.py``.
_RELEASE = re.compile(r"[0-9]+\.[0-9]+\.([0-9]{8}|[0-9]{12})-[0-9]+", re.ASCII)
_NAMED = 3


def oldest_boot_image(found: object) -> dict[str, str]:
    """Return ``ocp_version`` or ``rhcos_version``, the other one empty; or both empty and a ``reason``.

    ``found`` is what the module boot_image_info returns for all MachineSets of a cluster. Raise InvalidInputError for
    anything else.
    """
    if not isinstance(found, Mapping) or not isinstance(found.get("machine_resources"), list):
        raise InvalidInputError(
            "tell the oldest boot image",
            on="the input of filter oldest_boot_image",
            seen=f"{type(found).__name__} without machine_resources",
            advice="Give it what fieldops.openshift.boot_image_info returned.",
        )
    machine_sets = [one for one in as_list(found["machine_resources"]) if _counts(one)]
    if not machine_sets:
        return _answer(reason="there is no MachineSet whose boot image could be recorded")
    releases = [_release_of(one) for one in machine_sets]
    if all(releases):
        return _answer(rhcos_version=min(releases, key=_age))
    ocp = three_numbers(str(as_mapping(found.get("cluster")).get("images_of") or ""))
    if ocp and all(one.get("standing") == "current" for one in machine_sets):
        return _answer(ocp_version=ocp)
    unknown = [str(one.get("name")) for one, release in zip(machine_sets, releases) if not release]
    more = f" and {len(unknown) - _NAMED} more" if len(unknown) > _NAMED else ""
    return _answer(reason=f"nobody knows which version {', '.join(unknown[:_NAMED])}{more} boots: record it by hand")


def _counts(one: object) -> bool:
    return isinstance(one, Mapping) and one.get("kind") == "MachineSet" and one.get("code") != "windows"


def _release_of(one: Mapping[str, t.Any]) -> str:
    release = str(as_mapping(one.get("current")).get("release") or "")
    readable = _RELEASE.fullmatch(release) and parse_generic(rhel_version_of(release))
    return release if readable else ""


def _age(release: str) -> tuple[tuple[int, ...], str]:
    """Return what sorts releases from old to new: first RHEL, as the operator compares them, then the day."""
    return (parse_generic(rhel_version_of(release)) or (), release.split(".")[2][:8])


def _answer(*, ocp_version: str = "", rhcos_version: str = "", reason: str = "") -> dict[str, str]:
    return {"ocp_version": ocp_version, "rhcos_version": rhcos_version, "reason": reason}
