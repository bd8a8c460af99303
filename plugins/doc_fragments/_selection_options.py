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
      - What the rollout is for. By default what its journal says.
    type: str
    default: ""
  nodes:
    description:
      - The names of the nodes that the rollout is about. Without names and pools it is about all nodes.
    type: list
    elements: str
    default: []
  pools:
    description:
      - The names of the pools whose nodes the rollout is about. Where there are no machine config pools, the pools are
        V(master), V(arbiter) and V(worker), by the roles of the nodes.
    type: list
    elements: str
    default: []
  control_plane:
    description:
      - Whether the nodes of the control plane come first or last.
    type: str
    choices: [first, last]
    default: first
  max_unavailable:
    description:
      - How many nodes of a pool may be away at once, as a number or as a percentage that is rounded down; at least one.
      - By default what each machine config pool says, else one. Of arbiter nodes only one may be away.
    type: str
    default: ""
  last:
    description:
      - Nodes that come last in their group, such as the one that the job itself runs on.
    type: list
    elements: str
    default: []
  set_aside:
    description:
      - Nodes that were begun and are not to be next now, such as those that failed in this run. They count as away.
    type: list
    elements: str
    default: []
  method:
    description:
      - Who brings the nodes to their new state, and so which nodes are done. With V(direct) it is the rollout itself,
        and its journal tells. With V(node_by_node) and V(pool) it is the machine-config operator, and a node is done
        that has the configuration of its pool.
    type: str
    choices: [direct, node_by_node, pool]
    default: direct
  foreign_cordon:
    description:
      - Whether nodes that others have cordoned are held back, or taken and given back cordoned.
    type: str
    choices: [hold_back, keep]
    default: hold_back
"""
