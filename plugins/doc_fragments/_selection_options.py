# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the options in module_utils/_rollout/do/read_rollout.py."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  id:
    description:
      - The name of the rollout.
    type: str
    required: true
  target:
    description:
      - The purpose of the rollout. The default is the target recorded in its journal.
    type: str
    default: ""
  nodes:
    description:
      - The names of the nodes in the rollout. Without O(nodes) and O(pools), the rollout includes all nodes.
    type: list
    elements: str
    default: []
  pools:
    description:
      - The names of the pools whose nodes are included. On a cluster without MachineConfigPools, the pools are
        V(master), V(arbiter) and V(worker), according to the roles of the nodes.
    type: list
    elements: str
    default: []
  control_plane:
    description:
      - Whether control plane nodes come first or last.
    type: str
    choices: [first, last]
    default: first
  max_unavailable:
    description:
      - The maximum number of unavailable nodes in a pool, as a number or as a percentage, which is rounded down. At
        least one node may be unavailable.
      - The default is the setting of each MachineConfigPool, or one. Only one arbiter node may be unavailable.
    type: str
    default: ""
  last:
    description:
      - Nodes that come last in their group, for example the node that the job itself runs on.
    type: list
    elements: str
    default: []
  set_aside:
    description:
      - Nodes that were started and must not be selected now, for example those that failed in this run. They count as
        unavailable.
    type: list
    elements: str
    default: []
  method:
    description:
      - The method that changes nodes, which determines when a node is done. With V(direct), the rollout changes nodes
        itself and records them in its journal. With V(node_by_node) and V(pool), the machine-config operator changes
        nodes, and a node is done when it has the configuration of its pool.
    type: str
    choices: [direct, node_by_node, pool]
    default: direct
  foreign_cordon:
    description:
      - Whether nodes that others have cordoned are held back, or processed and left cordoned.
    type: str
    choices: [hold_back, keep]
    default: hold_back
"""
