#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_ready_info
short_description: Tell whether a node is back after its reboot, and wait for it
version_added: 0.1.0
description:
  - A node is back when it runs in another boot than before, its kubelet is ready and has reported since, no adverse
    condition holds, its machine-config daemon, where it has one, is done, and the pods of DaemonSets and the static
    pods on it are ready and have been started since the reboot.
  - Within a rollout, what was broken before the node was begun does not count. It is in RV(broken_before).
  - What is missing is told in sentences. With O(wait=true) it waits until nothing is. The API may be away meanwhile.
  - Without O(boot_id) no reboot is asked for, and the node is judged as it is.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
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
      - The identity of the boot that was to end, as RV(fieldops.openshift.rollout_record#module:boot_id).
      - A soft reboot keeps it, so it cannot be proved this way.
    type: str
    default: ""
  heartbeat:
    description:
      - When the node had reported last before its reboot, by its own clock, as
        RV(fieldops.openshift.rollout_record#module:heartbeat).
    type: str
    default: ""
  guards:
    description:
      - Whether the guard pods that the control plane's operators keep on other nodes have to be ready on this one too.
        They come back only once the node is schedulable.
    type: bool
    default: false
  config:
    description:
      - The rendered configuration that the machine-config daemon is to have brought the node to.
    type: str
    default: ""
  image:
    description:
      - The image, by its digest, that the daemon is to have booted the node from, in a pool in image mode.
    type: str
    default: ""
  csrs:
    description:
      - What to do about certificate signing requests of the node that wait for an answer. V(report) names them in the
        result, V(wait) counts them as missing too. M(fieldops.openshift.node_csr_approval) grants those that prove
        themselves.
    type: str
    choices: [ignore, report, wait]
    default: ignore
  gates:
    description:
      - The site's own conditions. Each puts a question to an object of the cluster, and the node is back only if the
        answer is the expected one. They are asked once nothing else is missing.
    type: list
    elements: dict
    default: []
    suboptions:
      title:
        description:
          - What the gate is called when it is closed. By default the object and the question.
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
          - The name of the object. Without one the question is put to a dictionary whose C(items) are all objects of
            that kind.
        type: str
        default: ""
      namespace:
        description:
          - The namespace of the object.
        type: str
      label_selector:
        description:
          - A label selector for objects that are not named.
        type: str
        default: ""
      expression:
        description:
          - The question, in JMESPath.
        type: str
        required: true
      expected:
        description:
          - The answer that lets the node pass, of any type.
        type: raw
        default: true
requirements:
  - python >= 3.10
  - jmespath, for O(gates)
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/rollout.yml) of this collection.
"""

EXAMPLES = r"""
- name: Wait until the node is back
  fieldops.openshift.node_ready_info:
    name: worker-1
    boot_id: "{{ site_record.boot_id }}"
    heartbeat: "{{ site_record.heartbeat }}"
    wait: true
    wait_timeout: 1200

- name: Wait until the node is back and its storage is whole again
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

- name: See what keeps a node from being ready
  fieldops.openshift.node_ready_info:
    name: worker-1
"""

RETURN = r"""
ready:
  description: Whether nothing is missing.
  type: bool
  returned: success
  sample: false
missing:
  description: What is missing.
  type: list
  elements: str
  returned: success
  sample: ["2 of its 14 daemon and static pods are not ready: openshift-dns/dns-default-x7, openshift-multus/multus-k2"]
broken_before:
  description:
    - With O(rollout), conditions of the node, DaemonSets and static pods that were broken before it was begun, and are
      therefore not asked for.
    - A pod that had not been ready for less than five minutes is asked for. At most 40 are kept.
  type: list
  elements: str
  returned: success
  sample: ["DaemonSet shop/camera-agent"]
boot_id:
  description: The identity of the present boot.
  type: str
  returned: success
  sample: 9a2b7c10-0c1d-4e2f-8a3b-5c6d7e8f9a0b
heartbeat:
  description: When the node reported last, by its own clock.
  type: str
  returned: success
  sample: "2026-11-21T22:06:12.000000Z"
kubelet_version:
  description: The version of its kubelet.
  type: str
  returned: success
  sample: v1.33.5
os_image:
  description: The operating system as its kubelet reports it.
  type: str
  returned: success
  sample: Red Hat Enterprise Linux CoreOS 9.6.20251015-0 (Plow)
current_config:
  description: The rendered configuration that its machine-config daemon has brought it to.
  type: str
  returned: success
  sample: rendered-worker-4f1c8e
current_image:
  description: The image that it was booted from, in image mode.
  type: str
  returned: success
  sample: ""
schedulable:
  description: Whether new pods may be placed on it.
  type: bool
  returned: success
  sample: false
csrs:
  description: Its certificate signing requests that wait for an answer, unless O(csrs=ignore).
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
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: worker-1 is back, done: true, next_delay: 5.0}
timeline:
  description: What was seen while it waited, one entry for each change, as
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
