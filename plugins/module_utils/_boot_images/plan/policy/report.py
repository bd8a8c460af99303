# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The policy for boot images as results show it."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.managers import (
    CONTROL_PLANE,
    MACHINE_SETS,
    effective,
    selection_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.observed import (
    ObservedPolicy,
    SkewStanza,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.site import PolicySite


def spec_part(policy: ObservedPolicy) -> dict[str, t.Any]:
    """Return what is configured; ``machine_managers`` is None where nothing is, which differs from an empty list."""
    managers = None if policy.managers is None else [dict(one) for one in policy.managers]
    return {"machine_managers": managers, "skew_enforcement": _stanza(policy.skew)}


def policy_report(site: PolicySite) -> dict[str, t.Any]:
    """Return the values that both modules of the policy return."""
    policy = site.policy
    status = None if policy.status_managers is None else [dict(one) for one in policy.status_managers]
    return {
        "spec": spec_part(policy),
        "status": {
            "machine_managers": status,
            "skew_enforcement": _stanza(policy.status_skew),
            "observed_generation": policy.observed_generation,
            "current": policy.observed_generation >= policy.generation,
        },
        "holds": {name: _holding(site, resource) for name, resource in _RESOURCES.items()},
        "conditions": [
            {
                "type": one.type,
                "status": one.status,
                "reason": one.reason,
                "message": one.message,
                "last_transition": one.last_transition,
            }
            for one in policy.conditions.values()
        ],
        "opted_in_at": policy.opted_in_at,
    }


_RESOURCES = {"machine_sets": MACHINE_SETS, "control_plane_machine_sets": CONTROL_PLANE}


def _holding(site: PolicySite, resource: str) -> dict[str, t.Any]:
    """Return the selection that holds for a resource and where it comes from."""
    policy = site.policy
    selection = effective(policy.managers, resource, site.platform)
    if selection_of(policy.managers, resource) is not None or (policy.managers is not None and not policy.managers):
        origin = "spec"
    else:
        origin = "default"
    selector = ((selection.get("partial") or {}).get("machineResourceSelector")) or {}
    return {"mode": str(selection.get("mode") or ""), "selector": dict(selector), "origin": origin}


def _stanza(found: SkewStanza | None) -> dict[str, str]:
    return found.as_data() if found else {}
