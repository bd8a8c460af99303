# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: validate_change_policy
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Check a change management policy or stanza
description:
  - Judges a policy, a C(changeManagement) stanza, a resource that has one, a C(maintenanceSchedule), a C(permit) or
    a recurrence, told apart by their fields.
  - Every complaint names the field, what was seen and the rule. Documents that are valid and hardly meant, such as
    a schedule that never opens, have warnings.
options:
  _input:
    description: The document.
    type: raw
    required: true
seealso:
  - plugin: fieldops.openshift.change_state
    plugin_type: filter
  - plugin: fieldops.openshift.change_windows
    plugin_type: filter
  - plugin: fieldops.openshift.change_permitted
    plugin_type: test
"""

EXAMPLES = r"""
- name: Refuse a policy that breaks a rule
  ansible.builtin.assert:
    that: judgement.valid
    fail_msg: "{{ judgement.errors }}"
  vars:
    judgement: "{{ site_policy | fieldops.openshift.validate_change_policy }}"
"""

RETURN = r"""
_value:
  description: The judgement.
  type: dict
  contains:
    valid:
      description: Whether the document keeps all rules.
      type: bool
      sample: false
    part:
      description: What the document was taken for; one of V(policy), V(stanza), V(schedule), V(permit), V(recurrence).
      type: str
      sample: policy
    errors:
      description: The complaints with C(field), C(seen) and C(rule).
      type: list
      elements: dict
      sample: [{field: permit.recurrence.daily.interval, seen: 0 is out of bounds, rule: A whole number from 1 to 730.}]
    warnings:
      description: What is valid and yet hardly meant.
      type: list
      elements: str
      sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.ask import moment
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.validation import validate


def validate_change_policy(document: object) -> dict[str, t.Any]:
    """Return the judgement on a document; see DOCUMENTATION."""
    return validate(document, moment()).as_data()


class FilterModule:
    """Gives the filter its name."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Return the filter."""
        return {"validate_change_policy": validate_change_policy}
