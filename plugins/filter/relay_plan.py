# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: relay_plan
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Plan which node receives a bundle from which other node
description:
  - Arranges nodes in chains in which each node relays what it has received so far, so that one source can supply many
    nodes in about the same time as a single node.
  - If the neighbor of a node is unavailable, the node uses the two nodes before the neighbor and finally the source.
    Nodes of the same zone are adjacent. Nodes that already hold the bundle come first and receive nothing.
  - Nodes that need only some images come after nodes that need all images. They supply only nodes that need no other
    images.
  - A node without an address in the machine networks receives the bundle from the source and supplies no other node.
options:
  _input:
    description: The nodes.
    type: list
    elements: dict
    required: true
    suboptions:
      name:
        description: The name of the node.
        type: str
        required: true
      addresses:
        description:
          - The IP addresses of the node, preferred address first. The addresses of a C(Node) object, with C(type) and
            C(address), are supported as well. Of these, internal addresses are used.
        type: list
        elements: raw
        required: true
      zone:
        description: The zone of the node.
        type: str
        default: ""
      holds:
        description: Whether the node already holds the complete bundle.
        type: bool
        default: false
  source:
    description: The name of the source in the plan, which holds the bundle and is not a node.
    type: str
    default: source
  machine_networks:
    description:
      - The networks through which nodes reach each other, preferred network first. By default, the first address of
        each node is used.
    type: list
    elements: str
    default: []
  zones:
    description: The zones of nodes by node name, for nodes without O(_input[].zone).
    type: dict
    default: {}
  holding:
    description: The names of nodes that already hold all their images or receive them from their own removable media.
    type: list
    elements: str
    default: []
  images:
    description: The images that nodes need, by node name. Nodes that need all images are not listed.
    type: dict
    default: {}
  later:
    description:
      - The names of nodes that start after other nodes are complete. They come after all others in the chain.
    type: list
    elements: str
    default: []
  longest_chain:
    description: The maximum number of nodes in a chain. The first node of a chain receives from the first node of the
      previous chain.
    type: int
    default: 25
requirements:
  - netaddr
"""

EXAMPLES = r"""
- name: Plan the transfer of a bundle between nodes
  ansible.builtin.set_fact:
    plan: "{{ nodes | fieldops.openshift.relay_plan(source='laptop', machine_networks=['192.0.2.0/24']) }}"
  vars:
    nodes:
      - {name: worker-0, addresses: [192.0.2.11], zone: rack-a}
      - {name: worker-1, addresses: [192.0.2.12], zone: rack-a}
"""

RETURN = r"""
_value:
  description: The transfer plan.
  type: dict
  contains:
    nodes:
      description: All nodes, in the order in which to start.
      type: list
      elements: dict
      contains:
        name:
          description: The name of the node.
          type: str
          sample: worker-1
        address:
          description: The address that the relay of the node listens on. None if other nodes cannot reach it.
          type: str
          sample: 192.0.2.12
        sources:
          description: The sources of the node, nearest first.
          type: list
          elements: str
          sample: [worker-0, laptop]
        allowed_addresses:
          description: The addresses that may download from the node. Empty if the node needs no relay.
          type: list
          elements: str
          sample: [192.0.2.13]
    source_allowed_addresses:
      description: The addresses that may download from the source.
      type: list
      elements: str
      sample: [192.0.2.11, 192.0.2.12]
"""

import typing as t
from collections.abc import Callable, Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.plan.relay_chain import (
    LONGEST_CHAIN,
    RelayNode,
    plan_relays,
)
from ansible_collections.fieldops.openshift.plugins.plugin_utils._template_errors import in_templates


@in_templates("every node needs name and addresses")
def relay_plan(
    nodes: Sequence[Mapping[str, t.Any]],
    source: str = "source",
    *,
    machine_networks: Sequence[str] = (),
    zones: Mapping[str, str] | None = None,
    holding: Sequence[str] = (),
    images: Mapping[str, Sequence[str]] | None = None,
    later: Sequence[str] = (),
    longest_chain: int = LONGEST_CHAIN,
) -> dict[str, t.Any]:
    """Return the plan as plain data."""
    known = [_node(one, zones or {}, holding, images or {}, later) for one in nodes]
    plan = plan_relays(known, source, machine_networks=machine_networks, longest_chain=longest_chain)
    return {
        "nodes": [place.to_document() for place in plan.places],
        "source_allowed_addresses": list(plan.source_allowed),
    }


def _node(
    given: Mapping[str, t.Any],
    zones: Mapping[str, str],
    holding: Sequence[str],
    images: Mapping[str, Sequence[str]],
    later: Sequence[str],
) -> RelayNode:
    name = str(given["name"])
    zone = str(given.get("zone") or zones.get(name) or "")
    holds = bool(given.get("holds")) or name in holding
    chosen = frozenset(map(str, images.get(name) or ()))
    return RelayNode(name, _addresses(given["addresses"]), zone, holds, chosen, name in later)


def _addresses(given: t.Any) -> tuple[str, ...]:
    listed = [given] if isinstance(given, str) else given
    internal = [one for one in listed if not isinstance(one, dict) or one["type"] == "InternalIP"]
    return tuple(str(one["address"] if isinstance(one, dict) else one) for one in internal)


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, Callable[..., t.Any]]:
        """Return it by its name."""
        return {"relay_plan": relay_plan}
