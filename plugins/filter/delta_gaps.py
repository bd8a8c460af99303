# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: delta_gaps
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Determine what nodes lack of the content that a delta bundle leaves out
description:
  - Returns the digests of blobs that a bundle leaves out and that a node needs but does not hold.
options:
  _input:
    description: The images of the bundle, as in RV(fieldops.openshift.release_bundle_info#module:bundle.images).
    type: list
    elements: dict
    required: true
  held:
    description: The digests of blobs, as in RV(fieldops.openshift.node_info#module:blobs), by node name.
    type: dict
    required: true
  wanted:
    description: The images that a node needs, by node name. Other nodes need all images.
    type: dict
    default: {}
seealso:
  - module: fieldops.openshift.site_inventory
  - plugin: fieldops.openshift.images_by_node
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Stop if nodes lack what the bundle leaves out
  ansible.builtin.assert:
    that: found.bundle.images | fieldops.openshift.delta_gaps(blobs_by_node) | length == 0
"""

RETURN = r"""
_value:
  description: The digests by node name. Nodes that lack nothing are not listed.
  type: dict
  sample: {worker-1: ["sha256:1c6e9f6c..."]}
"""

import typing as t
from collections.abc import Callable, Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.delta_gaps import (
    delta_gaps as find_gaps,
)
from ansible_collections.fieldops.openshift.plugins.plugin_utils._template_errors import in_templates


@in_templates("images, and digests by node are needed")
def delta_gaps(
    images: Sequence[Mapping[str, t.Any]],
    held: Mapping[str, Sequence[str]],
    wanted: Mapping[str, Sequence[str]] | None = None,
) -> dict[str, list[str]]:
    """Return the gaps as plain data."""
    return find_gaps(images, held, wanted or {})


class FilterModule:
    """Gives the filter its name."""

    def filters(self) -> dict[str, Callable[..., object]]:
        """Return the filter."""
        return {"delta_gaps": delta_gaps}
