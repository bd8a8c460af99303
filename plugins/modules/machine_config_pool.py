#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: machine_config_pool
short_description: Pause or unpause a MachineConfigPool, and wait for its nodes
version_added: 0.1.0
description:
  - While a pool is paused, the machine-config operator starts no further node of the pool. Nodes that have been
    started are finished.
  - The user, time and reason of a pause or unpause are recorded in an annotation of the pool in the same request. A
    pause that was set by others is kept unless O(foreign_pause=open).
  - With O(wait=true), the module waits for O(wait_for). Within a rollout, it records in the journal which nodes have
    started and finished.
  - With O(guard), the pool is unpaused only while change is permitted. Permission is checked again in each step. If
    change becomes restricted, the module pauses the pool, lets the started nodes finish, and returns the reason in
    RV(ended). A pool that a cluster update requires is treated as a single change, so permission is needed only to
    unpause it, for as long as all waiting nodes take. O(guard.estimate) is the expected duration of one node.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
  - fieldops.openshift._rollout_options
  - fieldops.openshift._guard_options
options:
  name:
    description:
      - The name of the pool.
    type: str
    required: true
  paused:
    description:
      - Whether the pool is paused. By default, the pool is not changed.
    type: bool
  restored:
    description:
      - Whether to restore the pool to the state in which the rollout found it, paused or unpaused. Later changes by
        others are kept.
    type: bool
    default: false
  reason:
    description:
      - The reason, which is recorded on the pool.
    type: str
    default: ""
  foreign_pause:
    description:
      - What to do with O(paused=false) if others have paused the pool. V(refuse) fails and reports who paused it.
        V(open) unpauses it.
    type: str
    choices: [refuse, open]
    default: refuse
  wait_for:
    description:
      - The goal to wait for. V(updated) is reached when all nodes have the configuration of the pool. V(proved) also
        requires that each node is back, as evaluated by M(fieldops.openshift.node_ready_info), and that control plane
        nodes have their guard pods. V(at_rest) is reached when no daemon is working. Degraded nodes are ignored then.
    type: str
    choices: [nothing, updated, proved, at_rest]
    default: nothing
  pause_on_fault:
    description:
      - Whether to pause the pool when one of its nodes fails, so that the machine-config operator starts no further
        node.
    type: bool
    default: false
  degraded_timeout:
    description:
      - With O(wait_for=updated) and O(wait_for=proved), the time in seconds after which a pool with a degraded node
        is treated as failed. The daemon keeps retrying, so some failures resolve themselves.
    type: int
    default: 600
  away_timeout:
    description:
      - With O(wait_for=updated) and O(wait_for=proved), the time in seconds after which a node that does not come
        back is treated as failed.
    type: int
    default: 1800
notes:
  - The required RBAC permissions are in C(extensions/rbac/rollout.yml) of this collection, and for O(guard) in
    C(extensions/rbac/change-management-reader.yml).
"""

EXAMPLES = r"""
- name: Pause the workers until the maintenance window
  fieldops.openshift.machine_config_pool:
    name: worker
    paused: true
    reason: nodes are rolled on Saturday night only

- name: Unpause the pool and wait until its nodes are updated
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
    The state of the pool and its nodes, in the same format as the entries of
    RV(fieldops.openshift.machine_config_pool_info#module:pools).
  type: dict
  returned: success
  sample: {name: worker, standing: half_updated, target: rendered-worker-4f1c8e}
broken_before:
  description: Within a rollout, problems that nodes already had before they were started, which are therefore
    ignored.
  type: list
  elements: dict
  returned: success
  contains:
    name:
      description: The name of the node.
      type: str
      sample: master-0
    broken:
      description: The affected conditions, DaemonSets and static pods.
      type: list
      elements: str
      sample: ["DaemonSet shop/camera-agent"]
unproved:
  description: With O(wait_for=proved), the nodes that have the configuration but are not back yet.
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
    The change management decision, in the same format as RV(fieldops.openshift.rollout_next#module:permission). None
    if change management was not queried.
  type: dict
  returned: success
  sample: {permitted: true, resource: MachineConfigPool worker, sentence: change is permitted, next_permitted: ""}
ended:
  description: >-
    Why the pool was paused before it was updated, in the same format as
    RV(fieldops.openshift.rollout_next#module:ended). None if it was not.
  type: dict
  returned: success
  sample: {outcome: restricted, reason: change is restricted, next_permitted: "2026-11-28T22:00:00Z"}
actions:
  description: The API calls that made changes, or that would be made in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: patch, kind: MachineConfigPool, namespace: null, name: worker, dry_run: false}
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: 'pool worker: 3 of 3 nodes have rendered-worker-4f1c8e', done: true, next_delay: 5.0}
timeline:
  description: The progress messages observed while waiting, one entry for each change.
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
WAITING = Waiting("the pool is in the desired state", on="the pool")


def main() -> t.NoReturn:
    def step(this: ModuleRun) -> Step:
        client = cluster_client(this)
        guard = ChangeGuard.of(client, this.params["guard"]) if this.params["guard"] is not None else None
        return pool_step(client, this.params, guard)

    run(SPEC, step, WAITING)


if __name__ == "__main__":
    main()
