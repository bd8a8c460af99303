#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rollout_info
short_description: Tell where a rollout stands and which node is next
version_added: 0.1.0
description:
  - Reads nodes, pools, the journal of the rollout and the lock, and plans from them afresh. Nothing is remembered from
    an earlier call.
  - Nodes that this rollout has begun and not ended come first. Then come those with the oldest rendered configuration,
    by zone, age and name. The node of the machine-config operator, that of the job's own pod, and the one whose address
    the API is called at come last in their group.
  - A node that somebody else has cordoned, that is not ready, or that another rollout has begun is held back. It is not
    touched, and it counts as away.
  - On a cluster without machine config pools no node is next while kured holds its own lock to reboot one.
  - RV(next) is the node that may be taken out of service now. It is missing when too many nodes of a pool are away, or
    when etcd could lose its quorum; RV(blocked) then says so. A member counts as lost when its node is away, and when
    its guard pod in namespace C(openshift-etcd) is not ready.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._selection_options
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/rollout.yml) of this collection.
"""

EXAMPLES = r"""
- name: See where a rollout stands
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
      description: The pool that it belongs to.
      type: str
      sample: worker
    is_control_plane:
      description: Whether it may be a member of etcd; nodes of the control plane and arbiters are.
      type: bool
      sample: false
    roles:
      description: The roles of the node.
      type: list
      elements: str
      sample: [worker]
    zone:
      description: The zone that it stands in, if any.
      type: str
      sample: hall-2
    addresses:
      description: Its addresses inside the cluster.
      type: list
      elements: str
      sample: [192.0.2.11]
    standing:
      description: V(in_progress), V(pending), V(held_back), V(skipped) or V(done).
      type: str
      sample: pending
    reason:
      description: Why it is held back or skipped, or why it failed.
      type: str
      sample: ""
    ready:
      description: Whether its kubelet is ready.
      type: bool
      sample: true
    schedulable:
      description: Whether new pods may be placed on it.
      type: bool
      sample: true
    current_config:
      description: The rendered configuration that it has.
      type: str
      sample: rendered-worker-4f1c8e
    boot_id:
      description: The identity of its present boot.
      type: str
      sample: 1f6a3d0e-8a1c-4a53-bb7e-1de1a2f0c9d4
    managed_by_bootc_operator:
      description: Whether bootc-operator decides on its OS image.
      type: bool
      sample: false
    resumes_in:
      description: The phase in which a node that is in progress goes on.
      type: str
      sample: ""
    record:
      description: What was written of it last.
      type: dict
      sample: null
    seconds:
      description: How long it took, where it is done.
      type: float
      sample: null
next:
  description: The node that may be taken now, of the same shape.
  type: dict
  returned: success
  sample: {name: worker-1, pool: worker, standing: pending}
blocked:
  description: Why there is no next node although some remain.
  type: str
  returned: success
  sample: "1 of 3 nodes of pool worker may be away, and worker-2 is away (somebody else has cordoned it)"
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
  description: The names of the nodes that somebody has taken out of this rollout.
  type: list
  elements: str
  returned: success
  sample: []
cluster_size:
  description: How many nodes the cluster has.
  type: int
  returned: success
  sample: 5
estimate:
  description: How long nodes took so far, as far as that is known.
  type: dict
  returned: success
  contains:
    node_seconds:
      description: The median over the nodes that are done.
      type: float
      sample: 412.0
    remaining_seconds:
      description: What remains, one node after another.
      type: float
      sample: 824.0
pools:
  description:
    - The machine config pools of the nodes, as M(fieldops.openshift.machine_config_pool_info) returns them, those first
      without which no update of the cluster ends. None where there is no machine-config operator.
    - C(unproved) besides names the nodes that have their configuration and that the journal does not know to be back.
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
journal:
  description: What holds for the rollout as a whole.
  type: dict
  returned: success
  sample:
    exists: true
    rollout: update-4.20.2
    target: sha256:3b5c...
    started: "2026-11-21T22:00:30.000000Z"
    by: technician@laptop/4711-883120
lock:
  description: Who holds the lock of the cluster, see M(fieldops.openshift.rollout_lock).
  type: dict
  returned: success
  sample: {holder: "", by: "", since: "", renewed: "", expires: "", transitions: 3}
sentence:
  description: Where the rollout stands, in one line.
  type: str
  returned: success
  sample: "rollout update-4.20.2: 1 of 4 nodes are done, 2 remain; next is worker-1"
actions:
  description: The calls that changed something. This module makes none.
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
