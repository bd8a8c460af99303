#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: helper_pods
short_description: Make or remove the pods through which nodes are reached without ssh
version_added: 0.1.0
author:
  - fieldops.openshift contributors (@fieldops)
description:
  - With O(state=present) every node of O(nodes) has a running helper pod, through which the connection
    P(fieldops.openshift.node_pod#connection) reaches its host. Pods are made of an image that the node holds already
    and end by themselves after O(lifetime).
  - All of them live in one namespace for the O(run), which permits privileged pods. Namespaces that earlier runs left
    behind and whose time is over are removed.
  - With O(state=absent) the namespace of the run is gone with all in it.
  - Runs on the controller. The pods themselves have no credentials for the API.
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
    details: Shows the namespace of the run.
  idempotent:
    support: full
options:
  state:
    description:
      - Whether the pods are to be there.
    type: str
    choices: [present, absent]
    default: present
  run:
    description:
      - The name of the run, at most 40 lower-case letters, digits and hyphens. The namespace is C(fieldops-reach-) and
        this name.
    type: str
    required: true
  nodes:
    description:
      - The names of the Node objects. Required when O(state=present).
    type: list
    elements: str
  image:
    description:
      - The image of the pods, which every node must hold. By default that of each node's machine-config daemon.
    type: str
    default: ""
  lifetime:
    description:
      - The seconds after which the pods end by themselves and the namespace counts as left behind.
    type: int
    default: 14400
  wait_timeout:
    description:
      - How many seconds the pods may take to run, or to go.
    type: int
    default: 120
seealso:
  - module: fieldops.openshift.cluster_health_info
  - plugin: fieldops.openshift.node_pod
    plugin_type: connection
"""

EXAMPLES = r"""
- name: Open a way into two nodes
  fieldops.openshift.helper_pods:
    run: staging-0412
    nodes: [worker-0, worker-1]
  register: reached

- name: Close it again
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
  description: The nodes with their pods; in check mode, and with O(state=absent), none.
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
      description: Where the host has Python, which modules need; empty where it has none.
      type: str
      sample: /usr/bin/python3
actions:
  description: The API calls that changed something, or in check mode would have.
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
