# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The work behind the module change_policy: from its arguments to what became of them."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.local_time import local_time
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.write_policy import (
    Wanted,
    Written,
    mark_site,
    write_wanted,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.resources import ResourceName
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient

_NOTHING = Written({}, {}, "")


def carry_out(client: ClusterClient, params: Mapping[str, t.Any]) -> Result:
    """Write policy and assignments, and the mark of a governed site, each where it is asked for."""
    wanted = _wanted(params)
    written = write_wanted(client, wanted) if wanted.name or wanted.assignments else _NOTHING
    marked = mark_site(client, params["governed"])
    warnings = written.outlook.warnings if written.outlook else ()
    objects = {
        "who": written.by,
        "warnings_of_policy": list(warnings),
        "outlook": written.outlook.as_data(local_time(params["time_zone"])) if written.outlook else None,
    }
    difference = {"before": {**written.before, **marked.before}, "after": {**written.after, **marked.after}}
    return Result(written.changed or marked.changed, objects, diff=difference, warnings=warnings)


def _wanted(params: Mapping[str, t.Any]) -> Wanted:
    remove = params["state"] == "absent"
    if params["name"] and not remove and params["spec"] is None:
        raise PolicyError("spec", "it is missing", "Say what the policy says, or that it shall be absent.")
    assignments = {ResourceName.of_key(key): stanza for key, stanza in (params["assignments"] or {}).items()}
    for name, stanza in assignments.items():
        if stanza is None and not remove:
            rule = "Give a stanza; what governs the resource goes with state absent."
            raise PolicyError(f"assignments.{name.key}", "it is null", rule)
    return Wanted(
        name=params["name"] or "",
        spec=None if remove else params["spec"],
        remove=remove,
        assignments=assignments,
        why=params["why"] or "",
        allow_missing=params["allow_missing"],
        estimate=params["estimate"],
    )
