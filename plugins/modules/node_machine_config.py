#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_machine_config
short_description: Bring one node of a paused pool to its next rendered configuration
version_added: 0.1.0
description:
  - Tells the machine-config daemon of one node which configuration, and in image mode which image, it is to have. The
    daemon drains the node, changes it, reboots it where that is needed, and uncordons it.
  - The pool has to be paused. Else the machine-config operator chooses nodes itself.
  - The daemon uncordons the node in the end, whoever had cordoned it. A cordon that was there before this collection's
    own, as its record on the node says, is put back then.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
  - fieldops.openshift._rollout_options
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
  idempotent:
    support: full
options:
  name:
    description:
      - The name of the node.
    type: str
    required: true
  config:
    description:
      - The rendered configuration. By default the one that the pool is to have. The pool may get a newer
        configuration while the node is updated; the node completes the earlier one first and then goes on to the newer.
    type: str
    default: ""
  degraded_timeout:
    description:
      - After how many seconds a daemon that says that it cannot go on counts as failed. It tries again all the time, so
        that some failures repair themselves.
    type: int
    default: 600
  away_timeout:
    description:
      - After how many seconds without being ready a node on its way counts as one that does not come back.
    type: int
    default: 1800
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/rollout.yml) of this collection.
"""

EXAMPLES = r"""
- name: Bring one node to the configuration of its pool, for up to an hour
  fieldops.openshift.node_machine_config:
    name: worker-1
    wait: true
    wait_timeout: 3600
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
actions:
  description: The calls that changed something, or in check mode would have.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: patch, kind: Node, namespace: null, name: worker-1, dry_run: false}
progress:
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: worker-1 has rendered-worker-4f1c8e, done: true, next_delay: 5.0}
timeline:
  description: What was seen while it waited, one entry for each change.
  type: list
  elements: dict
  returned: always
  sample:
    - {at: "2026-11-21T22:01:07Z", sentence: "worker-1 goes to rendered-worker-4f1c8e: the daemon waits for the drain"}
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.node_config import (
    NODE_CONFIG_OPTIONS,
    node_config_step,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS

SPEC = CLUSTER_OPTIONS.merged(WAIT_OPTIONS, ArgumentSpec(options=NODE_CONFIG_OPTIONS))
WAITING = Waiting("it has its configuration", on="the node")


def main() -> t.NoReturn:
    run(SPEC, lambda this: node_config_step(cluster_client(this), this.params), WAITING)


if __name__ == "__main__":
    main()
