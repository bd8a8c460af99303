#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_drain
short_description: Cordon, drain or uncordon a node without removing cordons set by others
version_added: 0.1.0
description:
  - Brings a node to one of four states. With O(state=drained), the node is cordoned, its pods are evicted with the
    Eviction API, all at once and each by UID, and the module waits until they are gone.
  - The rules of C(kubectl drain) are checked for all pods before the first one is evicted. If any pod must not be
    removed, nothing is evicted and all problems are listed.
  - Evictions that a disruption budget blocks are retried until O(wait_timeout). The progress message names the
    budget.
  - The owner of the cordon is recorded in an annotation in the same request. A cordon that was set by others is never
    removed.
  - In check mode, evictions are sent to the API server as a dry run, so that disruption budgets are evaluated.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
  - fieldops.openshift._rollout_options
options:
  name:
    description:
      - The name of the node.
    type: str
    required: true
  state:
    description:
      - V(cordoned) makes the node unschedulable. V(drained) also removes its pods. V(schedulable) reverts what this
        module did.
      - V(started) only records that the node has started in the O(rollout). It is for the node of a cluster with a
        single node, whose pods could not be scheduled anywhere else.
    type: str
    choices: [started, cordoned, drained, schedulable]
    default: drained
  outcome:
    description:
      - With O(state=schedulable) and O(rollout), the outcome of the node in the rollout.
    type: str
    choices: [done, aborted]
    default: done
  foreign_cordon:
    description:
      - What to do with a node that others have cordoned. V(hold_back) fails without changing it. V(keep) drains it
        and leaves it cordoned at the end.
    type: str
    choices: [hold_back, keep]
    default: hold_back
  force:
    description:
      - Whether to remove pods without a controller, which are not recreated.
    type: bool
    default: false
  delete_emptydir_data:
    description:
      - Whether to remove pods with an emptyDir volume, whose content is lost.
    type: bool
    default: false
  grace_period:
    description:
      - The time in seconds that each pod has to terminate. The default is the grace period of the pod. V(0) means
        immediately.
    type: int
  disable_eviction:
    description:
      - Whether to delete pods instead of evicting them. This bypasses all disruption budgets, including those that
        protect etcd.
    type: bool
    default: false
  pod_selector:
    description:
      - A label selector. Only pods that match are removed.
    type: str
    default: ""
  leave_terminating_after:
    description:
      - Pods that have been terminating for more than this number of seconds are not waited for. V(0) waits for all
        pods.
    type: int
    default: 0
  budget_timeout:
    description:
      - The time in seconds after the cordon at which O(budget_strategy) is applied to pods that are still blocked by
        a disruption budget. V(0) means never.
    type: int
    default: 0
  budget_strategy:
    description:
      - How to handle these pods. V(wait) retries the eviction until the deadline. V(fail) fails immediately and lists
        them. V(delete) deletes them in spite of their budgets, as managed services do that must reboot a node in
        time. Pods in the namespace C(openshift-etcd), whose budget protects the etcd quorum, are never deleted.
    type: str
    choices: [wait, fail, delete]
    default: wait
notes:
  - The required RBAC permissions are in C(extensions/rbac/rollout.yml) of this collection.
  - DaemonSet pods and static pods are not removed. Pods that were created after the cordon are not removed either,
    because they tolerate it and would be created again.
"""

EXAMPLES = r"""
- name: Drain a node, waiting for up to half an hour
  fieldops.openshift.node_drain:
    name: worker-1
    force: true
    delete_emptydir_data: true
    wait: true
    wait_timeout: 1800

- name: Preview which pods and budgets would block the drain
  fieldops.openshift.node_drain:
    name: worker-1
  check_mode: true
  register: site_trial

- name: Uncordon the node
  fieldops.openshift.node_drain:
    name: worker-1
    state: schedulable

- name: Drain a node as a step of a rollout
  fieldops.openshift.node_drain:
    name: worker-1
    wait: true
    rollout:
      id: update-4.20.2
      target: sha256:3b5c...
      holder: "{{ cluster_lock.lock.holder }}"
"""

RETURN = r"""
schedulable:
  description: Whether new pods can be scheduled on the node now.
  type: bool
  returned: success
  sample: false
drained:
  description: Whether all pods that must be removed are gone.
  type: bool
  returned: success
  sample: true
pods:
  description: All pods that were found on the node, and the result for each.
  type: list
  elements: dict
  returned: success
  contains:
    namespace:
      description: The namespace of the pod.
      type: str
      sample: shop
    name:
      description: The name of the pod.
      type: str
      sample: web-1
    uid:
      description: The UID of the pod, which differs from that of another pod with the same name.
      type: str
      sample: 6f9d2a1c-5b0e-4c53-9d43-0a2f6f3c1b7e
    fate:
      description: The result for the pod. V(removed), V(terminating), V(waiting), V(blocked) by a budget, V(left) in
        place, or V(refused).
      type: str
      sample: blocked
    reason:
      description: The explanation, if the result alone does not say why.
      type: str
      sample: needs 2 healthy pods and has 2 currently
    budget:
      description: The disruption budget that blocks the eviction.
      type: str
      sample: web
    tries:
      description: The number of attempts to remove the pod.
      type: int
      sample: 3
    seconds:
      description: The time in seconds from the first attempt until the pod was gone, if both were observed in the
        same step.
      type: float
      sample: 4.2
record:
  description: The rollout record on the node. None if there is no record.
  type: dict
  returned: success
  sample:
    rollout: update-4.20.2
    target: sha256:3b5c...
    phase: drained
    since: "2026-11-21T22:01:07.123456Z"
    holder: technician@laptop/4711-883120
    boot_id: 1f6a3d0e-8a1c-4a53-bb7e-1de1a2f0c9d4
    heartbeat: "2026-11-21T22:01:04.000000Z"
    reason: ""
    failed_in: ""
    found_unschedulable: false
    broken: ["DaemonSet shop/camera-agent"]
    times: {draining: "2026-11-21T22:00:31.000000Z"}
actions:
  description: The API calls that made changes, or that would be made in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: patch, kind: Node, namespace: null, name: worker-1, dry_run: false}
    - {verb: create, kind: Pod/eviction, namespace: shop, name: web-1, dry_run: false}
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: worker-1 is drained, done: true, next_delay: 5.0}
timeline:
  description: The progress messages observed while waiting, one entry for each change, in the same format as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample:
    - at: '2026-11-21T22:01:07Z'
      sentence: 'worker-1: 3 of 5 pods are removed; 1 held back: shop/web-1 by budget shop/web, which needs 2 healthy
        pods and has 2 currently'
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.drain import NodeDrain
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.drain_options import (
    DRAIN_OPTIONS,
    drain_request,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

SPEC = CLUSTER_OPTIONS.merged(
    WAIT_OPTIONS, ArgumentSpec(options=DRAIN_OPTIONS, required_if=[["state", "started", ["rollout"]]])
)
WAITING = Waiting("it is drained", on="the node")


def main() -> t.NoReturn:
    drains: list[NodeDrain] = []

    def step(this: ModuleRun) -> Step:
        if not drains:
            until = Deadline(this.params["wait_timeout"], this.clock)
            drains.append(NodeDrain(cluster_client(this), drain_request(this.params), until))
        return drains[0].step()

    run(SPEC, step, WAITING)


if __name__ == "__main__":
    main()
