# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: change_permitted
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Test whether change is permitted
description:
  - Returns whether a C(changeManagement) stanza and its policies permit change at a given time.
  - The evaluation fails closed. P(fieldops.openshift.change_state#filter) also returns the reason and the time until
    which the result is valid.
positional: policies, now
extends_documentation_fragment:
  - fieldops.openshift._stanza_options
seealso:
  - plugin: fieldops.openshift.change_state
    plugin_type: filter
  - plugin: fieldops.openshift.change_windows
    plugin_type: filter
  - plugin: fieldops.openshift.validate_change_policy
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Change the resource only while change is permitted
  ansible.builtin.include_role:
    name: example.site.change
  when: site_stanza is fieldops.openshift.change_permitted(site_policies)
"""

RETURN = r"""
_value:
  description: Whether change is permitted.
  type: bool
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.ask import ask_state
from ansible_collections.fieldops.openshift.plugins.plugin_utils._template_errors import in_templates


@in_templates()
def change_permitted(stanza: object, policies: object = None, now: object = None, **options: t.Any) -> bool:
    """Return whether a stanza permits change; see DOCUMENTATION."""
    return ask_state(stanza, policies, now, windows=0, **options).permitted


class TestModule:
    """Gives the test its name."""

    def tests(self) -> dict[str, t.Callable[..., bool]]:
        """Return the test."""
        return {"change_permitted": change_permitted}
