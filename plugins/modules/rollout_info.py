#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rollout_info
short_description: Gather information about a rollout, including the node that is next
version_added: 0.1.0
description:
  - Reads the nodes, the pools, the rollout journal and the lock, and computes the plan from them in each call. No
    state is kept between calls.
  - Nodes that this rollout has started but not finished come first, followed by the nodes with the oldest rendered
    configuration, sorted by zone, age and name. The node that runs the machine-config operator, the node that runs
    the pod of the job, and the node whose address is used for the API come last in their group.
  - A node is held back if others have cordoned it, if it is not ready, or if another rollout has started it. It is
    not changed, and it counts as unavailable.
  - On a cluster without MachineConfigPools, no node is next while kured holds its lock to reboot a node.
  - RV(next) is the node that can be taken out of service now. It is None if too many nodes of a pool are unavailable,
    or if etcd could lose its quorum, and RV(blocked) contains the reason. An etcd member counts as lost if its node
    is unavailable or if its guard pod in the namespace C(openshift-etcd) is not ready.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._selection_options
notes:
  - The required RBAC permissions are in C(extensions/rbac/rollout.yml) of this collection.
"""

EXAMPLES = r"""
- name: Gather the state of a rollout
  fieldops.openshift.rollout_info:
    id: update-4.20.2
  register: site_rollout

- name: Plan a rollout of the workers
  fieldops.openshift.rollout_info:
    id: update-4.20.2
    target: sha256:3b5c...
    pools: [worker]
    max_unavailable: 10%
"""

RETURN = r"""
nodes:
  description: The nodes of the rollout, in order.
  type: list
  elements: dict
  returned: success
  contains:
    name:
      description: The name of the node.
      type: str
      sample: worker-1
    pool:
      description: The pool of the node.
      type: str
      sample: worker
    is_control_plane:
      description: Whether the node can have an etcd member. This is the case for control plane nodes and arbiters.
      type: bool
      sample: false
    roles:
      description: The roles of the node.
      type: list
      elements: str
      sample: [worker]
    zone:
      description: The zone of the node, if any.
      type: str
      sample: hall-2
    addresses:
      description: The addresses of the node in the cluster.
      type: list
      elements: str
      sample: [192.0.2.11]
    standing:
      description: The status of the node. One of V(in_progress), V(pending), V(held_back), V(skipped) and V(done).
      type: str
      sample: pending
    reason:
      description: Why the node is held back, skipped or failed.
      type: str
      sample: ""
    ready:
      description: Whether the kubelet is ready.
      type: bool
      sample: true
    schedulable:
      description: Whether new pods can be scheduled on the node.
      type: bool
      sample: true
    current_config:
      description: The current rendered configuration.
      type: str
      sample: rendered-worker-4f1c8e
    boot_id:
      description: The ID of the current boot.
      type: str
      sample: 1f6a3d0e-8a1c-4a53-bb7e-1de1a2f0c9d4
    managed_by_bootc_operator:
      description: Whether bootc-operator manages its OS image.
      type: bool
      sample: false
    resumes_in:
      description: The phase in which a node that is in progress is resumed.
      type: str
      sample: ""
    record:
      description: The last record of the node.
      type: dict
      sample: null
    seconds:
      description: The duration in seconds, for a node that is done.
      type: float
      sample: null
next:
  description: The node that can be started now, in the same format.
  type: dict
  returned: success
  sample: {name: worker-1, pool: worker, standing: pending}
blocked:
  description: Why there is no next node although some nodes remain.
  type: str
  returned: success
  sample: "1 of 3 nodes of pool worker may be unavailable, and worker-2 is unavailable (it was cordoned by others)"
remaining:
  description: The names of the nodes that are in progress or pending, in order.
  type: list
  elements: str
  returned: success
  sample: [worker-1, worker-3]
done:
  description: The names of the nodes that are done.
  type: list
  elements: str
  returned: success
  sample: [worker-0]
held_back:
  description: The names of the nodes that are held back.
  type: list
  elements: str
  returned: success
  sample: [worker-2]
left_out:
  description: The names of the nodes that were excluded from this rollout by a user.
  type: list
  elements: str
  returned: success
  sample: []
cluster_size:
  description: The number of nodes in the cluster.
  type: int
  returned: success
  sample: 5
estimate:
  description: The duration of nodes so far, as far as known.
  type: dict
  returned: success
  contains:
    node_seconds:
      description: The median duration of the nodes that are done.
      type: float
      sample: 412.0
    remaining_seconds:
      description: The estimated remaining time, for one node after another.
      type: float
      sample: 824.0
pools:
  description:
    - The MachineConfigPools of the nodes, in the same format as in M(fieldops.openshift.machine_config_pool_info).
      Pools that a cluster update requires come first. Empty if there is no machine-config operator.
    - In addition, C(unproved) lists the nodes that have their configuration but are not recorded in the journal as
      being back, and C(blocked) states why none of its pending nodes can be started, if that is so.
  type: list
  elements: dict
  returned: success
  sample:
    - name: worker
      standing: half_updated
      paused: true
      updated: [worker-0]
      waiting: [worker-1, worker-2]
      unproved: []
      blocked: ""
journal:
  description: The journal entries that apply to the complete rollout.
  type: dict
  returned: success
  sample:
    exists: true
    rollout: update-4.20.2
    target: sha256:3b5c...
    started: "2026-11-21T22:00:30.000000Z"
    by: technician@laptop/4711-883120
lock:
  description: The lock of the cluster, see M(fieldops.openshift.rollout_lock).
  type: dict
  returned: success
  sample: {holder: "", by: "", since: "", renewed: "", expires: "", transitions: 3}
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

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.read_rollout import (
    SELECTION_OPTIONS,
    read_rollout,
    selection_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = CLUSTER_OPTIONS.merged(ArgumentSpec(options=SELECTION_OPTIONS))


def main() -> t.NoReturn:
    run(SPEC, lambda this: Result(objects=read_rollout(cluster_client(this), selection_of(this.params))))


if __name__ == "__main__":
    main()
