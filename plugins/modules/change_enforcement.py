# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: change_enforcement
short_description: Bind everybody by change management, not the plays of this collection alone
version_added: 0.1.0
description:
  - Pauses every governed MachineConfigPool while change of it is restricted, so that what anybody applies is rendered
    and not rolled out, and opens it again when change is permitted. On a hub it does the same to HostedCluster and
    NodePool objects by C(pausedUntil).
  - Publishes when change is permitted in the ConfigMap C(change-state) of the namespace C(fieldops-openshift), with an
    expiry. The admission policy in C(extensions/rbac/change-enforcement.yml) of this collection reads it, and refuses
    updates and the opening of pools at other times. That in C(change-enforcement-configs.yml), which is applied by
    choice, also refuses MachineConfigs, KubeletConfigs and ContainerRuntimeConfigs of pools that are closed.
  - Run it as a scheduled job, every ten minutes. Where it does not run any more, what is governed is closed once the
    published state has expired.
  - A resource that nothing governs is never touched. A pause that others have set, or that belongs to a rollout, is
    kept. While an update of the release that has begun goes on, the master pool is open.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._guard_options
attributes:
  check_mode:
    support: full
    details: The API server tries every write without keeping it.
  diff_mode:
    support: full
    details: Shows whether a state is published, and what is paused of the resources that change.
  idempotent:
    support: full
    details: The state is published again each time, which alone is no change.
options:
  state:
    description: With V(absent) everything that was paused is opened, and nothing is published any more.
    type: str
    choices: [present, absent]
    default: present
  lifetime:
    description:
      - How long what is published counts, as Go writes durations. It has to be longer than the time between two runs.
    type: str
    default: 1h
  if_enforced:
    description: Whether to do nothing in a cluster where nothing is published. So other plays bring news at once.
    type: bool
    default: false
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/change-enforcer.yml) of this collection.
  - A hosted cluster does not rotate certificates while it is paused.
  - While the master pool is paused and a change of it is pending, the ClusterOperator machine-config is degraded, and
    says why.
seealso:
  - module: fieldops.openshift.change_management_info
  - module: fieldops.openshift.change_policy
  - module: fieldops.openshift.change_override
"""

EXAMPLES = r"""
- name: Pause what is closed, open what is open, and publish it for the admission policy
  fieldops.openshift.change_enforcement:

- name: Give everything back
  fieldops.openshift.change_enforcement:
    state: absent
"""

RETURN = r"""
resources:
  description: The governed resources, and those that were.
  type: list
  elements: dict
  returned: success
  contains:
    kind:
      description: The kind.
      type: str
      sample: MachineConfigPool
    namespace:
      description: The namespace, empty for resources of the whole cluster.
      type: str
      sample: ""
    name:
      description: The name.
      type: str
      sample: worker
    permitted:
      description: Whether change is permitted.
      type: bool
      sample: false
    paused:
      description: Whether it is paused now.
      type: bool
      sample: true
    kept:
      description: Whose pause it is, where it is not change management's.
      type: str
      sample: ""
    changed:
      description: Whether it was paused, opened or marked, or in check mode would be.
      type: bool
      sample: true
    reason:
      description: Whether, why and until when, in one line.
      type: str
      sample: "change is restricted: the maintenance schedule of policy saturday-night is closed, until
        2026-11-21T20:00:00Z, for 9h 12m"
published_until:
  description: When what is published expires, empty where nothing is.
  type: str
  returned: success
  sample: "2026-11-21T11:48:00Z"
next_transition:
  description: When the next governed resource opens or closes, empty where none does.
  type: str
  returned: success
  sample: "2026-11-21T20:00:00Z"
actions:
  description: The calls that changed something, or in check mode would have.
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
