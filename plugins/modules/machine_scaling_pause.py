#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: machine_scaling_pause
short_description: Hold what adds, removes or replaces machines by itself, and let go of it again
version_added: 0.1.0
description:
  - While a cluster is updated without a registry no machine may join that has no images, none may vanish, and none that
    reboots may be taken for broken. This module holds ClusterAutoscalers, MachineAutoscalers, MachineHealthChecks and
    the NodeHealthChecks of medik8s.
  - A ClusterAutoscaler is kept from removing nodes and from adding more than there are, a MachineAutoscaler is held at
    the present size of its target, a MachineHealthCheck gets the annotation C(cluster.x-k8s.io/paused), a
    NodeHealthCheck an entry among its C(pauseRequests).
  - What was there before is recorded on each object in the very write that changes it. A run may be killed at any
    point. The same task, on any machine, goes on from there.
  - On a cluster without these APIs there is nothing to do.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
attributes:
  check_mode:
    support: full
    details: The server tries what would be written.
  diff_mode:
    support: full
  idempotent:
    support: full
options:
  state:
    description:
      - With V(paused) all of it is held. Objects that came since are held too when the task is run again.
      - With V(restored) each object gets back what it had before. A field that somebody changed during the pause stays
        as they set it, and is named in RV(left). What somebody else had paused before stays paused.
    type: str
    choices: [paused, restored]
    required: true
  reason:
    description:
      - Why it is paused, for whoever finds it so.
    type: str
    default: ""
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/cluster-update.yml) of this collection.
  - Control plane machine sets are not held. They replace a machine only when somebody changes or deletes it.
seealso:
  - module: fieldops.openshift.cluster_update_info
  - module: fieldops.openshift.cluster_update
"""

EXAMPLES = r"""
- name: Let no machine come, go or be replaced while the site is updated
  fieldops.openshift.machine_scaling_pause:
    state: paused
    reason: update to 4.21.5, change 4711

- name: Give everything back as it was
  fieldops.openshift.machine_scaling_pause:
    state: restored
"""

RETURN = r"""
objects:
  description: All objects of these kinds as they are now.
  type: list
  elements: dict
  returned: success
  contains:
    kind:
      description: V(ClusterAutoscaler), V(MachineAutoscaler) or V(MachineHealthCheck).
      type: str
      sample: MachineAutoscaler
    namespace:
      description: Its namespace, if it has one.
      type: str
      sample: openshift-machine-api
    name:
      description: Its name.
      type: str
      sample: worker-us-east-1a
    paused:
      description: Whether this collection holds it.
      type: bool
      sample: true
    by:
      description: Who paused it.
      type: str
      sample: technician
    since:
      description: Since when.
      type: str
      sample: "2026-11-21T22:01:07Z"
    reason:
      description: Why.
      type: str
      sample: update to 4.21.5, change 4711
    fields:
      description: The fields that were changed, with what was there before and what is there meanwhile.
      type: list
      elements: dict
      sample: [{"path": spec.maxReplicas, "was": 6, "paused": 3}]
left:
  description: The fields that somebody changed during the pause, and that were left as they are.
  type: list
  elements: dict
  returned: success
  sample:
    - kind: MachineAutoscaler
      namespace: openshift-machine-api
      name: worker-us-east-1a
      fields: [spec.maxReplicas]
actions:
  description: The calls that changed something, or would in check mode.
  type: list
  elements: dict
  returned: success
  sample: [{"verb": patch, "kind": ClusterAutoscaler, "namespace": null, "name": default, "dry_run": false}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.machine_automation import (
    AUTOMATION_OPTIONS,
    set_automation,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run

SPEC = CLUSTER_OPTIONS.merged(ArgumentSpec(options=AUTOMATION_OPTIONS))


def main() -> t.NoReturn:
    run(SPEC, lambda this: set_automation(cluster_client(this), this.params))


if __name__ == "__main__":
    main()
