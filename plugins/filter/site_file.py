# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: site_file
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Write the variables of a site as a file with comments
description:
  - Converts the settings of a site to a YAML file for C(-e @site.yml), with the meaning of every variable as a comment.
    Variables that have their default value are comments, too. Secret values are not written.
options:
  _input:
    description: The settings by variable name without C(site_), as from P(fieldops.openshift.site_settings#lookup).
    type: dict
    required: true
  playbooks:
    description: The playbooks whose variables are written.
    type: list
    elements: str
    required: true
  found:
    description: Lines about the site for the comment at the start of the file.
    type: list
    elements: str
    default: []
"""

EXAMPLES = r"""
- name: Write the variables of the site to a file
  ansible.builtin.copy:
    content: "{{ site_found | fieldops.openshift.site_file(playbooks=['update_site']) }}"
    dest: site.yml
    mode: "0644"
  vars:
    site_found: "{{ lookup('fieldops.openshift.site_settings', 'update_site') }}"
"""

RETURN = r"""
_value:
  description: The content of the file.
  type: str
"""

import typing as t
from collections.abc import Callable, Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_contract import site_contract
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_file import site_file


def _site_file(values: Mapping[str, t.Any], playbooks: Sequence[str], found: Sequence[str] = ()) -> str:
    return site_file(site_contract(), playbooks, values, [str(line) for line in found])


class FilterModule:
    """Gives the filter its name."""

    def filters(self) -> dict[str, Callable[..., object]]:
        """Return the filter."""
        return {"site_file": _site_file}
