#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: additional_image_stores
short_description: Let the nodes of a cluster with a machine-config operator list the slots for image stores
version_added: 0.1.0
description:
  - On such a cluster the operator owns C(storage.conf), so that M(fieldops.openshift.node_image_store) must not change
    it. This module gives the operator what makes the slots and lists them, once for all later stores.
  - That is a ContainerRuntimeConfig where its API has C(additionalImageStores), beside a MachineConfig that makes the
    slots; before that, one MachineConfig with the whole file.
  - Nodes reboot for it. Therefore it is only applied while a pool is paused, right before an update that reboots its
    nodes anyway.
  - It is applied to all pools that are named, or to none of them.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
attributes:
  check_mode:
    support: full
    details: The server tries what would be applied.
  diff_mode:
    support: full
    details: Shows the objects that differ.
  idempotent:
    support: full
options:
  state:
    description:
      - With V(present) the nodes are to list the slots.
      - With V(absent) the objects are taken away. Remove the stores from the nodes before.
    type: str
    choices: [present, absent]
    default: present
  pools:
    description: The machine config pools.
    type: list
    elements: str
    required: true
  storage_conf:
    description:
      - The present text of C(storage.conf) on the nodes of the pools, which M(fieldops.openshift.node_info)
        returns as RV(fieldops.openshift.node_info#module:image_stores.storage_conf_text). It is needed for a
        MachineConfig, which holds the whole file.
    type: str
    default: ""
  method:
    description:
      - How. With V(auto) it is V(container_runtime_config) where that is possible.
    type: str
    choices: [auto, container_runtime_config, machine_config]
    default: auto
  reboot:
    description: Whether to apply it to a pool that is not paused, whose nodes then reboot one after another.
    type: bool
    default: false
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/additional-image-stores.yml) of this collection.
seealso:
  - module: fieldops.openshift.machine_config_pool_info
  - module: fieldops.openshift.node_image_store
  - module: fieldops.openshift.machine_config_pool
"""

EXAMPLES = r"""
- name: Ask a node for what it has
  fieldops.openshift.node_info:
    gather: [image_stores]
  delegate_to: worker-0
  become: true
  register: node

- name: Let all nodes list the slots with the update that is to come
  fieldops.openshift.additional_image_stores:
    pools: [master, worker]
    storage_conf: "{{ node.image_stores.storage_conf_text }}"
"""

RETURN = r"""
pools:
  description: The pools that were named.
  type: list
  elements: dict
  returned: success
  contains:
    pool:
      description: The name of the pool.
      type: str
      sample: worker
    method:
      description: V(container_runtime_config) or V(machine_config).
      type: str
      sample: container_runtime_config
    paused:
      description: Whether the pool is paused.
      type: bool
      sample: true
    objects:
      description: The objects that make its nodes list the slots.
      type: list
      elements: str
      sample: [MachineConfig 99-worker-fieldops-image-stores, ContainerRuntimeConfig fieldops-image-stores-worker]
    rendered:
      description: Whether the operator has made them part of what the nodes are to have.
      type: bool
      sample: false
    rolled_out:
      description: Whether every node of the pool has it.
      type: bool
      sample: false
actions:
  description: The calls that changed something, or would in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: apply, kind: MachineConfig, namespace: null, name: 99-worker-fieldops-image-stores, dry_run: false}
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.pools import (
    SLOTS_OPTIONS,
    apply_slots,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run

SPEC = CLUSTER_OPTIONS.merged(ArgumentSpec(options=SLOTS_OPTIONS))


def main() -> t.NoReturn:
    run(SPEC, lambda this: apply_slots(cluster_client(this), this.params))


if __name__ == "__main__":
    main()
