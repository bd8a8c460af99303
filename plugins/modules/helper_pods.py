#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: helper_pods
short_description: Manage helper pods that give access to nodes without SSH
version_added: 0.1.0
author:
  - fieldops.openshift contributors (@fieldops)
description:
  - O(state=present) ensures that every node in O(nodes) has a running helper pod, through which the connection plugin
    P(fieldops.openshift.node_pod#connection) accesses its host. The pods use an image that the node already holds and
    end after O(lifetime).
  - All pods of a O(run) share one namespace, which permits privileged pods. Expired namespaces of earlier runs are
    removed.
  - O(state=absent) removes the namespace of the run and everything in it.
  - The module runs on the controller. The pods have no API credentials.
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
attributes:
  diff_mode:
    details: Shows the namespace of the run.
options:
  state:
    description:
      - Whether the helper pods exist.
    type: str
    choices: [present, absent]
    default: present
  run:
    description:
      - The name of the run, at most 40 lowercase letters, digits and hyphens. The name of the namespace is
        C(fieldops-reach-) followed by this name.
    type: str
    required: true
  nodes:
    description:
      - The names of the Node objects. Required if O(state=present).
    type: list
    elements: str
  image:
    description:
      - The image of the pods, which must exist on every node. By default, the image of the machine-config daemon of
        each node is used.
    type: str
    default: ""
  lifetime:
    description:
      - The time in seconds after which the pods end and the namespace is considered abandoned.
    type: int
    default: 14400
  wait_timeout:
    description:
      - The time in seconds to wait for the pods to start or to be removed.
    type: int
    default: 120
notes:
  - The required RBAC permissions are in C(extensions/rbac/node-pod.yml) of this collection.
seealso:
  - module: fieldops.openshift.cluster_health_info
  - plugin: fieldops.openshift.node_pod
    plugin_type: connection
"""

EXAMPLES = r"""
- name: Create helper pods on two nodes
  fieldops.openshift.helper_pods:
    run: staging-0412
    nodes: [worker-0, worker-1]
  register: reached

- name: Remove the helper pods
  fieldops.openshift.helper_pods:
    state: absent
    run: staging-0412
"""

RETURN = r"""
namespace:
  description: The namespace of the run.
  returned: success
  type: str
  sample: fieldops-reach-staging-0412
nodes:
  description: The nodes and their pods. Empty in check mode and with O(state=absent).
  returned: success
  type: list
  elements: dict
  contains:
    node:
      description: The name of the node.
      type: str
      sample: worker-0
    pod:
      description: The name of its helper pod.
      type: str
      sample: node-worker-0
    python:
      description: The path of Python on the host, which modules require. Empty if the host has no Python.
      type: str
      sample: /usr/bin/python3
actions:
  description: The API calls that made changes, or that would be made in check mode.
  returned: success
  type: list
  elements: dict
  sample: [{"verb": "create", "kind": "Pod", "name": "node-worker-0", "namespace": "fieldops-reach-staging-0412"}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.reach import ensure_helper_pods
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run

SPEC = CLUSTER_OPTIONS.merged(
    ArgumentSpec(
        options={
            "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
            "run": {"type": "str", "required": True},
            "nodes": {"type": "list", "elements": "str"},
            "image": {"type": "str", "default": ""},
            "lifetime": {"type": "int", "default": 14400},
            "wait_timeout": {"type": "int", "default": 120},
        },
        required_if=[("state", "present", ["nodes"])],
    )
)


def main() -> t.NoReturn:
    run(SPEC, lambda this: ensure_helper_pods(cluster_client(this), this.params))


if __name__ == "__main__":
    main()
