#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: change_policy
short_description: Keep policies of change management and which resources they govern
version_added: 0.1.0
description:
  - Keeps policies in the ConfigMap C(change-policies) and the stanzas of resources in the ConfigMap
    C(change-assignments), both in the namespace C(fieldops-openshift), each with who changed it, when and why. Who may
    write there may change the cluster.
  - Everything is validated before anything is written; a complaint names the field and the rule.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
attributes:
  check_mode:
    support: full
    details: The API server tries every write without keeping it.
  diff_mode:
    support: full
  idempotent:
    support: full
options:
  name:
    description: The name of the policy.
    type: str
  spec:
    description:
      - What the policy says, as C(spec) of a ChangeManagementPolicy has it. Give instants, dates and times in quotes.
    type: dict
  state:
    description: Whether the policy shall be there. A policy that a stanza refers to cannot be removed.
    type: str
    choices: [present, absent]
    default: present
  assignments:
    description:
      - The C(changeManagement) stanzas of resources by C(kind.name), or C(kind.namespace.name) of a HostedCluster or
        NodePool. With O(state=absent) a resource with V(null) is governed no more; else V(null) is refused, since it is
        what a lookup gives that finds nothing.
      - Resources that are not named keep their stanza. The master pool has that of C(ClusterVersion.version).
    type: dict
  reason:
    description: Why it is changed; it is kept with the change. It is needed with O(name) and O(assignments).
    type: str
  allow_missing:
    description:
      - Whether stanzas may be assigned to resources, or refer to policies, that do not exist. Otherwise it is refused,
        because what is misspelt would govern nothing.
      - RV(fieldops.openshift.change_management_info#module:orphans) lists what is missing.
    type: bool
    default: false
  governed:
    description:
      - Whether this site is governed. Then a resource that nothing is assigned to is closed, also after
        the ConfigMaps were deleted. The mark is an annotation on the C(ClusterVersion). By default it stays as it is.
    type: bool
  estimate:
    description: How many seconds the longest work takes, to be told when no window is as long.
    type: int
    default: 0
  time_zone:
    description:
      - A time zone, such as V(Europe/Berlin), whose time stands beside UTC in RV(outlook); V(local) is that of the
        controller. By default there is UTC alone.
    type: str
    default: ""
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/change-manager.yml) of this collection, and an admission policy
    that lets nobody else write in C(extensions/rbac/change-admission.yml).
seealso:
  - module: fieldops.openshift.change_management_info
  - module: fieldops.openshift.change_enforcement
  - module: fieldops.openshift.change_override
  - plugin: fieldops.openshift.validate_change_policy
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Change workers on Saturday nights only, the control plane on the first of the month
  fieldops.openshift.change_policy:
    name: saturday-night
    spec:
      strategy: MaintenanceSchedule
      maintenanceSchedule:
        permit:
          recurrence:
            frequency: Weekly
            weekly:
              daysOfWeek: [Saturday]
              interval: 1
          startTime: "20:00"
          duration: 8h
        exclude:
          - fromDate: "2026-12-24"
            untilDate: "2027-01-02"
            reason: the shops are open all night
    assignments:
      MachineConfigPool.worker:
        strategy: ByPolicy
        byPolicy:
          name: saturday-night
    reason: agreed with the customer on 12 November

- name: Govern the workers no more and remove the policy
  fieldops.openshift.change_policy:
    name: saturday-night
    state: absent
    assignments:
      MachineConfigPool.worker:
    reason: the site moves to another schedule

- name: Close what nothing is assigned to, whatever becomes of the documents
  fieldops.openshift.change_policy:
    governed: true
"""

RETURN = r"""
who:
  description: Who asked, as the API knows it; empty where no document was to be written.
  type: str
  returned: success
  sample: system:serviceaccount:automation:runner
warnings_of_policy:
  description: What is valid and yet hardly meant, such as a schedule that never opens. They are shown as warnings too.
  type: list
  elements: str
  returned: success
  sample: []
outlook:
  description:
    - What the schedule of the policy comes to within two years, in check mode too; nothing for a policy without one.
  type: dict
  returned: success
  contains:
    next_windows:
      description: The next five windows, with C(start), C(end), C(seconds) and, in both times, C(words).
      type: list
      elements: dict
      sample: []
    hours_per_month:
      description: How many hours of a month are open.
      type: float
      sample: 34.7
    longest_gap:
      description: The longest time without a window, nothing where there is none.
      type: str
      sample: 6d 16h
    cut_by_exclusions:
      description: The windows that exclusions cut, with what is C(left) of each.
      type: list
      elements: dict
      sample: []
actions:
  description: The calls that changed something, or in check mode would have.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: patch, kind: ConfigMap, namespace: fieldops-openshift, name: change-policies, dry_run: false}
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.write_policy import carry_out
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run

SPEC = CLUSTER_OPTIONS.merged(
    ArgumentSpec(
        options={
            "name": {"type": "str"},
            "spec": {"type": "dict"},
            "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
            "assignments": {"type": "dict"},
            "reason": {"type": "str"},
            "allow_missing": {"type": "bool", "default": False},
            "governed": {"type": "bool"},
            "estimate": {"type": "int", "default": 0},
            "time_zone": {"type": "str", "default": ""},
        },
        required_one_of=[["name", "assignments", "governed"]],
        required_by={"name": ["reason"], "assignments": ["reason"], "spec": ["name"]},
    )
)


def main() -> t.NoReturn:
    run(SPEC, lambda this: carry_out(cluster_client(this), this.params))


if __name__ == "__main__":
    main()
