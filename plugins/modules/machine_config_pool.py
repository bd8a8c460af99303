#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: machine_config_pool
short_description: Pause or open a pool of the machine-config operator, and watch its nodes
version_added: 0.1.0
description:
  - While a pool is paused the machine-config operator begins no further node of it. Nodes that have been begun finish.
  - Who paused or opened the pool, when and why is written in the same request, in an annotation of the pool. A pause
    that somebody else has set is not taken away, unless O(foreign_pause=open).
  - With O(wait=true) it waits for O(wait_for). Within a rollout the journal learns which nodes were begun and ended.
  - With O(guard) the pool is opened only while change is permitted. That is asked again at each look. Where change is
    restricted the pool is paused, the nodes that were begun finish, and RV(ended) says why. A pool that an update of
    the cluster requires is one change, so that only its opening is asked about.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
  - fieldops.openshift._rollout_options
  - fieldops.openshift._guard_options
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
  idempotent:
    support: full
options:
  name:
    description:
      - The name of the pool.
    type: str
    required: true
  paused:
    description:
      - Whether the pool is to be paused. Without it the pool is left as it is, and only looked at.
    type: bool
  restored:
    description:
      - Leave the pool as the rollout has found it, open or paused. What others have changed since stays as it is.
    type: bool
    default: false
  reason:
    description:
      - Why, for the record on the pool.
    type: str
    default: ""
  foreign_pause:
    description:
      - What to do with O(paused=false) when somebody else has paused the pool. V(refuse) fails and says who, V(open)
        opens it.
    type: str
    choices: [refuse, open]
    default: refuse
  wait_for:
    description:
      - What to wait for. V(updated) is that all nodes have the configuration of the pool. V(proved) is that each of
        them is also back, as M(fieldops.openshift.node_ready_info) sees it, and that control plane nodes have their
        guards. V(at_rest) is that no daemon is at work; a degraded node is not waited for then.
    type: str
    choices: [nothing, updated, proved, at_rest]
    default: nothing
  pause_on_fault:
    description:
      - Whether to pause the pool when a node of it fails, so that the machine-config operator takes no further one.
    type: bool
    default: false
  degraded_timeout:
    description:
      - With O(wait_for=updated) and O(wait_for=proved), after how many seconds a pool with a degraded node counts as
        failed. The daemon tries again all the time, so that some failures end by themselves.
    type: int
    default: 600
  away_timeout:
    description:
      - With O(wait_for=updated) and O(wait_for=proved), after how many seconds a node that does not come back counts as
        failed.
    type: int
    default: 1800
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/rollout.yml) of this collection.
"""

EXAMPLES = r"""
- name: Keep the workers as they are until the window
  fieldops.openshift.machine_config_pool:
    name: worker
    paused: true
    reason: nodes are rolled on Saturday night only

- name: Open the pool and wait until its nodes are updated
  fieldops.openshift.machine_config_pool:
    name: worker
    paused: false
    wait_for: updated
    wait: true
    wait_timeout: 14400
"""

RETURN = r"""
pool:
  description: >-
    Where the pool and its nodes stand, as an entry of RV(fieldops.openshift.machine_config_pool_info#module:pools).
  type: dict
  returned: success
  sample: {name: worker, standing: half_updated, target: rendered-worker-4f1c8e}
broken_before:
  description: Within a rollout, what of its nodes was broken before they were begun, and is therefore not asked for.
  type: list
  elements: dict
  returned: success
  contains:
    name:
      description: The name of the node.
      type: str
      sample: master-0
    broken:
      description: Its conditions, DaemonSets and static pods.
      type: list
      elements: str
      sample: ["DaemonSet shop/camera-agent"]
unproved:
  description: With O(wait_for=proved), the nodes that have the configuration and are not back yet.
  type: list
  elements: dict
  returned: success
  contains:
    name:
      description: The name of the node.
      type: str
      sample: master-0
    lacks:
      description: What is missing.
      type: str
      sample: the guard of its etcd is not ready
permission:
  description: >-
    The answer of change management, see RV(fieldops.openshift.rollout_next#module:permission). None where it was not
    asked.
  type: dict
  returned: success
  sample: {permitted: true, resource: MachineConfigPool worker, sentence: change is permitted, next_permitted: ""}
ended:
  description: >-
    Why the pool was paused before it was updated, see RV(fieldops.openshift.rollout_next#module:ended). None where it
    was not.
  type: dict
  returned: success
  sample: {outcome: restricted, reason: change is restricted, next_permitted: "2026-11-28T22:00:00Z"}
actions:
  description: The calls that changed something, or in check mode would have.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: patch, kind: MachineConfigPool, namespace: null, name: worker, dry_run: false}
progress:
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: 'pool worker: 3 of 3 nodes have rendered-worker-4f1c8e', done: true, next_delay: 5.0}
timeline:
  description: What was seen while it waited, one entry for each change.
  type: list
  elements: dict
  returned: always
  sample:
    - {at: "2026-11-21T22:01:07Z", sentence: "pool worker: 1 of 2 nodes have rendered-worker-4f1c8e, 1 waits"}
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.guard import (
    GUARD_NEVER_NULL,
    GUARD_OPTION,
    ChangeGuard,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.pool_step import POOL_OPTIONS, pool_step
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

SPEC = CLUSTER_OPTIONS.merged(
    WAIT_OPTIONS,
    ArgumentSpec(
        options={**POOL_OPTIONS, "guard": GUARD_OPTION},
        mutually_exclusive=[["paused", "restored"]],
        required_if=[["restored", True, ["rollout"]]],
        never_null=GUARD_NEVER_NULL,
    ),
)
WAITING = Waiting("the pool is as it is to be", on="the pool")


def main() -> t.NoReturn:
    def step(this: ModuleRun) -> Step:
        client = cluster_client(this)
        guard = ChangeGuard.of(client, this.params["guard"]) if this.params["guard"] is not None else None
        return pool_step(client, this.params, guard)

    run(SPEC, step, WAITING)


if __name__ == "__main__":
    main()
