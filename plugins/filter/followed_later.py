# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: followed_later
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Select the nodes whose jobs must start before a loop reaches them
description:
  - A loop with C(fieldops_side_by_side) processes a limited number of nodes at the same time, see
    M(fieldops.openshift.node_answers). A module that waits for the job of a node keeps its place until the job ends.
  - Returns the nodes beyond this number, so that a previous task can start their jobs without waiting.
options:
  _input:
    description: The names of the nodes, in the order of the loop.
    type: list
    elements: str
    required: true
  waiting:
    description: The names of nodes whose jobs must not start yet because they take turns.
    type: list
    elements: str
    default: []
seealso:
  - module: fieldops.openshift.node_answers
"""

EXAMPLES = r"""
- name: Start to load the images on nodes that are followed later
  fieldops.openshift.node_images:
    index_digest: sha256:3f2a1b0c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8
  delegate_to: "{{ item }}"
  loop: "{{ groups.nodes | fieldops.openshift.followed_later }}"
  vars:
    fieldops_side_by_side: true
  register: started
"""

RETURN = r"""
_value:
  description: The names of the nodes, in the same order.
  type: list
  elements: str
  sample: [worker-61, worker-62]
"""

import typing as t
from collections.abc import Callable, Collection, Sequence

from ansible_collections.fieldops.openshift.plugins.plugin_utils._side_by_side import MOST


def followed_later(nodes: Sequence[str], waiting: Collection[str] = ()) -> list[str]:
    """Return the nodes beyond the first ones; a node that waits for its turn has a place in the loop as well."""
    return [node for node in list(nodes)[MOST:] if node not in waiting]


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, Callable[..., t.Any]]:
        """Return it by its name."""
        return {"followed_later": followed_later}
