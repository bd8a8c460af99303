# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: validate_change_policy
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Validate a change management policy or stanza
description:
  - Validates a policy, a C(changeManagement) stanza, a resource with a stanza, a C(maintenanceSchedule), a C(permit)
    or a recurrence. The type of document is detected from its fields.
  - Each error names the field, the observed value and the rule. Documents that are valid but probably unintended,
    such as a schedule that never opens, cause warnings.
options:
  _input:
    description: The document to validate.
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
- name: Reject a policy that violates a rule
  ansible.builtin.assert:
    that: judgement.valid
    fail_msg: "{{ judgement.errors }}"
  vars:
    judgement: "{{ site_policy | fieldops.openshift.validate_change_policy }}"
"""

RETURN = r"""
_value:
  description: The validation result.
  type: dict
  contains:
    valid:
      description: Whether the document is valid.
      type: bool
      sample: false
    part:
      description: The detected type of document. One of V(policy), V(stanza), V(schedule), V(permit) and
        V(recurrence).
      type: str
      sample: policy
    errors:
      description: The validation errors, with C(field), C(seen) and C(rule).
      type: list
      elements: dict
      sample: [{field: permit.recurrence.daily.interval, seen: 0 is out of bounds, rule: A whole number from 1 to 730.}]
    warnings:
      description: Settings that are valid but probably unintended.
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
