#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rollout_next
short_description: Select the next node of a rollout, and check whether change is permitted
version_added: 0.1.0
description:
  - Computes the rollout plan from the current state of the cluster, like
    M(fieldops.openshift.rollout_info), and checks with change management whether change is permitted for the pool of
    the next node.
  - Returns either the node that can be started now, or the reason why the rollout ends here. A node whose reboot has
    started can always be finished, regardless of change management.
  - The expected duration of a node is its duration in the previous rollout, or the duration of the nodes of this
    rollout that are done, or O(guard.estimate). Change must be permitted for that duration.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._guard_options
  - fieldops.openshift._selection_options
options:
  gone_through:
    description:
      - In check mode, the nodes that were already processed. Because check mode changes nothing, the first node would
        otherwise be selected each time.
    type: list
    elements: str
    default: []
seealso:
  - module: fieldops.openshift.rollout_info
  - module: fieldops.openshift.change_management_info
notes:
  - The required RBAC permissions are in C(extensions/rbac/rollout.yml) of this collection, and for O(guard) in
    C(extensions/rbac/change-management-reader.yml).
"""

EXAMPLES = r"""
- name: Select the next worker
  fieldops.openshift.rollout_next:
    id: update-4.20.2
    target: sha256:3b5c...
    pools: [worker]
    method: node_by_node
    guard:
      estimate: 1200
  register: site_next

- name: End the play
  ansible.builtin.meta: end_play
  when: site_next.ended is not none
"""

RETURN = r"""
node:
  description: >-
    The node that can be started now, in the same format as RV(fieldops.openshift.rollout_info#module:nodes[]). None
    if the rollout has ended.
  type: dict
  returned: success
  sample: {name: worker-1, pool: worker, standing: pending, resumes_in: ""}
permission:
  description: The change management decision. None if no decision was needed.
  type: dict
  returned: success
  contains:
    permitted:
      description: Whether the change may start now.
      type: bool
      sample: true
    resource:
      description: The evaluated resource.
      type: str
      sample: MachineConfigPool worker
    sentence:
      description: The decision as a one-line message, with the compared durations.
      type: str
      sample: change of MachineConfigPool worker is permitted for 3h 10m; worker-1 took 17m 4s in the last rollout
    next_permitted:
      description: When change is permitted again, in UTC, if it is currently restricted and the time is known.
      type: str
      sample: ""
ended:
  description: Why no node is started. None if RV(node) is set.
  type: dict
  returned: success
  contains:
    outcome:
      description: >-
        One of V(done), V(held_back) if only nodes are left that others hold, V(blocked) if too many nodes are
        unavailable, V(failed) if only nodes are left that were set aside, or V(restricted) by change management.
      type: str
      sample: restricted
    reason:
      description: The reason.
      type: str
      sample: "w-1 took 17m 4s in the last rollout, and change of MachineConfigPool worker is permitted for another 5m"
    next_permitted:
      description: When change is permitted again, in UTC, if known.
      type: str
      sample: "2026-11-28T22:00:00Z"
remaining:
  description: The names of the remaining nodes in order, including the next one.
  type: list
  elements: str
  returned: success
  sample: [worker-1, worker-3]
sentence:
  description: The state of the rollout as a one-line message.
  type: str
  returned: success
  sample: "rollout update-4.20.2: 1 of 4 nodes are done, 2 remain; next is worker-1"
actions:
  description: Always empty, because this module makes no changes.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.guard import (
    GUARD_NEVER_NULL,
    GUARD_OPTION,
    ChangeGuard,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.read_rollout import (
    SELECTION_OPTIONS,
    choose_next,
    selection_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = CLUSTER_OPTIONS.merged(
    ArgumentSpec(
        options={
            **SELECTION_OPTIONS,
            "gone_through": {"type": "list", "elements": "str", "default": []},
            "guard": GUARD_OPTION,
        },
        never_null=GUARD_NEVER_NULL,
    )
)


def main() -> t.NoReturn:
    def choose(this: ModuleRun) -> Result:
        client = cluster_client(this)
        gone_through = this.params["gone_through"] if this.check_mode else ()
        guard = ChangeGuard.of(client, this.params["guard"])
        return Result(objects=choose_next(client, selection_of(this.params), guard, gone_through))

    run(SPEC, choose)


if __name__ == "__main__":
    main()
