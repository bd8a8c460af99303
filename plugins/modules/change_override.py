#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: change_override
short_description: Permit or restrict change temporarily, and record who requested it and why
version_added: 0.1.0
description:
  - Overrides change management until a given time, for the whole cluster or for selected resources. When the override
    ends, the stanzas apply again without further action.
  - An override starts immediately or at a future time. Use it for an additional maintenance window or for a change
    freeze.
  - A restriction takes precedence over a permission. A permission that would have no effect because of a restriction
    is rejected.
  - The user as authenticated by the API server, the time and the reason are recorded with the stanzas, in the
    ConfigMap C(change-overrides) in the namespace C(fieldops-openshift).
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
attributes:
  check_mode:
    details: Sends every write to the API server as a dry run.
  idempotent:
    details: Applying the same override again makes no change and keeps the original requester.
options:
  pools:
    description:
      - The names of MachineConfigPools. V(master) is the control plane. Without O(pools) and O(kind), the override
        applies to the control plane and all pools.
    type: list
    elements: str
  kind:
    description: The kind of a single resource.
    type: str
    choices: [ClusterVersion, MachineConfigPool, HostedCluster, NodePool]
  name:
    description: The name of that resource, V(version) for the ClusterVersion. An override of the ClusterVersion also
      applies to the master pool.
    type: str
  namespace:
    description: The namespace of a HostedCluster or NodePool.
    type: str
  scope:
    description:
      - What an override of the ClusterVersion applies to. V(all) is the control plane and all pools. Required for
        that kind. The default is V(all) if no resource is specified.
    type: str
    choices: [all, control_plane]
  state:
    description:
      - Whether the override exists. V(absent) ends the override in effect or, with O(from), the override that starts
        at that time.
    type: str
    choices: [present, absent]
    default: present
  strategy:
    description:
      - The strategy that applies during the override.
      - With O(state=absent), only an override with this strategy is ended. By default, either is.
    type: str
    choices: [Permissive, Restrictive]
  from:
    description:
      - The start time, in RFC 3339 format with a UTC offset, quoted. By default, the override starts immediately.
    type: str
  until:
    description:
      - The end time, which must be in the future.
      - Required for a permission. A restriction without an end lasts until it is removed.
    type: str
  duration:
    description:
      - The duration of the override, instead of O(until), as a Go duration such as V(4h) or V(1h30m). Each run
        restarts the duration.
    type: str
  reason:
    description: The reason, which is stored with the override and shown to every user whose change it blocks.
    type: str
    required: true
  allow_missing:
    description:
      - Whether the resource may be missing in the cluster. By default this is rejected, because a misspelled name
        would have no effect.
      - See RV(fieldops.openshift.change_management_info#module:orphans) for assignments to resources that do not
        exist.
    type: bool
    default: false
  clock_limit:
    description: The maximum difference in seconds between the clocks of the controller and of the API server. If it
      is exceeded, O(from) and O(until) are rejected.
    type: int
    default: 30
notes:
  - The required RBAC permissions are in C(extensions/rbac/change-manager.yml) and
    C(extensions/rbac/change-management-reader.yml) of this collection.
seealso:
  - module: fieldops.openshift.change_management_info
  - module: fieldops.openshift.change_policy
"""

EXAMPLES = r"""
- name: Stop all changes of the cluster immediately
  fieldops.openshift.change_override:
    strategy: Restrictive
    reason: nodes do not come back after the reboot

- name: End the change freeze
  fieldops.openshift.change_override:
    state: absent
    reason: the firmware was rolled back

- name: Permit changes of workers for four hours
  fieldops.openshift.change_override:
    pools: [worker]
    strategy: Permissive
    duration: 4h
    reason: the fix of incident 4711 cannot wait for Saturday

- name: Add a maintenance window next Tuesday
  fieldops.openshift.change_override:
    strategy: Permissive
    from: "2026-12-01T20:00:00Z"
    until: "2026-12-02T04:00:00Z"
    reason: agreed with the customer on 25 November
"""

RETURN = r"""
override:
  description: The requested override. None if an override was ended.
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
  description: All current and future overrides of the selected resources, by C(kind.name).
  type: dict
  returned: success
  sample:
    ClusterVersion.version: []
who:
  description: The user who made the request, as authenticated by the API server.
  type: str
  returned: success
  sample: system:serviceaccount:automation:runner
actions:
  description: The API calls that made changes, or that would be made in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: patch, kind: ConfigMap, namespace: fieldops-openshift, name: change-overrides, dry_run: false}
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
