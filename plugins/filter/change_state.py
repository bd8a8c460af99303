# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: change_state
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Tell whether change is permitted, why, and until when
description:
  - Answers what a C(changeManagement) stanza and its policies say at an instant, as the OpenShift enhancement
    "Change Management and Maintenance Schedules" describes it.
  - Nothing fails open. A missing policy, one that is not ready and everything that breaks a rule restrict; the
    reason names the field and the rule.
  - All schedules are in UTC and all windows are half-open. Windows that touch are one. Excluded dates are taken out
    of the windows; the tail of a window beyond an excluded day stays.
positional: policies, now
options:
  _input:
    description:
      - The C(changeManagement) stanza of a resource, or the whole resource. A resource without one is permissive.
      - V(none) says nothing, and restricts, as everything does that is no stanza.
    type: dict
    required: true
  policies:
    description:
      - The policies that stanzas may refer to, as a mapping by name or as a list of API objects.
      - An entry of the mapping is an API object, a mapping with C(spec) and optionally C(ready), or the content of
        C(spec) alone.
    type: raw
    default: {}
  now:
    description:
      - The instant that is asked about, as RFC 3339 has it, with any offset. By default the present one.
      - It is meant for rehearsals and tests; modules always use the present moment.
    type: str
  windows:
    description: How many of the next windows to return.
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

- name: Rehearse what Christmas will be like
  ansible.builtin.debug:
    msg: "{{ (site_stanza | fieldops.openshift.change_state(site_policies, '2026-12-25T00:00:00Z')).reason }}"
"""

RETURN = r"""
_value:
  description: The state.
  type: dict
  contains:
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
      description: The instant that was asked about.
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
    change_management_change_pending:
      description: 1 for changes that may be initiated, 2 for blocked ones; it takes for granted that some are pending.
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
"""

import typing as t

from ansible.errors import AnsibleFilterError

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.ask import ask_state
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


def change_state(stanza: object, policies: object = None, now: object = None, **options: t.Any) -> dict[str, t.Any]:
    """Return the state of a stanza; see DOCUMENTATION."""
    try:
        state = ask_state(stanza, policies, now, **options)
    except FieldOpsError as error:
        raise AnsibleFilterError(str(error)) from error
    return state.as_data()


class FilterModule:
    """Gives the filter its name."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Return the filter."""
        return {"change_state": change_state}
