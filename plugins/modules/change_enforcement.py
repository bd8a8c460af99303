# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: change_enforcement
short_description: Enforce change management for all users and tools of a cluster
version_added: 0.1.0
description:
  - Pauses every governed MachineConfigPool while change of the pool is restricted, and unpauses it when change is
    permitted. Configuration that others apply while the pool is paused is rendered but not rolled out. On a hub
    cluster, the module also controls HostedCluster and NodePool objects, through C(pausedUntil).
  - Publishes when change is permitted, with an expiry time, in the ConfigMap C(change-state) in the namespace
    C(fieldops-openshift). The admission policy in C(extensions/rbac/change-enforcement.yml) of this collection reads
    the ConfigMap, and rejects updates and the unpausing of pools at other times. The optional policy in
    C(change-enforcement-configs.yml) also rejects MachineConfigs, KubeletConfigs and ContainerRuntimeConfigs for
    restricted pools.
  - Run this module as a scheduled job every ten minutes. If the job stops, governed resources become restricted when
    the published state expires.
  - Resources that are not governed are never changed. Pauses that were set by others or that belong to a rollout are
    kept. The master pool stays unpaused while a release update that has started is in progress.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._guard_options
attributes:
  check_mode:
    details: Sends every write to the API server as a dry run.
  diff_mode:
    details: Shows whether a state is published, and the pauses of resources that change.
  idempotent:
    details: The state is published again in each run. This alone does not count as a change.
options:
  state:
    description: V(present) enforces change management. V(absent) unpauses everything that was paused by this module
      and removes the published state.
    type: str
    choices: [present, absent]
    default: present
  lifetime:
    description:
      - How long the published state is valid, as a Go duration. It must be longer than the interval between runs.
    type: str
    default: 1h
  if_enforced:
    description: Whether to do nothing on a cluster without a published state. Other plays use this option to publish
      changes immediately.
    type: bool
    default: false
notes:
  - The required RBAC permissions are in C(extensions/rbac/change-enforcer.yml) and
    C(extensions/rbac/change-management-reader.yml) of this collection.
  - A hosted cluster does not rotate certificates while it is paused.
  - While the master pool is paused and has a pending change, the ClusterOperator machine-config is degraded and
    reports the reason.
seealso:
  - module: fieldops.openshift.change_management_info
  - module: fieldops.openshift.change_policy
  - module: fieldops.openshift.change_override
"""

EXAMPLES = r"""
- name: Enforce change management and publish its state
  fieldops.openshift.change_enforcement:

- name: Stop enforcing change management
  fieldops.openshift.change_enforcement:
    state: absent
"""

RETURN = r"""
resources:
  description: The resources that are governed or were governed before.
  type: list
  elements: dict
  returned: success
  contains:
    kind:
      description: The kind of the resource.
      type: str
      sample: MachineConfigPool
    namespace:
      description: The namespace of the resource, empty for cluster-scoped resources.
      type: str
      sample: ""
    name:
      description: The name of the resource.
      type: str
      sample: worker
    permitted:
      description: Whether change is permitted.
      type: bool
      sample: false
    paused:
      description: Whether the resource is paused now.
      type: bool
      sample: true
    kept:
      description: The owner of the pause, if it was not set by change management.
      type: str
      sample: ""
    changed:
      description: Whether the resource was paused, unpaused or marked, or would be in check mode.
      type: bool
      sample: true
    reason:
      description: A one-line summary with the decision, its reason and when it expires.
      type: str
      sample: "change is restricted: the maintenance schedule of policy saturday-night is closed, until
        2026-11-21T20:00:00Z, for 9h 12m"
published_until:
  description: When the published state expires. Empty if nothing is published.
  type: str
  returned: success
  sample: "2026-11-21T11:48:00Z"
next_transition:
  description: When the next governed resource becomes permitted or restricted. Empty if none does.
  type: str
  returned: success
  sample: "2026-11-21T20:00:00Z"
actions:
  description: The API calls that made changes, or that would be made in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: patch, kind: MachineConfigPool, name: worker, dry_run: false}
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.enforce import carry_out
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.guard import GUARD_NEVER_NULL, GUARD_OPTION
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run

SPEC = CLUSTER_OPTIONS.merged(
    ArgumentSpec(
        options={
            "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
            "guard": GUARD_OPTION,
            "lifetime": {"type": "str", "default": "1h"},
            "if_enforced": {"type": "bool", "default": False},
        },
        never_null=GUARD_NEVER_NULL,
    )
)


def main() -> t.NoReturn:
    run(SPEC, lambda this: carry_out(cluster_client(this), this.params))


if __name__ == "__main__":
    main()
