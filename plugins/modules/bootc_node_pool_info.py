#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: bootc_node_pool_info
short_description: Gather information about node pools of bootc-operator
version_added: 0.1.0
description:
  - Reads the BootcNodePools and BootcNodes of a cluster. On a cluster without bootc-operator, the result is empty.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
options:
  names:
    description:
      - The names of the pools. By default, all pools are returned.
    type: list
    elements: str
    default: []
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, except 36.0.0 and 36.0.1
notes:
  - The required RBAC permissions are in C(extensions/rbac/bootc-node-pool.yml) of this collection.
seealso:
  - module: fieldops.openshift.bootc_node_pool
"""

EXAMPLES = r"""
- name: Gather the OS images of nodes that bootc-operator manages
  fieldops.openshift.bootc_node_pool_info:
  register: pools
"""

RETURN = r"""
pools:
  description: The pools, each in the same format as RV(fieldops.openshift.bootc_node_pool#module:pool).
  type: list
  elements: dict
  returned: success
actions:
  description: Always empty, because this module makes no changes.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.bootc_pool import read_bootc_pools
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = CLUSTER_OPTIONS.merged(ArgumentSpec(options={"names": {"type": "list", "elements": "str", "default": []}}))


def main() -> t.NoReturn:
    run(SPEC, lambda this: Result(objects={"pools": read_bootc_pools(cluster_client(this), this.params["names"])}))


if __name__ == "__main__":
    main()
