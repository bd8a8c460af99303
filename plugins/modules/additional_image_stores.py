#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: additional_image_stores
short_description: Configure additional image stores for CRI-O through the machine-config operator
version_added: 0.1.0
description:
  - On clusters with a machine-config operator, the operator owns C(storage.conf), so
    M(fieldops.openshift.node_image_store) must not change it. This module configures the paths of additional image
    stores, called slots, through the operator. It is needed once and serves all later image stores.
  - If the ContainerRuntimeConfig API supports C(additionalImageStores), the module creates a ContainerRuntimeConfig
    and a MachineConfig that creates the slots. Otherwise, it creates a single MachineConfig that contains the
    complete file.
  - The change reboots nodes. By default, it is applied only while a pool is paused, immediately before an update that
    reboots the nodes anyway.
  - The change is applied to all listed pools or to none.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
attributes:
  check_mode:
    details: Sends every write to the API server as a dry run.
  diff_mode:
    details: Shows the changed objects.
options:
  state:
    description:
      - V(present) configures the slots on the nodes.
      - V(absent) removes the objects. Remove the image stores from the nodes first.
    type: str
    choices: [present, absent]
    default: present
  pools:
    description: The names of the MachineConfigPools.
    type: list
    elements: str
    required: true
  storage_conf:
    description:
      - The current content of C(storage.conf) on the nodes of the pools, as returned in
        RV(fieldops.openshift.node_info#module:image_stores.storage_conf_text). Required for a MachineConfig, which
        contains the complete file.
    type: str
    default: ""
  method:
    description:
      - The type of object to create. V(auto) uses V(container_runtime_config) if the cluster supports it.
    type: str
    choices: [auto, container_runtime_config, machine_config]
    default: auto
  reboot:
    description: Whether to apply the change to pools that are not paused. Their nodes then reboot one after another.
    type: bool
    default: false
notes:
  - The required RBAC permissions are in C(extensions/rbac/additional-image-stores.yml) of this collection.
seealso:
  - module: fieldops.openshift.machine_config_pool_info
  - module: fieldops.openshift.node_image_store
  - module: fieldops.openshift.machine_config_pool
"""

EXAMPLES = r"""
- name: Gather the image store configuration of a node
  fieldops.openshift.node_info:
    gather: [image_stores]
  delegate_to: worker-0
  become: true
  register: node

- name: Configure slots on all nodes, for rollout with the next update
  fieldops.openshift.additional_image_stores:
    pools: [master, worker]
    storage_conf: "{{ node.image_stores.storage_conf_text }}"
"""

RETURN = r"""
pools:
  description: The listed pools.
  type: list
  elements: dict
  returned: success
  contains:
    pool:
      description: The name of the pool.
      type: str
      sample: worker
    method:
      description: The type of object that is used, V(container_runtime_config) or V(machine_config).
      type: str
      sample: container_runtime_config
    paused:
      description: Whether the pool is paused.
      type: bool
      sample: true
    objects:
      description: The objects that configure the slots.
      type: list
      elements: str
      sample: [MachineConfig 99-worker-fieldops-image-stores, ContainerRuntimeConfig fieldops-image-stores-worker]
    rendered:
      description: Whether the operator has included the objects in the rendered configuration of the pool.
      type: bool
      sample: false
    rolled_out:
      description: Whether every node of the pool has that configuration.
      type: bool
      sample: false
actions:
  description: The API calls that made changes, or that would be made in check mode.
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
