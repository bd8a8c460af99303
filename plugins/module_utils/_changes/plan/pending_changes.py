# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which change of a governed resource is pending, and since when: both empty for none.

Source: openshift/enhancements pull request 1571, "Resources Supporting Change Management". Since when is determined by
what the API stamps: the start of an update, the transition of a condition, or the write of the field that asks for it.
"""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.stanzas import RESOURCE_KINDS
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.conditions import conditions_of
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.pool_state import PoolState

Pending = t.Tuple[str, str]  # noqa: UP006  # evaluated by Python 3.9 as well
_NOTHING = ("", "")


def _version(found: Mapping[str, t.Any]) -> Pending:
    wanted = (found.get("spec") or {}).get("desiredUpdate") or {}
    history = (found.get("status") or {}).get("history") or []
    reached: Mapping[str, t.Any] = next((entry for entry in history if entry.get("state") == "Completed"), {})
    for part in ("image", "version"):
        if wanted.get(part) and wanted[part] != reached.get(part):
            name = wanted.get("version") or wanted.get("image")
            reason = f"{name} is desired, {reached.get('version') or 'none'} reached"
            return reason, _started(history) or _asked(found, "f:desiredUpdate")
    return _NOTHING


def _pool(found: Mapping[str, t.Any]) -> Pending:
    pool = PoolState.of(found)
    if pool.current_config == pool.desired_config and pool.updated_machines >= pool.machines:
        return _NOTHING
    if not pool.desired_config:
        return _NOTHING
    updated = conditions_of(found).get("Updated")
    since = updated.last_transition if updated and not updated.is_true else ""
    return f"{pool.updated_machines} of {pool.machines} machines have {pool.desired_config}", since


def _hosted_cluster(found: Mapping[str, t.Any]) -> Pending:
    wanted = ((found.get("spec") or {}).get("release") or {}).get("image")
    history = (((found.get("status") or {}).get("version") or {}).get("history")) or []
    reached = next((entry.get("image") for entry in history if entry.get("state") == "Completed"), None)
    if not wanted or wanted == reached:
        return _NOTHING
    return f"{wanted} is desired, {reached or 'none'} reached", _started(history) or _asked(found, "f:release")


def _node_pool(found: Mapping[str, t.Any]) -> Pending:
    conditions = conditions_of(found)
    updating = [conditions[name] for name in ("UpdatingVersion", "UpdatingConfig") if name in conditions]
    held = [one for one in updating if one.is_true]
    stamps = sorted(one.last_transition for one in held if one.last_transition)
    return ", ".join(one.message or one.type for one in held), stamps[0] if stamps else ""


def _started(history: Sequence[Mapping[str, t.Any]]) -> str:
    latest = history[0] if history else {}
    return str(latest.get("startedTime") or "") if latest.get("state") == "Partial" else ""


def _asked(found: Mapping[str, t.Any], part: str) -> str:
    """Return when a part of spec was written last, as field management has it."""
    managed = found["metadata"].get("managedFields") or ()
    owners = [one for one in managed if part in ((one.get("fieldsV1") or {}).get("f:spec") or {})]
    return max((str(one.get("time") or "") for one in owners), default="")


PENDING = dict(zip(RESOURCE_KINDS, (_version, _pool, _hosted_cluster, _node_pool)))
"""The function that returns the pending change of an object of each kind."""
