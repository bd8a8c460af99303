# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: images_by_node
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Determine the images that each node needs from the images of its pool
description:
  - Returns the image list of its pool for each node whose pool is listed. Nodes of other pools need all images and
    are not part of the result.
  - Fails if the pool of a node is unknown, unless O(by_pool) is empty.
options:
  _input:
    description: The nodes, for example RV(fieldops.openshift.rollout_info#module:nodes) or a list created from an
      inventory.
    type: list
    elements: dict
    required: true
    suboptions:
      name:
        description: The name of the node.
        type: str
        required: true
      pool:
        description: The pool of the node.
        type: str
        required: true
  by_pool:
    description:
      - Lists of names (C(repository@digest)) and components of images, by pool name. A pool without nodes has no
        effect and causes a warning, because the name may be misspelled.
    type: dict
    required: true
seealso:
  - plugin: fieldops.openshift.chosen_images
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Stage the images of its pool on each node
  ansible.builtin.include_role:
    name: fieldops.openshift.stage_bundle
  vars:
    stage_bundle_nodes: "{{ site.nodes | map(attribute='name') }}"
    stage_bundle_index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    stage_bundle_images_by_node: >-
      {{ site.nodes | fieldops.openshift.images_by_node({'worker': ['cli', 'rhel-coreos']}) }}
"""

RETURN = r"""
_value:
  description: The image lists by node name.
  type: dict
  sample: {"worker-0": [cli, rhel-coreos]}
"""

import typing as t
from collections.abc import Callable, Mapping, Sequence

from ansible.utils.display import Display

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.selection import choice_by_node
from ansible_collections.fieldops.openshift.plugins.plugin_utils._template_errors import in_templates


@in_templates("every node needs name and pool, every pool a list")
def images_by_node(nodes: Sequence[Mapping[str, t.Any]], by_pool: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return the lists as plain data."""
    pools = {str(node["name"]): str(node.get("pool") or "") for node in nodes}
    wanted = {str(pool): words for pool, words in by_pool.items()}
    chosen = choice_by_node(pools, wanted)
    for pool in sorted(set(wanted) - set(pools.values())):
        Display().warning(f"Images are selected for pool {pool}, which has no nodes: the list has no effect.")
    return chosen


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, Callable[..., t.Any]]:
        """Return it by its name."""
        return {"images_by_node": images_by_node}
