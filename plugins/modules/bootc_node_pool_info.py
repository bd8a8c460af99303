#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: bootc_node_pool_info
short_description: Tell where the pools of bootc-operator and their nodes stand
version_added: 0.1.0
description:
  - Reads the BootcNodePools and BootcNodes of a cluster. A cluster without bootc-operator has none.
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
      - The names of the pools. Without any, all are told.
    type: list
    elements: str
    default: []
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/bootc-node-pool.yml) of this collection.
seealso:
  - module: fieldops.openshift.bootc_node_pool
"""

EXAMPLES = r"""
- name: See which OS images the nodes of bootc-operator have
  fieldops.openshift.bootc_node_pool_info:
  register: pools
"""

RETURN = r"""
pools:
  description: One entry for each pool, as RV(fieldops.openshift.bootc_node_pool#module:pool).
  type: list
  elements: dict
  returned: success
actions:
  description: The calls that changed something. This module makes none.
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
