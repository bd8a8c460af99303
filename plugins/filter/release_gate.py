# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: release_gate
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Judge whether a release may be asked for
description:
  - Puts everything that stands in the way of a release into one table, right before the cluster is asked for it.
options:
  _input:
    description: What was seen of the site.
    type: dict
    required: true
    suboptions:
      rollout:
        description: The result of M(fieldops.openshift.rollout_info).
        type: dict
      health:
        description: The result of M(fieldops.openshift.cluster_health_info) with the check V(budgets).
        type: dict
      images:
        description: What a loop over nodes with M(fieldops.openshift.node_info) has registered, its C(results).
        type: list
        elements: dict
      sets:
        description:
          - The RV(fieldops.openshift.machine_config_pool_info#module:pinned_images.nodes) where pools have
            PinnedImageSets.
        type: list
        elements: dict
        default: []
      backups:
        description: What a loop over nodes with M(fieldops.openshift.node_info) has registered, its C(results).
        type: list
        elements: dict
      backup:
        description: The C(demand) of the site, V(require), V(make) or V(ignore), the C(path) and the C(max_age).
        type: dict
      version:
        description: The version of the release.
        type: str
      trial:
        description: The result of M(fieldops.openshift.cluster_update) in check mode, also of one that failed.
        type: dict
"""

EXAMPLES = r"""
- name: Weigh what was seen
  ansible.builtin.debug:
    msg: "{{ (seen | fieldops.openshift.release_gate).lines }}"
"""

RETURN = r"""
_value:
  description: The table.
  type: dict
  contains:
    rows:
      description: >-
        The C(check), the C(verdict), which is V(passed), V(refused), or V(later) where change is restricted now, what
        was C(seen), and C(advice).
      type: list
      elements: dict
      sample:
        - {check: nodes, verdict: refused, seen: "worker-0: cordoned by others", advice: Let it be taken.}
    lines:
      description: The rows as lines for a person.
      type: list
      elements: str
      sample: ["refused  nodes  these nodes would be left behind: worker-0: cordoned by others"]
    refused:
      description: The checks that say no.
      type: list
      elements: str
      sample: [nodes]
    backup_on:
      description: The node that is to make a backup of etcd. Empty where none is needed.
      type: str
      sample: master-0
    sentence:
      description: What was seen by them, and what to do about it.
      type: str
      sample: "these nodes would be left behind: worker-0: cordoned by others. Let it be taken."
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_gate import release_gate

if t.TYPE_CHECKING:
    from collections.abc import Callable


class FilterModule:
    """Gives the filter its name."""

    def filters(self) -> dict[str, Callable[..., object]]:
        """Return the filter."""
        return {"release_gate": release_gate}
