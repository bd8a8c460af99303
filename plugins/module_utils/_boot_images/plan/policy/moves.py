# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The next step from the current policy to the requested one.

The API judges spec against the status that holds, so that the order matters. Out of Automatic: first the skew stanza,
then wait until status follows, then the managers. Back into it: first the managers, wait, then remove the stanza.
Source: the validations of the definition, see ``target.py``; machine-config-operator,
test/extended-priv/mco_bootimages.go takes the same steps.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.managers import (
    CONTROL_PLANE,
    MACHINE_SETS,
    effective,
    mode_in,
    same,
    same_selection,
    selection_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.observed import (
    ObservedPolicy,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.requests import (
    AUTOMATIC,
    MANUAL,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.site import PolicySite
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.target import (
    Target,
    broken_rule,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.platforms import (
    NONE_MODE_SINCE,
)

STATUS_SINCE = NONE_MODE_SINCE
"""The release since which status says which managers hold."""


@dataclass(frozen=True)
class Move:
    """One write, ``spec`` being a merge patch of the object's spec; or a wait; or, ``settled``, nothing more to do."""

    sentence: str
    spec: Mapping[str, t.Any] = field(default_factory=dict)
    settled: bool = False

    @property
    def writes(self) -> bool:
        """Whether something must be sent."""
        return bool(self.spec)


def next_move(site: PolicySite, target: Target) -> Move:
    """Return what to do now; asked again after each move, with what was read afresh."""
    policy = site.policy
    managers = {} if same(policy.managers, target.managers) else _managers_patch(policy, target)
    skew = {} if policy.skew == target.skew else _skew_patch(target)
    if managers and policy.status_mode == AUTOMATIC and broken_rule(target.managers):
        if skew:
            return Move("sets skew enforcement first: in Automatic mode the API refuses the rest", skew)
        return Move("waits until the operator has left Automatic, after which the API accepts the rest")
    if skew and target.skew is None:
        if managers:
            return Move("sets the machine managers first: Automatic needs them", managers)
        pending = _pending_managers(site, target)
        if pending:
            return Move(pending)
    if managers or skew:
        named = " and ".join(name for name, part in (("machine managers", managers), ("skew", skew)) if part)
        return Move(f"sets {named}", {**managers, **skew})
    pending = _pending_managers(site, target) or _pending_skew(site, target)
    return Move(pending) if pending else Move("the policy is in effect", settled=True)


def later_moves(site: PolicySite, target: Target, first: Move) -> list[Mapping[str, t.Any]]:
    """Return the patches that follow ``first``, for check mode: the server cannot try them before it holds."""
    policy = site.policy
    whole: dict[str, t.Any] = {} if same(policy.managers, target.managers) else _managers_patch(policy, target)
    whole.update({} if policy.skew == target.skew else _skew_patch(target))
    rest = {name: part for name, part in whole.items() if name not in first.spec}
    return [rest] if rest else []


def _managers_patch(policy: ObservedPolicy, target: Target) -> dict[str, t.Any]:
    if target.managers is None:
        return {"managedBootImages": {"machineManagers": None} if policy.beside else None}
    return {"managedBootImages": {"machineManagers": [dict(one) for one in target.managers]}}


def _skew_patch(target: Target) -> dict[str, t.Any]:
    return {"bootImageSkewEnforcement": target.skew.as_patch() if target.skew else None}


def _pending_managers(site: PolicySite, target: Target) -> str:
    """Return what status still lacks of the managers, empty where it lacks nothing or never says it."""
    policy, platform = site.policy, site.platform
    if not platform.manages_machine_sets or platform.release < STATUS_SINCE:
        return ""
    for resource in (MACHINE_SETS, CONTROL_PLANE):
        wanted = effective(target.managers, resource, platform)
        held = selection_of(policy.status_managers, resource)
        if not same_selection(wanted, held if held is not None else {"mode": "None"}):
            said = mode_in(policy.status_managers, resource) or "nothing"
            return f"waits until status says {wanted.get('mode')} for {resource}, it says {said}"
    return _pending_generation(policy)


def _pending_skew(site: PolicySite, target: Target) -> str:
    if not site.skew_enforced:
        return ""
    wanted, held = site.determined(target.managers, target.skew), site.policy.status_skew
    if held is None or held.mode != wanted.mode:
        said = held.mode if held else "nothing"
        return f"waits until status says {wanted.mode} for skew enforcement, it says {said}"
    versions = (held.ocp_version, held.rhcos_version)
    if wanted.mode == MANUAL and versions != (wanted.ocp_version, wanted.rhcos_version):
        return f"waits until status records {wanted.ocp_version or wanted.rhcos_version}"
    return ""


def _pending_generation(policy: ObservedPolicy) -> str:
    if policy.observed_generation >= policy.generation:
        return ""
    return f"waits until the operator has observed generation {policy.generation}, not {policy.observed_generation}"
