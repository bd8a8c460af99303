# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: change_schedule_rrule
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Convert a maintenance schedule to the RRULE of a job schedule
description:
  - Returns the C(rrule) of a schedule in AWX or automation controller that starts a job whenever a window of the
    policy opens.
  - A job schedule supports neither excluded dates nor the end of a window. These are checked by the guard before each
    change, see the role P(fieldops.openshift.require_change_window#role).
positional: now
options:
  _input:
    description: A policy with windows, or its C(maintenanceSchedule), C(permit) or recurrence.
    type: raw
    required: true
  now:
    description: The time from which windows are considered, in RFC 3339 format. The default is the current time.
    type: str
seealso:
  - plugin: fieldops.openshift.change_windows
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Start the update whenever the window opens
  awx.awx.schedule:
    name: update on saturday night
    unified_job_template: update a cluster
    rrule: "{{ site_policy | fieldops.openshift.change_schedule_rrule }}"
"""

RETURN = r"""
_value:
  description: The start time and the rules. Several rules are returned if AWX cannot express the schedule with a
    single one.
  type: str
  sample: DTSTART:20261121T200000Z RRULE:FREQ=WEEKLY;INTERVAL=1;BYDAY=SA
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.ask import moment
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.job_schedules import job_schedule
from ansible_collections.fieldops.openshift.plugins.plugin_utils._template_errors import in_templates


@in_templates()
def change_schedule_rrule(document: object, now: object = None) -> str:
    """Return the RRULE of a job schedule; see DOCUMENTATION."""
    return job_schedule(document, moment(now))


class FilterModule:
    """Gives the filter its name."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Return the filter."""
        return {"change_schedule_rrule": change_schedule_rrule}
