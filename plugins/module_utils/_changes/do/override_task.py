# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The work behind the module change_override: from its arguments to what became of them."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.outcome import Outcome
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.write_override import (
    OverrideWritten,
    WantedOverride,
    write_override,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import ResourceName

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient


def carry_out(client: ClusterClient, params: Mapping[str, t.Any]) -> Outcome:
    """Set or end the override of a resource."""
    written = _written(client, params)
    return Outcome(
        changed=written.changed,
        objects={"override": written.after, "who": written.by},
        difference={"before": {"override": written.before}, "after": {"override": written.after}},
    )


def _written(client: ClusterClient, params: Mapping[str, t.Any]) -> OverrideWritten:
    present = params["state"] == "present"
    if present and params["strategy"] is None:
        raise PolicyError("strategy", "it is missing", "Say whether change shall be permitted or restricted.")
    wanted = WantedOverride(
        resource=ResourceName.of(params["kind"], params["name"], params["namespace"] or ""),
        strategy=params["strategy"] if present else None,
        until=params["until"] if present else None,
        why=params["why"],
        allow_missing=params["allow_missing"],
    )
    return write_override(client, wanted, clock_limit=params["clock_limit"])
