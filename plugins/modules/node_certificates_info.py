#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_certificates_info
short_description: Tell which certificate requests of a node wait for an answer, and which prove themselves
version_added: 0.1.0
description:
  - Reads the certificate signing requests of a node and judges them as M(fieldops.openshift.node_certificates) does,
    without answering any.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
options:
  name:
    description:
      - The name of the node.
    type: str
    required: true
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/rollout.yml) of this collection.
"""

EXAMPLES = r"""
- name: See what a node asks for
  fieldops.openshift.node_certificates_info:
    name: worker-1
  register: site_certificates

- name: Name what waits for a person, and why
  ansible.builtin.debug:
    msg: "{{ item.name }} from {{ item.username }}: {{ item.obstacle }}"
  loop: "{{ site_certificates.pending | selectattr('obstacle') }}"
  loop_control:
    label: "{{ item.name }}"
"""

RETURN = r"""
pending:
  description: The requests that wait for an answer, the oldest first.
  type: list
  elements: dict
  returned: success
  contains:
    name:
      description: The name of the request.
      type: str
      sample: csr-m9t4q
    signer:
      description: Who is to sign it, and so what it is for.
      type: str
      sample: kubernetes.io/kube-apiserver-client-kubelet
    username:
      description: Who asked, as the API server knows it.
      type: str
      sample: system:serviceaccount:openshift-machine-config-operator:node-bootstrapper
    created:
      description: Since when it waits.
      type: str
      sample: "2026-11-21T22:05:40Z"
    obstacle:
      description: Why it waits for a person, empty if it proves itself.
      type: str
      sample: it was not asked for by the node itself
missing:
  description: What keeps the kubelet of the node from being ready.
  type: list
  elements: str
  returned: success
  sample: []
sentence:
  description: Where the node stands, in one line.
  type: str
  returned: success
  sample: "worker-1: its kubelet has its certificates"
actions:
  description: The calls that changed something. This module makes none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.signing_requests import read_certificates
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run_module
from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import Result

OPTIONS: dict[str, dict[str, t.Any]] = {"name": {"type": "str", "required": True}}
SPEC = CLUSTER_OPTIONS.merged(ArgumentSpec(options=OPTIONS))


def main() -> t.NoReturn:
    def look(run: ModuleRun) -> Result:
        return Result(objects=read_certificates(cluster_client(run), run.params["name"]))

    run_module(SPEC, look)


if __name__ == "__main__":
    main()
