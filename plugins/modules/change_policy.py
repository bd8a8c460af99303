#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: change_policy
short_description: Manage change management policies and their assignment to resources
version_added: 0.1.0
description:
  - Stores policies in the ConfigMap C(change-policies) and the stanzas of resources in the ConfigMap
    C(change-assignments), both in the namespace C(fieldops-openshift), with the user, time and reason of each change.
    Write access to these ConfigMaps is the permission to change the cluster.
  - Everything is validated before anything is written. Validation errors name the field and the rule.
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
  name:
    description: The name of the policy.
    type: str
  spec:
    description:
      - The specification of the policy, as in C(spec) of a ChangeManagementPolicy. Quote timestamps, dates and times.
    type: dict
  state:
    description: Whether the policy exists. A policy that is referenced by a stanza cannot be removed.
    type: str
    choices: [present, absent]
    default: present
  assignments:
    description:
      - The C(changeManagement) stanzas of resources by C(kind.name), or by C(kind.namespace.name) for a HostedCluster
        or NodePool. With O(state=absent), a V(null) stanza removes the assignment of the resource. Otherwise V(null)
        is rejected, because it can result from a failed lookup.
      - Resources that are not listed keep their stanza. The master pool uses the stanza of C(ClusterVersion.version).
    type: dict
  reason:
    description: The reason for the change, which is stored with it. Required with O(name) and O(assignments).
    type: str
  allow_missing:
    description:
      - Whether stanzas may be assigned to resources or refer to policies that do not exist. By default this is
        rejected, because a misspelled name would have no effect.
      - See RV(fieldops.openshift.change_management_info#module:orphans) for assignments to resources that do not
        exist.
    type: bool
    default: false
  take_over:
    description:
      - Whether to change fields that another field manager applies, such as a GitOps controller. By default, this is an
        error that names the field and the manager, because the other manager would set the field back.
    type: bool
    default: false
  governed:
    description:
      - Whether the site is governed. On a governed site, change of resources without an assignment is restricted,
        even after the ConfigMaps have been deleted. The setting is stored as an annotation of the C(ClusterVersion).
        By default, it is left unchanged.
    type: bool
  estimate:
    description:
      - The duration of the longest work in seconds. The module warns if no window is that long.
      - By default, the longest time that a node of the cluster took in its last rollout. V(0) means unknown.
    type: int
  time_zone:
    description:
      - A time zone, such as V(Europe/Berlin), in which RV(outlook) shows times in addition to UTC. V(local) is the
        time zone of the controller. By default, only UTC is shown.
    type: str
    default: ""
notes:
  - The required RBAC permissions are in C(extensions/rbac/change-manager.yml) and
    C(extensions/rbac/change-management-reader.yml) of this collection.
    C(extensions/rbac/change-admission.yml) contains an admission policy that denies write access to all other users.
seealso:
  - module: fieldops.openshift.change_management_info
  - module: fieldops.openshift.change_enforcement
  - module: fieldops.openshift.change_override
  - plugin: fieldops.openshift.validate_change_policy
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Permit changes of workers on Saturday nights, and of the control plane on the first of the month
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

- name: Remove the assignment of the workers and the policy
  fieldops.openshift.change_policy:
    name: saturday-night
    state: absent
    assignments:
      MachineConfigPool.worker:
    reason: the site moves to another schedule

- name: Restrict change of all resources without an assignment, even if the documents are lost
  fieldops.openshift.change_policy:
    governed: true
"""

RETURN = r"""
who:
  description: The user who made the request, as authenticated by the API server. Empty if no document had to be
    written.
  type: str
  returned: success
  sample: system:serviceaccount:automation:runner
warnings_of_policy:
  description: Settings that are valid but probably unintended, such as a schedule that never opens. They are also
    shown as warnings.
  type: list
  elements: str
  returned: success
  sample: []
outlook:
  description:
    - The windows of the policy's schedule within the next two years, also in check mode. None for a policy without a
      schedule.
  type: dict
  returned: success
  contains:
    next_windows:
      description: The next five windows, with C(start), C(end), C(seconds), and in C(words) in both time zones.
      type: list
      elements: dict
      sample: []
    hours_per_month:
      description: The number of hours per month in which change is permitted.
      type: float
      sample: 34.7
    longest_gap:
      description: The longest time without a window. None if there is none.
      type: str
      sample: 6d 16h
    cut_by_exclusions:
      description: The windows that exclusions shorten, with the remaining time of each in C(left), at most 20 of
        each.
      type: list
      elements: dict
      sample: []
actions:
  description: The API calls that made changes, or that would be made in check mode.
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
            "take_over": {"type": "bool", "default": False},
            "governed": {"type": "bool"},
            "estimate": {"type": "int"},
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
