#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: change_override
short_description: Permit or restrict change for a time, with who and why
version_added: 0.1.0
description:
  - Sets change management aside until an instant, of the whole cluster or of what is named. What stanzas say is back
    when the override is over; nothing has to be set back.
  - It begins at once, or at an instant to come. That is an extra window, or a freeze, with a date.
  - A restriction is in force over a permission. A permission that a restriction would leave without effect is refused.
  - Who asked, as the API knows it, when and why is recorded where stanzas last, in the ConfigMap C(change-assignments)
    of the namespace C(fieldops-openshift).
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
    details: The same override again changes nothing, and keeps who asked first.
options:
  pools:
    description:
      - The names of MachineConfigPools. V(master) is the control plane. Without O(pools) and O(kind) the control plane
        and all pools are meant.
    type: list
    elements: str
  kind:
    description: The kind of a single resource.
    type: str
    choices: [ClusterVersion, MachineConfigPool, HostedCluster, NodePool]
  name:
    description: Its name, V(version) for the ClusterVersion. The master pool has its override.
    type: str
  namespace:
    description: The namespace of a HostedCluster or NodePool.
    type: str
  scope:
    description:
      - What an override of the ClusterVersion binds, V(all) for the control plane and all pools. It has to be said for
        that kind, and is V(all) where nothing is named.
    type: str
    choices: [all, control_plane]
  state:
    description:
      - Whether the override shall be there. V(absent) ends what is in force, or with O(from) what begins then.
    type: str
    choices: [present, absent]
    default: present
  strategy:
    description: What shall hold meanwhile.
    type: str
    choices: [Permissive, Restrictive]
  from:
    description:
      - The instant at which it begins, as RFC 3339 has it with its offset, in quotes. By default it does at once.
    type: str
  until:
    description:
      - The instant at which it is over. It has to be to come.
      - A permission needs an end. A restriction without one lasts until it is removed.
    type: str
  duration:
    description:
      - For how long, in place of O(until), as Go writes durations, such as V(4h) or V(1h30m). Each run begins to
        count again.
    type: str
  reason:
    description: Why; it is kept with the override and shown to everybody that it stops.
    type: str
    required: true
  allow_missing:
    description:
      - Whether the resource may be one that the cluster does not have. Otherwise it is refused,
        because what is misspelt would govern nothing.
      - RV(fieldops.openshift.change_management_info#module:orphans) lists what is missing.
    type: bool
    default: false
  clock_limit:
    description: By how many seconds our clock and the API server's may differ before O(from) and O(until) are refused.
    type: int
    default: 30
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/change-manager.yml) of this collection.
seealso:
  - module: fieldops.openshift.change_management_info
  - module: fieldops.openshift.change_policy
"""

EXAMPLES = r"""
- name: Stop all changes of the cluster at once
  fieldops.openshift.change_override:
    strategy: Restrictive
    reason: nodes do not come back after the reboot

- name: End that
  fieldops.openshift.change_override:
    state: absent
    reason: the firmware was rolled back

- name: Let the workers be changed for four hours
  fieldops.openshift.change_override:
    pools: [worker]
    strategy: Permissive
    duration: 4h
    reason: the fix of incident 4711 cannot wait for Saturday

- name: Agree on one more window next Tuesday
  fieldops.openshift.change_override:
    strategy: Permissive
    from: "2026-12-01T20:00:00Z"
    until: "2026-12-02T04:00:00Z"
    reason: agreed with the customer on 25 November
"""

RETURN = r"""
override:
  description: The override that was asked for, or nothing where one was ended.
  type: dict
  returned: success
  sample:
    strategy: Permissive
    from:
    until: "2026-11-22T18:00:00Z"
    scope: all
    by: system:serviceaccount:automation:runner
    reason: the fix of incident 4711 cannot wait for Saturday
overrides:
  description: All overrides in force or to come of what was named, by C(kind.name).
  type: dict
  returned: success
  sample:
    ClusterVersion.version: []
who:
  description: Who asked, as the API knows it.
  type: str
  returned: success
  sample: system:serviceaccount:automation:runner
actions:
  description: The calls that changed something, or in check mode would have.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: patch, kind: ConfigMap, namespace: fieldops-openshift, name: change-assignments, dry_run: false}
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.write_override import carry_out
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.overrides import SCOPES
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.stanzas import RESOURCE_KINDS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run

SPEC = CLUSTER_OPTIONS.merged(
    ArgumentSpec(
        options={
            "pools": {"type": "list", "elements": "str"},
            "kind": {"type": "str", "choices": list(RESOURCE_KINDS)},
            "name": {"type": "str"},
            "namespace": {"type": "str"},
            "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
            "strategy": {"type": "str", "choices": ["Permissive", "Restrictive"]},
            "scope": {"type": "str", "choices": list(SCOPES)},
            "from": {"type": "str"},
            "until": {"type": "str"},
            "duration": {"type": "str"},
            "reason": {"type": "str", "required": True},
            "allow_missing": {"type": "bool", "default": False},
            "clock_limit": {"type": "int", "default": 30},
        },
        mutually_exclusive=[["pools", "kind"], ["pools", "scope"], ["until", "duration"]],
        required_together=[["kind", "name"]],
        required_by={"until": ["strategy"], "duration": ["strategy"], "namespace": ["kind"]},
    )
)


def main() -> t.NoReturn:
    run(SPEC, lambda this: carry_out(cluster_client(this), this.params))


if __name__ == "__main__":
    main()
