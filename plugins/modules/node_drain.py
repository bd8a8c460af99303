#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_drain
short_description: Cordon, drain or uncordon a node, whoever else works on it
version_added: 0.1.0
description:
  - Brings a node to one of three states. With O(state=drained) the node is cordoned, then its pods are removed by the
    Eviction API, all at once and each by its UID, and the task is done when they are gone.
  - Which pods may go is decided for all of them before the first is evicted, by the rules of C(kubectl drain). If any
    may not, nothing is evicted and all objections are listed.
  - An eviction that a disruption budget holds back is tried again until O(wait_timeout). Progress names the budget.
  - The cordon carries a record of who set it, in an annotation that is written in the same request. A cordon of
    somebody else is never removed.
  - In check mode the evictions are tried on the server without being carried out, so that budgets are asked.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
  - fieldops.openshift._rollout_options
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
      - The name of the node.
    type: str
    required: true
  state:
    description:
      - V(cordoned) keeps new pods away, V(drained) also removes the pods that are there, V(schedulable) takes back
        what this module did.
    type: str
    choices: [cordoned, drained, schedulable]
    default: drained
  outcome:
    description:
      - With O(state=schedulable) and O(rollout), how the passage of the node ended.
    type: str
    choices: [done, aborted]
    default: done
  foreign_cordon:
    description:
      - What to do with a node that others have cordoned. V(hold_back) leaves it alone and fails, V(keep) works on it
        and leaves the cordon in the end.
    type: str
    choices: [hold_back, keep]
    default: hold_back
  force:
    description:
      - Whether pods may go that have no controller, so that nothing replaces them.
    type: bool
    default: false
  delete_emptydir_data:
    description:
      - Whether pods may go that have an emptyDir, whose content goes with them.
    type: bool
    default: false
  grace_period:
    description:
      - How many seconds each pod gets to end. By default as many as the pod itself says; V(0) means at once.
    type: int
  disable_eviction:
    description:
      - Whether pods are deleted instead of evicted. This passes over all disruption budgets, those that guard etcd
        included.
    type: bool
    default: false
  pod_selector:
    description:
      - A label selector; only pods that it matches are looked at.
    type: str
    default: ""
  leave_terminating_after:
    description:
      - A pod that has been terminating for more than this number of seconds is not waited for. V(0) waits for all.
    type: int
    default: 0
  budget_timeout:
    description:
      - After how many seconds since the cordon O(budget_strategy) holds for pods that a disruption budget holds back
        still. V(0) is never.
    type: int
    default: 0
  budget_strategy:
    description:
      - What becomes of these pods. V(wait) asks for their eviction until the deadline, V(fail) fails at once and names
        them. V(delete) deletes them past their budgets, as services that must reboot a node by some hour do; pods in
        namespace C(openshift-etcd), whose budget is the quorum of etcd, are not deleted even so.
    type: str
    choices: [wait, fail, delete]
    default: wait
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/rollout.yml) of this collection.
  - DaemonSet pods and static pods stay. Pods that came after the cordon stay as well, since they tolerate it and would
    come again.
"""

EXAMPLES = r"""
- name: Drain a node, for up to half an hour
  fieldops.openshift.node_drain:
    name: worker-1
    force: true
    delete_emptydir_data: true
    wait: true
    wait_timeout: 1800

- name: See in check mode which pods and budgets would be in the way
  fieldops.openshift.node_drain:
    name: worker-1
  check_mode: true
  register: site_trial

- name: Give the node back
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
  description: Whether new pods may be placed on the node now.
  type: bool
  returned: success
  sample: false
drained:
  description: Whether the pods that have to go are gone.
  type: bool
  returned: success
  sample: true
pods:
  description: Every pod that was on the node and what became of it.
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
      description: The identity of the pod; another pod of the same name has another one.
      type: str
      sample: 6f9d2a1c-5b0e-4c53-9d43-0a2f6f3c1b7e
    fate:
      description: V(removed), V(terminating), V(waiting), V(blocked) by a budget, V(left) where it is, or V(refused).
      type: str
      sample: blocked
    reason:
      description: Why, where that is not plain.
      type: str
      sample: needs 2 healthy pods and has 2 currently
    budget:
      description: The disruption budget that holds it back.
      type: str
      sample: web
    tries:
      description: How often its removal was asked for.
      type: int
      sample: 3
    seconds:
      description: How long it took from the first try until it was gone, where one step saw both.
      type: float
      sample: 4.2
record:
  description: What is written on the node of a rollout, nothing where there is no record.
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
  description: The calls that changed something, or in check mode would have.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: patch, kind: Node, namespace: null, name: worker-1, dry_run: false}
    - {verb: create, kind: Pod/eviction, namespace: shop, name: web-1, dry_run: false}
progress:
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: worker-1 is drained, done: true, next_delay: 5.0}
timeline:
  description: What was seen while it waited, one entry for each change, as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample:
    - at: '2026-11-21T22:01:07Z'
      sentence: 'worker-1: 3 of 5 pods are gone; 1 held back: shop/web-1 by budget shop/web, which needs 2 healthy
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

SPEC = CLUSTER_OPTIONS.merged(WAIT_OPTIONS, ArgumentSpec(options=DRAIN_OPTIONS))
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
