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
  - Sets change management of one resource aside until an instant. What its stanza says is back when the override is
    over; nobody has to remember it.
  - Who asked, as the API knows it, when and why is recorded where the stanza lasts, in the ConfigMap
    C(change-assignments) of the namespace C(fieldops-openshift).
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
  kind:
    description: The kind of the resource.
    type: str
    choices: [ClusterVersion, MachineConfigPool, HostedCluster, NodePool]
    required: true
  name:
    description: The name of the resource, V(version) for the ClusterVersion. The master pool has its override.
    type: str
    required: true
  namespace:
    description: The namespace of a HostedCluster or NodePool.
    type: str
  state:
    description: Whether the override shall be there.
    type: str
    choices: [present, absent]
    default: present
  strategy:
    description: What shall hold meanwhile.
    type: str
    choices: [Permissive, Restrictive]
  until:
    description:
      - The instant at which it is over, as RFC 3339 has it with its offset, in quotes. It has to be to come.
      - A permission needs one. A restriction without one lasts until somebody ends it.
    type: str
  why:
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
    description: By how many seconds our clock and the API server's may differ before O(until) is refused.
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
- name: Let the workers be changed until tomorrow evening
  fieldops.openshift.change_override:
    kind: MachineConfigPool
    name: worker
    strategy: Permissive
    until: "2026-11-22T18:00:00Z"
    why: the fix of incident 4711 cannot wait for Saturday

- name: Stop all changes of the cluster at once
  fieldops.openshift.change_override:
    kind: ClusterVersion
    name: version
    strategy: Restrictive
    why: nodes do not come back after the reboot

- name: End that
  fieldops.openshift.change_override:
    kind: ClusterVersion
    name: version
    state: absent
    why: the firmware was rolled back
"""

RETURN = r"""
override:
  description: The override that is there now, or nothing.
  type: dict
  returned: success
  sample:
    strategy: Permissive
    until: "2026-11-22T18:00:00Z"
    by: system:serviceaccount:automation:runner
    why: the fix of incident 4711 cannot wait for Saturday
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

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.override_task import carry_out
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.stanzas import RESOURCE_KINDS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run_module
from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import Result

SPEC = CLUSTER_OPTIONS.merged(
    ArgumentSpec(
        options={
            "kind": {"type": "str", "choices": list(RESOURCE_KINDS), "required": True},
            "name": {"type": "str", "required": True},
            "namespace": {"type": "str"},
            "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
            "strategy": {"type": "str", "choices": ["Permissive", "Restrictive"]},
            "until": {"type": "str"},
            "why": {"type": "str", "required": True},
            "allow_missing": {"type": "bool", "default": False},
            "clock_limit": {"type": "int", "default": 30},
        },
        required_by={"until": ["strategy"]},
    )
)


def main() -> t.NoReturn:
    def work(run: ModuleRun) -> Result:
        client = cluster_client(run)
        outcome = carry_out(client, run.params)
        return Result(outcome.changed, outcome.objects, client.actions.as_data(), outcome.difference)

    run_module(SPEC, work)


if __name__ == "__main__":
    main()
