#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: change_management_info
short_description: Tell whether a cluster may be changed now, and why not, and wait until it may
version_added: 0.1.0
description:
  - Reads the policies of change management and their assignments, and judges ClusterVersion, every MachineConfigPool
    and, on a hub, every HostedCluster and NodePool at the present instant. No cluster serves the API of the OpenShift
    enhancement "Change Management and Maintenance Schedules"; the modules of this collection keep to its text.
  - A resource without an assignment is permissive, unless the site is governed. Nothing else fails open. A policy that
    is missing or broken restricts, and so does a clock that is too far from the API server's.
  - The master pool has the stanza of ClusterVersion.
  - With O(wait=true) it sleeps until the opening that it computed and looks again then; it does not poll.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._guard_options
  - fieldops.openshift._wait_options
options:
  kind:
    description: The kind of the one resource that is asked about. By default all are.
    type: str
    choices: [ClusterVersion, MachineConfigPool, HostedCluster, NodePool]
  name:
    description: The name of that resource, V(version) for the ClusterVersion.
    type: str
  namespace:
    description: The namespace of a HostedCluster or NodePool.
    type: str
  windows:
    description: How many of the next windows to return of each resource.
    type: int
    default: 3
  time_zone:
    description:
      - A time zone, such as V(Europe/Berlin), whose time stands beside UTC in sentences; V(local) is that of the
        controller. By default there is UTC alone.
    type: str
    default: ""
  overrides:
    description:
      - Overrides by C(kind.name), as M(fieldops.openshift.change_override) returns them, to look at in place of those
        that the cluster keeps. So check mode shows what would hold. Nothing is written.
    type: dict
  calendar_days:
    description: For how many days to return a calendar; none with V(0).
    type: int
    default: 0
  calendar_title:
    description: The title of the calendar's page.
    type: str
    default: Maintenance calendar
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/change-management-reader.yml) of this collection.
seealso:
  - module: fieldops.openshift.change_policy
  - module: fieldops.openshift.change_override
"""

EXAMPLES = r"""
- name: Stop here unless the workers may be changed now
  fieldops.openshift.change_management_info:
    kind: MachineConfigPool
    name: worker
  register: change_answer
  failed_when: not change_answer.permitted

- name: Wait up to two hours until they may
  fieldops.openshift.change_management_info:
    kind: MachineConfigPool
    name: worker
    wait: true
    wait_timeout: 7200

- name: Keep the calendar of the next four weeks where people find it
  fieldops.openshift.change_management_info:
    calendar_days: 28
  register: change_answer
"""

RETURN = r"""
permitted:
  description: Whether change is permitted for all resources that were asked about, for as long as the work takes.
  type: bool
  returned: success
  sample: false
permission:
  description: The answer for the one resource that was asked about; nothing where all were.
  type: dict
  returned: success
  contains:
    permitted:
      description: Whether the change may be begun now.
      type: bool
      sample: false
    resource:
      description: The resource.
      type: str
      sample: MachineConfigPool worker
    sentence:
      description: Whether, why and until when, in one line.
      type: str
      sample: "MachineConfigPool worker: change is restricted: the maintenance schedule of policy saturday-night is
        closed, until 2026-11-21T20:00:00Z, for 9h 12m"
    next_permitted:
      description: The start of the next window that is as long as the work, empty where none is known or needed.
      type: str
      sample: "2026-11-21T20:00:00Z"
who:
  description: Who asked, as the API knows it.
  type: str
  returned: success
  sample: system:serviceaccount:automation:runner
clock:
  description: Our clock beside the API server's.
  type: dict
  returned: success
  contains:
    controller:
      description: The instant by our clock.
      type: str
      sample: "2026-11-21T10:48:00Z"
    server:
      description: The instant by the API server's.
      type: str
      sample: "2026-11-21T10:48:00Z"
    skew:
      description: By how many seconds the server is ahead at least; negative when it is behind.
      type: int
      sample: 0
    limit:
      description: How many seconds are tolerated.
      type: int
      sample: 30
resources:
  description: The resources that were asked about.
  type: list
  elements: dict
  returned: success
  contains:
    kind:
      description: The kind.
      type: str
      sample: MachineConfigPool
    name:
      description: The name.
      type: str
      sample: worker
    namespace:
      description: The namespace, empty for resources of the whole cluster.
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
      description: Whether, why and until when, in one line.
      type: str
      sample: "change is restricted: the maintenance schedule of policy saturday-night is closed, until
        2026-11-21T20:00:00Z, for 9h 12m"
    reason_code:
      description: The reason in one word.
      type: str
      sample: MaintenanceSchedule
    strategy:
      description: The strategy in effect.
      type: str
      sample: MaintenanceSchedule
    now:
      description: The instant of the answer.
      type: str
      sample: "2026-11-21T10:48:00Z"
    next_transition:
      description: The first instant at which it is otherwise, or nothing.
      type: str
      sample: "2026-11-21T20:00:00Z"
    next_windows:
      description: The next windows with C(start), C(end) and their length in C(seconds).
      type: list
      elements: dict
      sample: [{start: "2026-11-21T20:00:00Z", end: "2026-11-22T04:00:00Z", seconds: 28800}]
    warnings:
      description: That no window is ever as long as the work, where that is so.
      type: list
      elements: str
      sample: []
    change_management_change_pending:
      description: 0 for none, 1 for pending and initiated, 2 for blocked.
      type: int
      sample: 2
    change_management_next_change_eta:
      description: Seconds to the next opening, 0 while open, -1 if paused indefinitely, -2 if none can be computed.
      type: int
      sample: 33120
    change_management_permissive_remaining:
      description: Seconds to the end of the window, 0 while closed, -1 if it has no end, -2 for documents at fault.
      type: int
      sample: 0
    change_management_last_change:
      description: Seconds since change was last permitted by these rules, 0 while it is, -1 if not known.
      type: int
      sample: 543600
    change_management_strategy_enabled:
      description: 1 for the strategy in effect and 0 for the others.
      type: dict
      sample: {MaintenanceSchedule: 1, Permissive: 0, Restrictive: 0}
    pending:
      description: Whether a change of the resource waits to be made or is under way.
      type: bool
      sample: true
    pending_reason:
      description: Which one.
      type: str
      sample: 1 of 3 machines have rendered-worker-4f1c8e
    pending_since:
      description: Since when, as far as the API tells; empty where it does not. A pool waits from when an update of the
        release is asked for.
      type: str
      sample: "2026-11-20T18:03:11Z"
    waiting_until:
      description: When a pending change that is blocked may be begun, empty where none is or no opening is known.
      type: str
      sample: "2026-11-21T20:00:00Z"
    begun:
      description: Whether the pending change was begun. What was begun goes on; pools begin node by node.
      type: bool
      sample: false
    governed:
      description: Whether anything governs the resource, a stanza, an override or the mark of a governed site.
      type: bool
      sample: true
    stanza:
      description: The stanza that governs the resource, or nothing.
      type: dict
      sample: {strategy: ByPolicy, byPolicy: {name: saturday-night}}
    overrides:
      description: The overrides in force or to come, with C(strategy), C(from), C(until), C(scope), C(by) and C(why).
      type: list
      elements: dict
      sample: []
    changes:
      description: The last changes of the assignment with C(by), C(at), C(why) and C(did).
      type: list
      elements: dict
      sample: [{by: system:admin, at: "2026-11-20T09:12:44Z", why: agreed with the customer, did: set}]
nodes:
  description: The nodes of the pools that were asked about.
  type: list
  elements: dict
  returned: success
  contains:
    name:
      description: The name of the node.
      type: str
      sample: worker-1
    pool:
      description: Its pool, empty for a node in none, which nothing governs.
      type: str
      sample: worker
    permitted:
      description: Whether its pool permits change.
      type: bool
      sample: false
    pending:
      description: Whether a change waits to be made or is under way.
      type: bool
      sample: true
    pending_reason:
      description: Which one.
      type: str
      sample: it has rendered-worker-4f1c8e, its pool rendered-worker-90ab1d
    begun:
      description: Whether it was begun; what was begun goes on.
      type: bool
      sample: false
policies:
  description: The policies.
  type: list
  elements: dict
  returned: success
  contains:
    name:
      description: The name.
      type: str
      sample: saturday-night
    spec:
      description: What it says.
      type: dict
      sample: {strategy: Restrictive}
    valid:
      description: Whether it keeps all rules; if not it restricts.
      type: bool
      sample: true
    errors:
      description: The complaints with C(field), C(seen) and C(rule).
      type: list
      elements: dict
      sample: []
    warnings:
      description: What is valid and yet hardly meant.
      type: list
      elements: str
      sample: []
    used_by:
      description: The resources that refer to it.
      type: list
      elements: str
      sample: [MachineConfigPool worker]
    status:
      description: The present and the next behaviour, the last transitions and the conditions, as in the enhancement.
      type: dict
      sample: {behavior: {current: {state: ChangesPaused}}}
    changes:
      description: The last changes of the policy with C(by), C(at), C(why) and C(did).
      type: list
      elements: dict
      sample: []
going_on:
  description: What goes on whatever change management says now, because it was begun; one line each.
  type: list
  elements: str
  returned: success
  sample: ["node worker-1: it has rendered-worker-4f1c8e, its pool rendered-worker-90ab1d"]
summary:
  description: One line for each resource, then what goes on.
  type: list
  elements: str
  returned: success
  sample: ["MachineConfigPool worker: change is restricted: the resource is restrictive, until somebody changes that"]
orphans:
  description: The assignments to resources that the cluster does not have, by C(kind.name). They govern nothing.
  type: list
  elements: str
  returned: success
  sample: [MachineConfigPool.workers]
exposition:
  description: The metrics of the resources as Prometheus reads them from a text file.
  type: str
  returned: success
  sample: 'change_management_next_change_eta{kind="MachineConfigPool",object="worker",system="worker-nodes"} 33120'
calendar:
  description: The calendar as C(text) and as a page in C(html), and as a feed to subscribe to in C(ics), with
    O(calendar_days). Local time stands beside UTC with O(time_zone).
  type: dict
  returned: success
  sample:
actions:
  description: The calls that changed something. This module makes none.
  type: list
  elements: dict
  returned: success
  sample: []
progress:
  description: Where things stand.
  type: dict
  returned: success
  contains:
    sentence:
      description: In one line.
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
      description: That nothing is known to change before.
      type: bool
      sample: true
timeline:
  description: What was seen while it waited, one entry for each change, as
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
