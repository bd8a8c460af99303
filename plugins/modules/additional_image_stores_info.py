#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: additional_image_stores_info
short_description: Tell by which objects the nodes of pools come to list the slots for image stores
version_added: 0.1.0
description:
  - Tells for each machine config pool whether M(fieldops.openshift.additional_image_stores) was applied to it, how it
    would be, what stands against it, and how far its nodes are.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
options:
  pools:
    description: Only these pools. By default all.
    type: list
    elements: str
    default: []
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/additional-image-stores.yml) of this collection.
seealso:
  - module: fieldops.openshift.additional_image_stores
"""

EXAMPLES = r"""
- name: See which pools list the slots
  fieldops.openshift.additional_image_stores_info:
  register: slots

- name: Name those whose storage.conf somebody else writes
  ansible.builtin.debug:
    msg: "{{ item.pool }}: {{ item.rivals | join(', ') }}"
  loop: "{{ slots.pools | selectattr('rivals') }}"
"""

RETURN = r"""
pools:
  description: One entry for each pool.
  type: list
  elements: dict
  returned: success
  contains:
    pool:
      description: The name of the pool.
      type: str
      sample: worker
    method:
      description: V(container_runtime_config) or V(machine_config), as V(auto) would choose.
      type: str
      sample: container_runtime_config
    paused:
      description: Whether the pool is paused.
      type: bool
      sample: true
    objects:
      description: The objects that make its nodes list the slots, none where it was not applied.
      type: list
      elements: str
      sample: [MachineConfig 99-worker-fieldops-image-stores, ContainerRuntimeConfig fieldops-image-stores-worker]
    rivals:
      description: Objects of others that write C(storage.conf) of this pool as well, of which only one counts.
      type: list
      elements: str
      sample: []
    rendered:
      description: Whether the operator has made them part of what the nodes are to have.
      type: bool
      sample: true
    rolled_out:
      description: Whether every node of the pool has it.
      type: bool
      sample: false
actions:
  description: The calls that changed something. This module makes none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.pools import read_slot_pools
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = CLUSTER_OPTIONS.merged(ArgumentSpec(options={"pools": {"type": "list", "elements": "str", "default": []}}))


def main() -> t.NoReturn:
    run(SPEC, lambda this: Result(objects={"pools": read_slot_pools(cluster_client(this), this.params["pools"])}))


if __name__ == "__main__":
    main()
