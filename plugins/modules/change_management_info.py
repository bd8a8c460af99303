#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: change_management_info
short_description: Gather information about change management, optionally waiting until change is permitted
version_added: 0.1.0
description:
  - Reads the change management policies and their assignments, and evaluates whether change is permitted now for
    ClusterVersion, every MachineConfigPool and, on a hub cluster, every HostedCluster and NodePool. The modules of
    this collection implement the text of the OpenShift enhancement "Change Management and Maintenance Schedules",
    whose API no cluster serves.
  - For a resource without an assignment, change is permitted unless the site is governed. In all other cases, the
    module fails closed. A missing or invalid policy restricts change, and so does a clock that differs too much from
    the clock of the API server.
  - The master pool uses the stanza of the ClusterVersion.
  - With O(wait=true), the module sleeps until the computed start of the next window and evaluates again. It does not
    poll.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._guard_options
  - fieldops.openshift._wait_options
options:
  kind:
    description: The kind of the single resource to evaluate. By default, all resources are evaluated.
    type: str
    choices: [ClusterVersion, MachineConfigPool, HostedCluster, NodePool]
  name:
    description: The name of that resource, V(version) for the ClusterVersion.
    type: str
  namespace:
    description: The namespace of a HostedCluster or NodePool.
    type: str
  windows:
    description: The number of upcoming windows to return for each resource.
    type: int
    default: 3
  time_zone:
    description:
      - A time zone, such as V(Europe/Berlin), in which messages show times in addition to UTC. V(local) is the time
        zone of the controller. By default, only UTC is shown.
    type: str
    default: ""
  overrides:
    description:
      - Overrides by C(kind.name), as returned by M(fieldops.openshift.change_override), to evaluate instead of those
        in the cluster. Use this in check mode to preview an override. Nothing is written.
    type: dict
  calendar_days:
    description: The number of days for which a calendar is returned. V(0) returns no calendar.
    type: int
    default: 0
  calendar_title:
    description: The page title of the calendar.
    type: str
    default: Maintenance calendar
notes:
  - The required RBAC permissions are in C(extensions/rbac/change-management-reader.yml) of this collection.
seealso:
  - module: fieldops.openshift.change_policy
  - module: fieldops.openshift.change_override
"""

EXAMPLES = r"""
- name: Stop unless workers may be changed now
  fieldops.openshift.change_management_info:
    kind: MachineConfigPool
    name: worker
  register: change_answer
  failed_when: not change_answer.permitted

- name: Wait up to two hours until workers may be changed
  fieldops.openshift.change_management_info:
    kind: MachineConfigPool
    name: worker
    wait: true
    wait_timeout: 7200

- name: Publish the calendar of the next four weeks
  fieldops.openshift.change_management_info:
    calendar_days: 28
  register: change_answer
"""

RETURN = r"""
permitted:
  description: Whether change is permitted for all evaluated resources for as long as the work takes.
  type: bool
  returned: success
  sample: false
permission:
  description: The decision for a single resource. None if all resources were evaluated.
  type: dict
  returned: success
  contains:
    permitted:
      description: Whether the change may start now.
      type: bool
      sample: false
    resource:
      description: The resource.
      type: str
      sample: MachineConfigPool worker
    sentence:
      description: A one-line summary with the decision, its reason and when it expires.
      type: str
      sample: "MachineConfigPool worker: change is restricted: the maintenance schedule of policy saturday-night is
        closed, until 2026-11-21T20:00:00Z, for 9h 12m"
    next_permitted:
      description: The start of the next window that is long enough for the work. Empty if none is known or needed.
      type: str
      sample: "2026-11-21T20:00:00Z"
who:
  description: The user who made the request, as authenticated by the API server.
  type: str
  returned: success
  sample: system:serviceaccount:automation:runner
clock:
  description: The clock of the controller compared to the clock of the API server.
  type: dict
  returned: success
  contains:
    controller:
      description: The time of the controller.
      type: str
      sample: "2026-11-21T10:48:00Z"
    server:
      description: The time of the API server.
      type: str
      sample: "2026-11-21T10:48:00Z"
    skew:
      description: The minimum number of seconds by which the server is ahead. Negative if it is behind.
      type: int
      sample: 0
    limit:
      description: The tolerated difference in seconds.
      type: int
      sample: 30
resources:
  description: The evaluated resources.
  type: list
  elements: dict
  returned: success
  contains:
    kind:
      description: The kind of the resource.
      type: str
      sample: MachineConfigPool
    name:
      description: The name of the resource.
      type: str
      sample: worker
    namespace:
      description: The namespace of the resource, empty for cluster-scoped resources.
      type: str
      sample: ""
    system:
      description: V(control-plane) or V(worker-nodes).
      type: str
      sample: worker-nodes
    permitted:
      description: Whether change is permitted.
      type: bool
      sample: false
    reason:
      description: A one-line summary with the decision, its reason and when it expires.
      type: str
      sample: "change is restricted: the maintenance schedule of policy saturday-night is closed, until
        2026-11-21T20:00:00Z, for 9h 12m"
    reason_code:
      description: The machine-readable reason.
      type: str
      sample: MaintenanceSchedule
    strategy:
      description: The effective strategy.
      type: str
      sample: MaintenanceSchedule
    now:
      description: The time of the evaluation.
      type: str
      sample: "2026-11-21T10:48:00Z"
    next_transition:
      description: When the decision changes next. None if it does not change.
      type: str
      sample: "2026-11-21T20:00:00Z"
    next_windows:
      description: The upcoming windows, with C(start), C(end) and their length in C(seconds).
      type: list
      elements: dict
      sample: [{start: "2026-11-21T20:00:00Z", end: "2026-11-22T04:00:00Z", seconds: 28800}]
    warnings:
      description: Warnings, for example that no window is long enough for the work.
      type: list
      elements: str
      sample: []
    change_management_change_pending:
      description: 0 if no change is pending, 1 if a change is pending and initiated, 2 if it is blocked.
      type: int
      sample: 2
    change_management_next_change_eta:
      description: The seconds until the next window, 0 while change is permitted, -1 if paused indefinitely, -2 if it
        cannot be computed.
      type: int
      sample: 33120
    change_management_permissive_remaining:
      description: The seconds until the end of the window, 0 while change is restricted, -1 if it has no end, -2 if
        documents are invalid.
      type: int
      sample: 0
    change_management_last_change:
      description: The seconds since these rules last permitted change, 0 while change is permitted, -1 if unknown.
      type: int
      sample: 543600
    change_management_strategy_enabled:
      description: 1 for the effective strategy and 0 for the others.
      type: dict
      sample: {MaintenanceSchedule: 1, Permissive: 0, Restrictive: 0}
    pending:
      description: Whether a change of the resource is pending or in progress.
      type: bool
      sample: true
    pending_reason:
      description: A description of the pending change.
      type: str
      sample: 1 of 3 machines have rendered-worker-4f1c8e
    pending_since:
      description: When the change became pending, as far as the API reports it. Empty if unknown. A pool is pending
        from the time at which a release update is requested.
      type: str
      sample: "2026-11-20T18:03:11Z"
    waiting_until:
      description: When a blocked pending change may start. Empty if there is none or no window is known.
      type: str
      sample: "2026-11-21T20:00:00Z"
    begun:
      description: Whether the pending change has started. A change that has started continues. Pools start node by
        node.
      type: bool
      sample: false
    governed:
      description: Whether the resource is governed, by a stanza, an override or the mark of a governed site.
      type: bool
      sample: true
    stanza:
      description: The stanza that governs the resource. None if there is none.
      type: dict
      sample: {strategy: ByPolicy, byPolicy: {name: saturday-night}}
    overrides:
      description: The current and future overrides, with C(strategy), C(from), C(until), C(scope), C(by) and C(reason).
      type: list
      elements: dict
      sample: []
    changes:
      description: The last changes of the assignment, with C(by), C(at), C(reason) and C(did).
      type: list
      elements: dict
      sample: [{by: system:admin, at: "2026-11-20T09:12:44Z", reason: agreed with the customer, did: set}]
nodes:
  description: The nodes of the evaluated pools.
  type: list
  elements: dict
  returned: success
  contains:
    name:
      description: The name of the node.
      type: str
      sample: worker-1
    pool:
      description: The pool of the node. Empty for a node without a pool, which is not governed.
      type: str
      sample: worker
    permitted:
      description: Whether the pool permits change.
      type: bool
      sample: false
    pending:
      description: Whether a change of the node is pending or in progress.
      type: bool
      sample: true
    pending_reason:
      description: A description of the pending change.
      type: str
      sample: it has rendered-worker-4f1c8e, its pool rendered-worker-90ab1d
    begun:
      description: Whether the change has started. A change that has started continues.
      type: bool
      sample: false
policies:
  description: The policies.
  type: list
  elements: dict
  returned: success
  contains:
    name:
      description: The name of the policy.
      type: str
      sample: saturday-night
    spec:
      description: The specification of the policy.
      type: dict
      sample: {strategy: Restrictive}
    valid:
      description: Whether the policy is valid. An invalid policy restricts change.
      type: bool
      sample: true
    errors:
      description: The validation errors, with C(field), C(seen) and C(rule).
      type: list
      elements: dict
      sample: []
    warnings:
      description: Settings that are valid but probably unintended.
      type: list
      elements: str
      sample: []
    used_by:
      description: The resources that use the policy.
      type: list
      elements: str
      sample: [MachineConfigPool worker]
    status:
      description: The current and the next behavior, the last transitions and the conditions, as defined in the
        enhancement.
      type: dict
      sample: {behavior: {current: {state: ChangesPaused}}}
    changes:
      description: The last changes of the policy, with C(by), C(at), C(reason) and C(did).
      type: list
      elements: dict
      sample: []
going_on:
  description: Changes that continue regardless of change management because they have already started, one line each.
  type: list
  elements: str
  returned: success
  sample: ["node worker-1: it has rendered-worker-4f1c8e, its pool rendered-worker-90ab1d"]
summary:
  description: One line for each resource, followed by the changes that have already started.
  type: list
  elements: str
  returned: success
  sample: ["MachineConfigPool worker: change is restricted: the resource is restrictive, until it is changed"]
orphans:
  description: The assignments, by C(kind.name), to resources that do not exist in the cluster. They have no effect.
  type: list
  elements: str
  returned: success
  sample: [MachineConfigPool.workers]
exposition:
  description: The metrics of the resources, in the Prometheus text format.
  type: str
  returned: success
  sample: 'change_management_next_change_eta{kind="MachineConfigPool",object="worker",system="worker-nodes"} 33120'
calendar:
  description: The calendar as C(text), as an C(html) page, and as an C(ics) feed. Requires O(calendar_days). Local
    time is shown in addition to UTC if O(time_zone) is set.
  type: dict
  returned: success
  sample:
actions:
  description: Always empty, because this module makes no changes.
  type: list
  elements: dict
  returned: success
  sample: []
progress:
  description: The current progress.
  type: dict
  returned: success
  contains:
    sentence:
      description: The progress as a one-line message.
      type: str
      sample: "MachineConfigPool worker: change is restricted: the maintenance schedule of policy saturday-night is
        closed, until 2026-11-21T20:00:00Z, for 9h 12m"
    done:
      description: Whether change is permitted.
      type: bool
      sample: false
    next_delay:
      description: Suggested delay in seconds before checking again.
      type: float
      sample: 33120.0
    appointed:
      description: Whether nothing is expected to change before C(next_delay) has passed.
      type: bool
      sample: true
timeline:
  description: The progress messages observed while waiting, one entry for each change, in the same format as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T20:00:00Z', sentence: change is permitted for MachineConfigPool worker}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.changes_info import look_at_changes
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.guard import GUARD_NEVER_NULL, GUARD_OPTION
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.stanzas import RESOURCE_KINDS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

SPEC = CLUSTER_OPTIONS.merged(
    WAIT_OPTIONS,
    ArgumentSpec(
        options={
            "kind": {"type": "str", "choices": list(RESOURCE_KINDS)},
            "name": {"type": "str"},
            "namespace": {"type": "str"},
            "guard": GUARD_OPTION,
            "windows": {"type": "int", "default": 3},
            "time_zone": {"type": "str", "default": ""},
            "overrides": {"type": "dict"},
            "calendar_days": {"type": "int", "default": 0},
            "calendar_title": {"type": "str", "default": "Maintenance calendar"},
        },
        required_together=[["kind", "name"]],
        required_by={"namespace": ["kind"]},
        never_null=GUARD_NEVER_NULL,
    ),
)
WAITING = Waiting("change is permitted", on="the cluster")


def main() -> t.NoReturn:
    def look(this: ModuleRun) -> Step:
        report, sentence, delay = look_at_changes(cluster_client(this), this.params)
        return Step(sentence, report["permitted"], objects=report, next_delay=delay, appointed=True)

    run(SPEC, look, WAITING)


if __name__ == "__main__":
    main()
