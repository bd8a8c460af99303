# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the policy must say in the end, and the rules that it must keep on this cluster.

Source: openshift/api, payload-manifests/crds/0000_80_machine-config_01_machineconfigurations.crd.yaml (the validations
of the whole object); machine-config-operator, manifests/machineconfigcontroller/*-validatingadmissionpolicy.yaml.
"""

from __future__ import annotations

from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.managers import (
    ALL,
    CONTROL_PLANE,
    MACHINE_SETS,
    Managers,
    changed,
    mode_in,
    same,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.observed import SkewStanza
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.policy_error import refused
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.requests import (
    AUTOMATIC,
    Request,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.site import PolicySite
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.platforms import (
    admitted_platforms,
    control_plane_platforms,
)

_RULE_ALL = (
    "when skew enforcement is in Automatic mode, any MachineAPI MachineSet MachineManager must use selection mode 'All'"
)
_RULE_EMPTY = "when skew enforcement is in Automatic mode, managedBootImages.machineManagers must not be an empty list"


@dataclass(frozen=True)
class Target:
    """``managers`` and ``skew`` as spec must have them, each None where it must have none."""

    managers: Managers
    skew: SkewStanza | None


def target_of(site: PolicySite, request: Request) -> Target:
    """Return what spec must say when ``request`` is fulfilled and everything else is as it was.

    Raise PolicyRefusedError where the API would refuse it, or where the operator would make something else of it.
    """
    _check_served(site, request)
    target = Target(
        managers=changed(site.policy.managers, request.managers, site.platform),
        skew=request.skew if request.skew_mode else site.policy.skew,
    )
    if not same(target.managers, site.policy.managers):
        _check_platform(site, request)
    _check_way_out_of_automatic(site, target)
    if request.skew_mode == AUTOMATIC:
        _check_way_into_automatic(site, target)
    return target


def broken_rule(managers: Managers) -> str:
    """Return the rule of Automatic that ``managers`` in spec break, in the API's words; empty if they break none."""
    if managers is not None and not managers:
        return _RULE_EMPTY
    return _RULE_ALL if mode_in(managers, MACHINE_SETS) not in ("", ALL) else ""


def _check_served(site: PolicySite, request: Request) -> None:
    if request.skew_mode and not site.skew_enforced:
        raise refused(
            "skew_enforcement",
            f"release {site.version or 'unknown'} does not enforce skew, its API does not have the field",
            "Omit it until the cluster runs OpenShift 4.22 or later.",
        )


def _check_platform(site: PolicySite, request: Request) -> None:
    platform = site.platform
    named = platform.cloud if platform.is_azure_stack else platform.type or "unknown"
    if any(request.managers.values()) and not platform.manages_machine_sets:
        raise refused(
            "machine_sets" if MACHINE_SETS in request.managers else "control_plane_machine_sets",
            f"the operator of release {site.version} does not manage boot images on platform {named}, but on "
            f"{', '.join(admitted_platforms(platform.release)) or 'none'}",
            "Update MachineSets with fieldops.openshift.boot_image, and record the version with skew_enforcement.",
        )
    if request.managers.get(CONTROL_PLANE) is not None and not platform.manages_control_plane:
        raise refused(
            "control_plane_machine_sets",
            f"the operator of release {site.version} does not manage the control plane's boot images on platform "
            f"{named}, but on {', '.join(control_plane_platforms(platform.release)) or 'none'}",
            "Omit it.",
        )


def _check_way_out_of_automatic(site: PolicySite, target: Target) -> None:
    rule = broken_rule(target.managers)
    if rule and site.policy.status_mode == AUTOMATIC and target.skew is None:
        raise refused(
            "machine_sets",
            rule,
            "Set skew_enforcement to Manual, with the version that the MachineSets have now, or to None in the same "
            "task. It is set first, and the rest after the operator has followed.",
        )


def _check_way_into_automatic(site: PolicySite, target: Target) -> None:
    found = site.determined(target.managers, None)
    if found.mode != AUTOMATIC:
        raise refused(
            "skew_enforcement.mode",
            f"the operator would not determine Automatic but {found.mode}: {found.reason}",
            "Let it manage all MachineSets with machine_sets mode All, or use mode Default to leave the decision to "
            "the operator.",
        )
