#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_config_info
short_description: Tell which rendered configuration a node has and is to have
version_added: 0.1.0
description:
  - Reads the node, its pool and what its machine-config daemon says.
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
- name: See whether a node has the configuration of its pool
  fieldops.openshift.node_config_info:
    name: worker-1
  register: site_node
"""

RETURN = r"""
pool:
  description: The pool that the node belongs to.
  type: str
  returned: success
  sample: worker
config:
  description: The rendered configuration that the node is to have.
  type: str
  returned: success
  sample: rendered-worker-4f1c8e
image:
  description: The image that the node is to have, in a pool that is in image mode.
  type: str
  returned: success
  sample: ""
current_config:
  description: The rendered configuration that it has.
  type: str
  returned: success
  sample: rendered-worker-4f1c8e
desired_config:
  description: The rendered configuration that its daemon has been told.
  type: str
  returned: success
  sample: rendered-worker-4f1c8e
current_image:
  description: The image that it has, in image mode.
  type: str
  returned: success
  sample: ""
daemon_state:
  description: What its daemon says of itself.
  type: str
  returned: success
  sample: Done
daemon_reason:
  description: Why, where the daemon cannot go on.
  type: str
  returned: success
  sample: ""
updated:
  description: Whether the node has what it is to have, and its daemon is done.
  type: bool
  returned: success
  sample: true
schedulable:
  description: Whether new pods may be placed on the node now.
  type: bool
  returned: success
  sample: true
sentence:
  description: Where the node stands, in one line.
  type: str
  returned: success
  sample: worker-1 has rendered-worker-4f1c8e
actions:
  description: The calls that changed something. This module makes none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.node_config import read_node_config
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run_module
from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import Result

OPTIONS: dict[str, dict[str, t.Any]] = {"name": {"type": "str", "required": True}}
SPEC = CLUSTER_OPTIONS.merged(ArgumentSpec(options=OPTIONS))


def main() -> t.NoReturn:
    def look(run: ModuleRun) -> Result:
        return Result(objects=read_node_config(cluster_client(run), {**run.params, "config": ""}))

    run_module(SPEC, look)


if __name__ == "__main__":
    main()
