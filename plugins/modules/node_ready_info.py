#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_ready_info
short_description: Check whether a node is back after a reboot, optionally waiting for it
version_added: 0.1.0
description:
  - A node is back when it runs in a different boot than before, its kubelet is ready and has reported since the
    reboot, no adverse condition is true, its machine-config daemon, if it has one, is done, and the pods of
    DaemonSets and the static pods on the node are ready and were started after the reboot.
  - Within a rollout, problems that existed before the node was started are ignored. They are listed in
    RV(broken_before).
  - Unmet conditions are returned as messages. With O(wait=true), the module waits until all conditions are met. It
    tolerates an unavailable API.
  - Without O(boot_id), no reboot is expected, and the current state of the node is evaluated.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes.info
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
  boot_id:
    description:
      - The ID of the boot before the reboot, as returned in RV(fieldops.openshift.rollout_record#module:boot_id).
      - A soft reboot does not change the boot ID, so it cannot be verified with this option.
    type: str
    default: ""
  heartbeat:
    description:
      - The last time that the node reported before its reboot, by its own clock, as returned in
        RV(fieldops.openshift.rollout_record#module:heartbeat).
    type: str
    default: ""
  guard_pods:
    description:
      - Whether the guard pods of the control plane operators must also be ready on this node. They come back only after
        the node is schedulable.
    type: bool
    default: false
  config:
    description:
      - The rendered configuration that the machine-config daemon must have applied.
    type: str
    default: ""
  image:
    description:
      - The image, by digest, that the daemon must have booted, in a pool in image mode.
    type: str
    default: ""
  csrs:
    description:
      - How to handle pending certificate signing requests of the node. V(report) lists them in the result. V(wait)
        also treats them as unmet conditions. Use M(fieldops.openshift.node_csr_approval) to approve verified
        requests.
    type: str
    choices: [ignore, report, wait]
    default: ignore
  gates:
    description:
      - Additional conditions of the site. Each gate evaluates an expression on objects of the cluster, and the node
        is back only if the result has the expected value. Gates are evaluated after all other conditions are met.
    type: list
    elements: dict
    default: []
    suboptions:
      title:
        description:
          - The title of the gate in messages. The default is the object and the expression.
        type: str
        default: ""
      api_version:
        description:
          - The API version of the object.
        type: str
        default: v1
      kind:
        description:
          - The kind of the object.
        type: str
        required: true
      name:
        description:
          - The name of the object. Without a name, the expression is evaluated on a dictionary whose C(items) are all
            objects of that kind.
        type: str
        default: ""
      namespace:
        description:
          - The namespace of the object.
        type: str
      label_selector:
        description:
          - A label selector for objects, if O(gates[].name) is not set.
        type: str
        default: ""
      expression:
        description:
          - The JMESPath expression to evaluate.
        type: str
        required: true
      expected:
        description:
          - The expected value, of any type.
        type: raw
        default: true
requirements:
  - jmespath, for O(gates)
notes:
  - The required RBAC permissions are in C(extensions/rbac/rollout.yml) of this collection.
"""

EXAMPLES = r"""
- name: Wait until the node is back
  fieldops.openshift.node_ready_info:
    name: worker-1
    boot_id: "{{ site_record.boot_id }}"
    heartbeat: "{{ site_record.heartbeat }}"
    wait: true
    wait_timeout: 1200

- name: Wait until the node is back and the storage is healthy
  fieldops.openshift.node_ready_info:
    name: worker-1
    csrs: wait
    gates:
      - title: the storage is healthy
        api_version: ceph.rook.io/v1
        kind: CephCluster
        namespace: openshift-storage
        name: storage
        expression: status.ceph.health
        expected: HEALTH_OK
    wait: true

- name: Check why a node is not ready
  fieldops.openshift.node_ready_info:
    name: worker-1
"""

RETURN = r"""
ready:
  description: Whether all conditions are met.
  type: bool
  returned: success
  sample: false
missing:
  description: The unmet conditions.
  type: list
  elements: str
  returned: success
  sample: ["2 of its 14 daemon and static pods are not ready: openshift-dns/dns-default-x7, openshift-multus/multus-k2"]
broken_before:
  description:
    - With O(rollout), node conditions, DaemonSets and static pods that had problems before the node was started, and
      are therefore ignored.
    - A pod that had been unready for less than five minutes is not ignored. At most 40 entries are kept.
  type: list
  elements: str
  returned: success
  sample: ["DaemonSet shop/camera-agent"]
boot_id:
  description: The ID of the current boot.
  type: str
  returned: success
  sample: 9a2b7c10-0c1d-4e2f-8a3b-5c6d7e8f9a0b
heartbeat:
  description: The last time that the node reported, by its own clock.
  type: str
  returned: success
  sample: "2026-11-21T22:06:12.000000Z"
kubelet_version:
  description: The version of its kubelet.
  type: str
  returned: success
  sample: v1.33.5
os_image:
  description: The operating system, as reported by the kubelet.
  type: str
  returned: success
  sample: Red Hat Enterprise Linux CoreOS 9.6.20251015-0 (Plow)
current_config:
  description: The rendered configuration that the machine-config daemon has applied.
  type: str
  returned: success
  sample: rendered-worker-4f1c8e
current_image:
  description: The booted image, in image mode.
  type: str
  returned: success
  sample: ""
schedulable:
  description: Whether new pods can be scheduled on the node.
  type: bool
  returned: success
  sample: false
csrs:
  description: The pending certificate signing requests of the node, unless O(csrs=ignore).
  type: list
  elements: dict
  returned: success
  sample:
    - name: csr-x7k2p
      signer: kubernetes.io/kubelet-serving
      username: system:node:worker-1
      created: "2026-11-21T22:05:40Z"
      obstacle: ""
actions:
  description: The calls that changed something. Within a rollout that is the renewal of the lock.
  type: list
  elements: dict
  returned: success
  sample: []
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: worker-1 is back, done: true, next_delay: 5.0}
timeline:
  description: The progress messages observed while waiting, one entry for each change, in the same format as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample:
    - at: '2026-11-21T22:01:07Z'
      sentence: 'worker-1: its kubelet has reported no new boot: it has not rebooted, or its kubelet does not run'
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.read_readiness import (
    READINESS_OPTIONS,
    readiness_step,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS

SPEC = CLUSTER_OPTIONS.merged(WAIT_OPTIONS, ArgumentSpec(options=READINESS_OPTIONS))
WAITING = Waiting("it is back", on="the node")


def main() -> t.NoReturn:
    run(SPEC, lambda this: readiness_step(cluster_client(this), this.params), WAITING)


if __name__ == "__main__":
    main()
