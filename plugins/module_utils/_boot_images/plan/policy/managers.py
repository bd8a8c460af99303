# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Machine managers: entries by resource, what holds for a resource, and what a change leaves of them.

Source: machine-config-operator, pkg/operator/sync.go (syncManagedBootImagesStatus), pkg/apihelpers/apihelpers.go.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.observed import (
    Object,
    as_mapping,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.platforms import (
    NONE_MODE_SINCE,
    Platform,
)

MACHINE_SETS, CONTROL_PLANE = "machinesets", "controlplanemachinesets"
API_GROUP = "machine.openshift.io"
ALL, PARTIAL, NONE, DEFAULT = "All", "Partial", "None", "Default"

Managers = t.Optional[Sequence[Object]]
"""Entries of ``machineManagers``; None where there is no such list."""


def entry(resource: str, mode: str, selector: Object | None = None) -> dict[str, t.Any]:
    """Return the manager that says ``mode`` for ``resource``; ``selector`` goes with PARTIAL."""
    selection: dict[str, t.Any] = {"mode": mode}
    if selector is not None:
        selection["partial"] = {"machineResourceSelector": dict(selector)}
    return {"resource": resource, "apiGroup": API_GROUP, "selection": selection}


def selection_of(managers: Managers, resource: str) -> Object | None:
    """Return what an entry says for ``resource``, None where there is no entry for it."""
    for one in managers or ():
        if one.get("resource") == resource and one.get("apiGroup") == API_GROUP:
            return as_mapping(one.get("selection"))
    return None


def mode_in(managers: Managers, resource: str) -> str:
    """Return the mode of the entry for ``resource``, empty where there is none."""
    selection = selection_of(managers, resource)
    return str(selection.get("mode") or "") if selection is not None else ""


def effective(managers: Managers, resource: str, platform: Platform) -> Object:
    """Return the selection that the operator takes for ``resource`` where its spec says ``managers``.

    An empty list opts everything out. Without an entry MachineSets have the default of the platform; the control plane
    is never managed by default.
    """
    able = platform.manages_machine_sets if resource == MACHINE_SETS else platform.manages_control_plane
    opted_out = managers is not None and not managers
    if not able or opted_out:
        return {"mode": NONE}
    said = selection_of(managers, resource)
    if said is not None:
        return said
    return {"mode": ALL if resource == MACHINE_SETS and platform.manages_by_default else NONE}


def changed(managers: Managers, wanted: Mapping[str, Object | None], platform: Platform) -> Managers:
    """Return ``managers`` with the entries that are ``wanted`` by resource, None taking one away; others stay as is.

    A setting without a requested change keeps its meaning: an empty list is spelled out before an entry joins it, since
    MachineSets without an entry fall back to the platform's default. Where the last entry goes the list goes with it,
    for an empty one opts everything out. Releases that do not know the mode None take an empty list for it.
    """
    opted_out = managers is not None and not managers
    if not wanted or (opted_out and MACHINE_SETS not in wanted and not any(wanted.values())):
        return managers
    kept = [one for one in managers or () if not _is_for(one, wanted)]
    named = [one for one in wanted.values() if one is not None]
    if platform.release < NONE_MODE_SINCE:
        named = [one for one in named if as_mapping(one.get("selection")).get("mode") != NONE]
        if not named and not kept and any(one is not None for one in wanted.values()):
            return []
    elif opted_out and MACHINE_SETS not in wanted:
        kept.append(entry(MACHINE_SETS, NONE))
    return _in_order(managers, [*kept, *named]) or None


def same(one: Managers, other: Managers) -> bool:
    """Return whether two lists say the same, in whatever order; an absent list is not an empty one."""
    if one is None or other is None:
        return one is other
    return sorted(map(_key_and_content, one)) == sorted(map(_key_and_content, other))


def same_selection(one: Object, other: Object) -> bool:
    """Return whether two selections are the same but for parts that say nothing."""
    return bool(_meaning(one) == _meaning(other))


def _is_for(one: Object, wanted: Mapping[str, t.Any]) -> bool:
    return one.get("apiGroup") == API_GROUP and one.get("resource") in wanted


def _in_order(before: Managers, entries: list[Object]) -> list[Object]:
    """Return ``entries`` in the order that they had before, so that a diff shows what changes and nothing else."""
    order = {(one.get("resource"), one.get("apiGroup")): number for number, one in enumerate(before or ())}
    return sorted(entries, key=lambda one: order.get((one.get("resource"), one.get("apiGroup")), len(order)))


def _key_and_content(one: Object) -> str:
    return repr((one.get("resource"), one.get("apiGroup"), _meaning(as_mapping(one.get("selection")))))


def _meaning(selection: Object) -> t.Any:
    mode = selection.get("mode")
    selector = as_mapping(as_mapping(selection.get("partial")).get("machineResourceSelector"))
    return [mode, _canonical(selector)] if mode == PARTIAL else [mode]


def _canonical(value: t.Any) -> t.Any:
    if isinstance(value, dict):
        return sorted((str(key), _canonical(one)) for key, one in value.items() if one not in (None, {}, []))
    return [_canonical(one) for one in value] if isinstance(value, list) else value
