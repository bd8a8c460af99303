# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: fleet_page
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Describe the clusters of a fleet on one page
description:
  - Converts the host variables of P(fieldops.openshift.managed_clusters#inventory) to a page for people. It counts the
    clusters by state, release, window, ring and hardware, and reports what prevents updates.
options:
  _input:
    description: The host variables of the clusters.
    type: list
    elements: dict
    required: true
  html:
    description: Whether to return an HTML page, with all clusters, instead of lines for a terminal.
    type: bool
    default: false
seealso:
  - plugin: fieldops.openshift.managed_clusters
    plugin_type: inventory
"""

EXAMPLES = r"""
- name: Show the fleet
  ansible.builtin.debug:
    msg: "{{ groups['managed_clusters'] | map('extract', hostvars) | fieldops.openshift.fleet_page }}"
"""

RETURN = r"""
_value:
  description: The lines of the page, or the HTML page as one string.
  type: raw
  sample:
    - "3500 clusters"
    - "State: 3421 available, 79 unavailable"
"""

import typing as t
from collections.abc import Iterable, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.ask import moment
from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.plan.fleet_page import fleet_html, fleet_lines
from ansible_collections.fieldops.openshift.plugins.plugin_utils._template_errors import in_templates


@in_templates("host variables of the inventory managed_clusters are needed")
def fleet_page(clusters: Iterable[Mapping[str, t.Any]], html: bool = False) -> list[str] | str:
    """Return the page in lines, or as HTML."""
    found = [*clusters]
    return fleet_html(found, moment(None)) if html else fleet_lines(found)


class FilterModule:
    """Gives the filter its name."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Return the filter."""
        return {"fleet_page": fleet_page}
