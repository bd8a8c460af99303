# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: change_schedules
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Convert change policies to schedules of a job
description:
  - Returns one schedule of AWX or automation controller for each policy that has windows, which starts a job whenever a
    window of the policy opens.
  - The result depends only on the input. Applied again at another time, it changes nothing.
positional: schedule
options:
  _input:
    description: The policies by name, as in C(site_change_policies).
    type: dict
    required: true
  schedule:
    description: What all schedules have in common. The name of the policy is appended to its C(name).
    type: dict
    required: true
seealso:
  - plugin: fieldops.openshift.change_schedule_rrule
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Update the site whenever a window opens
  awx.awx.schedule:
    name: "{{ item.name }}"
    unified_job_template: "{{ item.unified_job_template }}"
    rrule: "{{ item.rrule }}"
  loop: "{{ site_change_policies | fieldops.openshift.change_schedules(update) }}"
  vars:
    update:
      name: site-a window
      unified_job_template: site-a update
"""

RETURN = r"""
_value:
  description: The schedules, in the order of the policies.
  type: list
  elements: dict
  contains:
    name:
      description: The name of O(schedule) with the name of the policy.
      type: str
      sample: site-a window saturday-night
    rrule:
      description: The start time and the rules.
      type: str
      sample: DTSTART:20260103T200000Z RRULE:FREQ=WEEKLY;INTERVAL=1;BYDAY=SA
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.ask import moment
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.job_schedules import job_schedules
from ansible_collections.fieldops.openshift.plugins.plugin_utils._template_errors import in_templates

BEGINNING = "2026-01-01T00:00:00Z"
"""AWX computes the next start from any start in the past. One that moves would be a change each time."""


@in_templates()
def change_schedules(policies: t.Mapping[str, object], schedule: t.Mapping[str, object]) -> list[dict[str, object]]:
    """Return the schedules; see DOCUMENTATION."""
    found = job_schedules(policies, moment(BEGINNING))
    return [{**schedule, "name": f"{schedule['name']} {name}", "rrule": rrule} for name, rrule in found.items()]


class FilterModule:
    """Gives the filter its name."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Return the filter."""
        return {"change_schedules": change_schedules}
