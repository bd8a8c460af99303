# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: change_state
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Evaluate whether change is permitted, why, and until when
description:
  - Evaluates a C(changeManagement) stanza and its policies at a given time, as described in the OpenShift enhancement
    "Change Management and Maintenance Schedules".
  - The evaluation fails closed. Change is restricted by a missing policy, a policy that is not ready, and any
    violation of a rule. The reason names the field and the rule.
  - All schedules are in UTC. The end of a window is exclusive, and adjacent windows are merged. Excluded dates are
    removed from the windows. The part of a window after an excluded day is kept.
positional: policies, now
extends_documentation_fragment:
  - fieldops.openshift._stanza_options
options:
  windows:
    description: The number of upcoming windows to return.
    type: int
    default: 3
seealso:
  - plugin: fieldops.openshift.change_windows
    plugin_type: filter
  - plugin: fieldops.openshift.validate_change_policy
    plugin_type: filter
  - plugin: fieldops.openshift.change_permitted
    plugin_type: test
"""

EXAMPLES = r"""
- name: Stop unless the pool may be changed now
  ansible.builtin.assert:
    that: state.permitted
    fail_msg: "{{ state.reason }}"
  vars:
    state: "{{ site_stanza | fieldops.openshift.change_state(policies=site_policies) }}"
  # site_stanza:
  #   strategy: ByPolicy
  #   byPolicy: {name: saturday-night}
  # site_policies:
  #   saturday-night:
  #     spec:
  #       strategy: MaintenanceSchedule
  #       maintenanceSchedule:
  #         permit:
  #           recurrence: {frequency: Weekly, weekly: {daysOfWeek: [Saturday], interval: 1}}
  #           startTime: "20:00"
  #           duration: 8h

- name: Preview the change state at Christmas
  ansible.builtin.debug:
    msg: "{{ (site_stanza | fieldops.openshift.change_state(site_policies, '2026-12-25T00:00:00Z')).reason }}"
"""

RETURN = r"""
_value:
  description: The change state.
  type: dict
  contains:
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
    change_management_change_pending:
      description: 1 if changes may be initiated, 2 if they are blocked. The filter assumes that changes are pending.
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
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.ask import ask_state
from ansible_collections.fieldops.openshift.plugins.plugin_utils._template_errors import in_templates


@in_templates()
def change_state(stanza: object, policies: object = None, now: object = None, **options: t.Any) -> dict[str, t.Any]:
    """Return the state of a stanza; see DOCUMENTATION."""
    return ask_state(stanza, policies, now, **options).as_data()


class FilterModule:
    """Gives the filter its name."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Return the filter."""
        return {"change_state": change_state}
