#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: machine_scaling_pause
short_description: Pause and resume autoscalers and machine health checks
version_added: 0.1.0
description:
  - During an update at a site without a registry, machines without images must not join, and machines that reboot
    must not be removed or replaced. This module pauses ClusterAutoscalers, MachineAutoscalers, MachineHealthChecks
    and the NodeHealthChecks of medik8s.
  - A ClusterAutoscaler is limited to the current number of nodes and cannot remove nodes. A MachineAutoscaler is
    fixed at the current size of its target. A MachineHealthCheck gets the annotation C(cluster.x-k8s.io/paused), and
    a NodeHealthCheck an entry in C(pauseRequests).
  - The previous values are recorded on each object in the same request that changes it. An interrupted run can be
    continued with the same task from any machine.
  - On a cluster without these APIs, the module makes no change.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
attributes:
  check_mode:
    details: Sends every write to the API server as a dry run.
options:
  state:
    description:
      - V(paused) pauses all objects. Run the task again to pause objects that were created later.
      - V(restored) restores the previous values of each object. A field that was changed by others during the pause
        is kept and is listed in RV(left). Objects that were already paused by others stay paused.
    type: str
    choices: [paused, restored]
    required: true
  reason:
    description:
      - The reason for the pause, which is recorded on each object.
    type: str
    default: ""
notes:
  - The required RBAC permissions are in C(extensions/rbac/cluster-update.yml) of this collection.
  - ControlPlaneMachineSets are not paused. They replace a machine only if it is changed or deleted.
seealso:
  - module: fieldops.openshift.cluster_update_info
  - module: fieldops.openshift.cluster_update
"""

EXAMPLES = r"""
- name: Pause machine scaling during the update of the site
  fieldops.openshift.machine_scaling_pause:
    state: paused
    reason: update to 4.21.5, change 4711

- name: Resume machine scaling
  fieldops.openshift.machine_scaling_pause:
    state: restored
"""

RETURN = r"""
objects:
  description: All objects of these kinds in their current state.
  type: list
  elements: dict
  returned: success
  contains:
    kind:
      description: V(ClusterAutoscaler), V(MachineAutoscaler) or V(MachineHealthCheck).
      type: str
      sample: MachineAutoscaler
    namespace:
      description: The namespace of the object, if it has one.
      type: str
      sample: openshift-machine-api
    name:
      description: The name of the object.
      type: str
      sample: worker-us-east-1a
    paused:
      description: Whether this collection has paused the object.
      type: bool
      sample: true
    by:
      description: The user who paused the object.
      type: str
      sample: technician
    since:
      description: When the object was paused.
      type: str
      sample: "2026-11-21T22:01:07Z"
    reason:
      description: The reason for the pause.
      type: str
      sample: update to 4.21.5, change 4711
    fields:
      description: The changed fields, with their previous and their current values.
      type: list
      elements: dict
      sample: [{"path": spec.maxReplicas, "was": 6, "paused": 3}]
left:
  description: The fields that were changed by others during the pause and were therefore not restored.
  type: list
  elements: dict
  returned: success
  sample:
    - kind: MachineAutoscaler
      namespace: openshift-machine-api
      name: worker-us-east-1a
      fields: [spec.maxReplicas]
actions:
  description: The API calls that made changes, or that would be made in check mode.
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
