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
  - Lists the upcoming maintenance windows of a C(changeManagement) stanza and its policies. A window that is already
    open starts at the given time. Adjacent windows are merged.
  - An invalid stanza or policy is an error, because an empty list means that there are no windows.
positional: count, policies, now
extends_documentation_fragment:
  - fieldops.openshift._stanza_options
options:
  _input:
    description:
      - The C(changeManagement) stanza of a resource, or the complete resource. For a resource without a stanza,
        change is permitted.
      - A policy is supported as well.
  count:
    description: The maximum number of windows to return.
    type: int
    default: 5
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
  description: The windows in chronological order.
  type: list
  elements: dict
  contains:
    start:
      description: The start of the window.
      type: str
      sample: "2026-11-21T20:00:00Z"
    end:
      description: The end of the window, exclusive. None if the window has no end.
      type: str
      sample: "2026-11-22T04:00:00Z"
    seconds:
      description: The length of the window. None if the window has no end.
      type: int
      sample: 28800
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.ask import ask_windows
from ansible_collections.fieldops.openshift.plugins.plugin_utils._template_errors import in_templates


@in_templates()
def change_windows(
    stanza: object, count: int = 5, policies: object = None, now: object = None, **options: t.Any
) -> list[dict[str, t.Any]]:
    """Return the next windows of a stanza; see DOCUMENTATION."""
    return ask_windows(stanza, count, policies, now, **options)


class FilterModule:
    """Gives the filter its name."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Return the filter."""
        return {"change_windows": change_windows}
