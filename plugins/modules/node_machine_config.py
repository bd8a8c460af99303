#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_machine_config
short_description: Update one node of a paused pool to its next rendered MachineConfig
version_added: 0.1.0
description:
  - Sets the desired rendered configuration of one node and, in image mode, its desired image. The machine-config
    daemon of the node drains it, applies the change, reboots it if necessary, and uncordons it.
  - The pool must be paused. Otherwise the machine-config operator selects nodes itself.
  - The daemon uncordons the node at the end, even if others had cordoned it. A cordon that existed before this
    collection cordoned the node, according to its record on the node, is set again.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
  - fieldops.openshift._rollout_options
options:
  name:
    description:
      - The name of the node.
    type: str
    required: true
  config:
    description:
      - The rendered configuration. The default is the desired configuration of the pool. If the pool gets a newer
        configuration during the update of the node, the node completes the earlier one first and then continues with
        the newer one.
    type: str
    default: ""
  degraded_timeout:
    description:
      - The time in seconds after which a degraded daemon is treated as failed. The daemon keeps retrying, so some
        failures resolve themselves.
    type: int
    default: 600
  away_timeout:
    description:
      - The time in seconds without being ready after which a node is considered not to come back.
    type: int
    default: 1800
notes:
  - The required RBAC permissions are in C(extensions/rbac/rollout.yml) of this collection.
"""

EXAMPLES = r"""
- name: Update one node to the configuration of its pool, waiting for up to one hour
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
  description: The target rendered configuration of the node.
  type: str
  returned: success
  sample: rendered-worker-4f1c8e
image:
  description: The target image of the node, for a pool in image mode.
  type: str
  returned: success
  sample: ""
current_config:
  description: The current rendered configuration.
  type: str
  returned: success
  sample: rendered-worker-4f1c8e
desired_config:
  description: The desired rendered configuration as set for the daemon.
  type: str
  returned: success
  sample: rendered-worker-4f1c8e
current_image:
  description: The current image, in image mode.
  type: str
  returned: success
  sample: ""
daemon_state:
  description: The state reported by the daemon.
  type: str
  returned: success
  sample: Done
daemon_reason:
  description: The reason reported by the daemon if it cannot proceed.
  type: str
  returned: success
  sample: ""
updated:
  description: Whether the node has the target configuration and its daemon is done.
  type: bool
  returned: success
  sample: true
schedulable:
  description: Whether new pods can be scheduled on the node now.
  type: bool
  returned: success
  sample: true
actions:
  description: The API calls that made changes, or that would be made in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: patch, kind: Node, namespace: null, name: worker-1, dry_run: false}
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: worker-1 has rendered-worker-4f1c8e, done: true, next_delay: 5.0}
timeline:
  description: The progress messages observed while waiting, one entry for each change.
  type: list
  elements: dict
  returned: always
  sample:
    - {at: "2026-11-21T22:01:07Z", sentence: "worker-1 is changing to rendered-worker-4f1c: the daemon is applying it"}
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
