# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: release_gate
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Evaluate whether an update to a release may be requested
description:
  - Combines all checks that can block a release into one table, immediately before the release is requested from the
    cluster.
options:
  _input:
    description: The results of the checks.
    type: dict
    required: true
    suboptions:
      rollout:
        description: The result of M(fieldops.openshift.rollout_info).
        type: dict
      method:
        description: How nodes will be rolled, V(node_by_node) or V(pool), which opens the pools of workers as well.
        type: str
        default: node_by_node
      health:
        description: The result of M(fieldops.openshift.cluster_health_info) with the check V(budgets).
        type: dict
      images:
        description: The C(results) of a registered loop with M(fieldops.openshift.node_info) over the nodes, for
          images.
        type: list
        elements: dict
      sets:
        description:
          - The value of RV(fieldops.openshift.machine_config_pool_info#module:pinned_images.nodes), if pools have
            PinnedImageSets.
        type: list
        elements: dict
        default: []
      backups:
        description: The C(results) of a registered loop with M(fieldops.openshift.node_info) over the nodes, for etcd
          backups.
        type: list
        elements: dict
      backup:
        description: The backup requirement of the site, with C(demand) (V(require), V(make) or V(ignore)), C(path)
          and C(max_age).
        type: dict
      version:
        description: The version of the release.
        type: str
      trial:
        description: The result of M(fieldops.openshift.cluster_update) in check mode, even if it failed.
        type: dict
"""

EXAMPLES = r"""
- name: Show the result of all checks
  ansible.builtin.debug:
    msg: "{{ (seen | fieldops.openshift.release_gate).lines }}"
"""

RETURN = r"""
_value:
  description: The evaluated checks.
  type: dict
  contains:
    rows:
      description: >-
        One row for each check, with C(check), C(verdict) (V(passed), V(refused), or V(later) if change is currently
        restricted), the observed state in C(seen), and C(advice).
      type: list
      elements: dict
      sample:
        - {check: nodes, verdict: refused, seen: "worker-0: cordoned by others", advice: Let it be taken.}
    lines:
      description: The rows as human-readable lines.
      type: list
      elements: str
      sample: ["refused  nodes  these nodes would not be updated: worker-0: cordoned by others"]
    refused:
      description: The checks that refuse the release.
      type: list
      elements: str
      sample: [nodes]
    backup_on:
      description: The node on which to create an etcd backup. Empty if no backup is needed.
      type: str
      sample: master-0
    sentence:
      description: The observed state and recommended action of the checks that refuse.
      type: str
      sample: "these nodes would not be updated: worker-0: cordoned by others. Let it be taken."
"""

from collections.abc import Callable

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.release_gate import release_gate


class FilterModule:
    """Gives the filter its name."""

    def filters(self) -> dict[str, Callable[..., object]]:
        """Return the filter."""
        return {"release_gate": release_gate}
