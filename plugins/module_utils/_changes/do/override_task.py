# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The work behind the module change_override: from its arguments to what became of them."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.write_override import (
    WantedOverride,
    write_override,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.durations import read_duration
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.overrides import ALL, CONTROL_PLANE
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import (
    POOL,
    ResourceName,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import MASTER, THE_CLUSTER
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient


def carry_out(client: ClusterClient, params: Mapping[str, t.Any]) -> Result:
    """Set or end the override of the resources that are named, of the whole cluster where none are."""
    written = write_override(client, _wanted(params), clock_limit=params["clock_limit"])
    return Result(
        changed=written.changed,
        objects={"override": written.override, "overrides": written.after, "who": written.by},
        diff={"before": written.before, "after": written.after},
    )


def _wanted(params: Mapping[str, t.Any]) -> WantedOverride:
    present = params["state"] == "present"
    if present and params["strategy"] is None:
        raise PolicyError("strategy", "it is missing", "Say whether change shall be permitted or restricted.")
    resources, scope = _bound(params)
    length = params["duration"]
    return WantedOverride(
        resources=resources,
        strategy=params["strategy"] if present else None,
        why=params["why"],
        start=params["from"],
        until=params["until"] if present else None,
        seconds=read_duration(length, "duration") if length and present else None,
        scope=scope,
        allow_missing=params["allow_missing"],
    )


def _bound(params: Mapping[str, t.Any]) -> tuple[tuple[ResourceName, ...], str]:
    """Return the resources that are named and the scope of an override of ClusterVersion."""
    if params["pools"]:
        names = tuple(ResourceName.of(POOL, pool) for pool in params["pools"])
        return tuple(THE_CLUSTER if name == MASTER else name for name in names), CONTROL_PLANE
    if params["kind"] is None:
        return (THE_CLUSTER,), params["scope"] or ALL
    name = ResourceName.of(params["kind"], params["name"], params["namespace"] or "")
    if name == MASTER:
        rule = f"The master pool has the stanza of {THE_CLUSTER.title}: override that."
        raise PolicyError("name", "the control plane is one", rule)
    if name != THE_CLUSTER and params["scope"]:
        raise PolicyError("scope", f"it is given for {name.title}", f"It is for {THE_CLUSTER.title} alone.")
    if name == THE_CLUSTER and not params["scope"] and params["state"] == "present":
        rule = "Say what it binds: all, the control plane and all pools, or control_plane."
        raise PolicyError("scope", "it is missing", rule)
    return (name,), params["scope"] or ""
