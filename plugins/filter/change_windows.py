# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: change_windows
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: List the next windows in which change is permitted
description:
  - Lists the next maintenance windows of a C(changeManagement) stanza and its policies. A window that is open at
    the instant begins there; windows that touch are one.
  - A stanza or policy at fault is an error, because an empty list says that there are no windows.
positional: count, policies, now
options:
  _input:
    description:
      - The C(changeManagement) stanza of a resource, or the whole resource. A resource without one is permissive.
      - Or a policy.
    type: dict
    required: true
  count:
    description: How many windows to return at most.
    type: int
    default: 5
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
seealso:
  - plugin: fieldops.openshift.change_state
    plugin_type: filter
  - plugin: fieldops.openshift.validate_change_policy
    plugin_type: filter
  - plugin: fieldops.openshift.change_permitted
    plugin_type: test
"""

EXAMPLES = r"""
- name: Show the next three windows
  ansible.builtin.debug:
    msg: "{{ site_stanza | fieldops.openshift.change_windows(3, site_policies) }}"
"""

RETURN = r"""
_value:
  description: The windows in order.
  type: list
  elements: dict
  contains:
    start:
      description: The first instant.
      type: str
      sample: "2026-11-21T20:00:00Z"
    end:
      description: The first instant after, or nothing where the window has no end.
      type: str
      sample: "2026-11-22T04:00:00Z"
    seconds:
      description: The length, or nothing where the window has no end.
      type: int
      sample: 28800
"""

import typing as t

from ansible.errors import AnsibleFilterError

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.ask import ask_windows
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


def change_windows(
    stanza: object, count: int = 5, policies: object = None, now: object = None, **options: t.Any
) -> list[dict[str, t.Any]]:
    """Return the next windows of a stanza; see DOCUMENTATION."""
    try:
        return ask_windows(stanza, count, policies, now, **options)
    except FieldOpsError as error:
        raise AnsibleFilterError(str(error)) from error


class FilterModule:
    """Gives the filter its name."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Return the filter."""
        return {"change_windows": change_windows}
