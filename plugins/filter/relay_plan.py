# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: relay_plan
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Decide which node fetches a bundle from which
description:
  - Puts nodes into chains in which each passes on what it has received so far, so that one source and many nodes take
    about as long as one node.
  - A node that finds its neighbour dead asks the two before that, and the source in the end. Nodes of one zone stand
    together. Nodes that hold the bundle already come first and fetch nothing.
  - Nodes that are to get only some images stand behind those that get all, and are asked only by those that need no
    others.
  - A node without an address in the networks in which nodes reach one another fetches from the source and serves
    nobody.
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
          - Its IP addresses, the preferred one first. The addresses of a C(Node) object, with C(type) and C(address),
            are taken as well; of those the internal ones count.
        type: list
        elements: raw
        required: true
      zone:
        description: Where it stands.
        type: str
        default: ""
      holds:
        description: Whether it has the whole bundle already.
        type: bool
        default: false
  source:
    description: The name by which the plan calls what has the bundle and is no node.
    type: str
    default: source
  machine_networks:
    description:
      - The networks in which nodes reach one another, the preferred one first. Without any, the first address of each
        node is taken.
    type: list
    elements: str
    default: []
  zones:
    description: Where nodes stand, by their names, for those that do not say it themselves.
    type: dict
    default: {}
  holding:
    description: The names of nodes that have all that they are to get, or get it from a medium of their own.
    type: list
    elements: str
    default: []
  images:
    description: The images that nodes are to get, by their names; none for a node that is to get all.
    type: dict
    default: {}
  longest_chain:
    description: How many nodes stand in one chain at most. The first node of a chain follows that of the one before.
    type: int
    default: 25
requirements:
  - netaddr
"""

EXAMPLES = r"""
- name: Plan who fetches from whom
  ansible.builtin.set_fact:
    plan: "{{ nodes | fieldops.openshift.relay_plan(source='laptop', machine_networks=['192.0.2.0/24']) }}"
  vars:
    nodes:
      - {name: worker-0, addresses: [192.0.2.11], zone: rack-a}
      - {name: worker-1, addresses: [192.0.2.12], zone: rack-a}
"""

RETURN = r"""
_value:
  description: The plan.
  type: dict
  contains:
    nodes:
      description: Every node, in the order in which to begin.
      type: list
      elements: dict
      contains:
        name:
          description: The name of the node.
          type: str
          sample: worker-1
        address:
          description: Where its relay is to listen; none where other nodes cannot reach it.
          type: str
          sample: 192.0.2.12
        sources:
          description: Whom it asks, the nearest first.
          type: list
          elements: str
          sample: [worker-0, laptop]
        allowed_addresses:
          description: Who may fetch from it; where nobody does, it needs no relay.
          type: list
          elements: str
          sample: [192.0.2.13]
    source_allowed_addresses:
      description: Who may fetch from the source.
      type: list
      elements: str
      sample: [192.0.2.11, 192.0.2.12]
"""

import typing as t

from ansible.errors import AnsibleFilterError

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.plan.relay_chain import (
    LONGEST_CHAIN,
    RelayNode,
    plan_relays,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


def relay_plan(
    nodes: Sequence[Mapping[str, t.Any]],
    source: str = "source",
    *,
    machine_networks: Sequence[str] = (),
    zones: Mapping[str, str] | None = None,
    holding: Sequence[str] = (),
    images: Mapping[str, Sequence[str]] | None = None,
    longest_chain: int = LONGEST_CHAIN,
) -> dict[str, t.Any]:
    """Return the plan as plain data."""
    try:
        known = [_node(one, zones or {}, holding, images or {}) for one in nodes]
        plan = plan_relays(known, source, machine_networks=machine_networks, longest_chain=longest_chain)
    except (KeyError, TypeError, AttributeError) as error:
        raise AnsibleFilterError(
            f"relay_plan: every node needs name and addresses: {type(error).__name__}: {error}"
        ) from error
    except FieldOpsError as error:
        raise AnsibleFilterError(f"relay_plan: {error}") from error
    return {
        "nodes": [place.to_document() for place in plan.places],
        "source_allowed_addresses": list(plan.source_allowed),
    }


def _node(
    given: Mapping[str, t.Any],
    zones: Mapping[str, str],
    holding: Sequence[str],
    images: Mapping[str, Sequence[str]],
) -> RelayNode:
    name = str(given["name"])
    zone = str(given.get("zone") or zones.get(name) or "")
    holds = bool(given.get("holds")) or name in holding
    return RelayNode(name, _addresses(given["addresses"]), zone, holds, frozenset(map(str, images.get(name) or ())))


def _addresses(given: t.Any) -> tuple[str, ...]:
    listed = [given] if isinstance(given, str) else given
    internal = [one for one in listed if not isinstance(one, dict) or one["type"] == "InternalIP"]
    return tuple(str(one["address"] if isinstance(one, dict) else one) for one in internal)


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, Callable[..., t.Any]]:
        """Return it by its name."""
        return {"relay_plan": relay_plan}
