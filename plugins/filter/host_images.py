# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: host_images
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Select the images of a bundle for the PinnedImageSets of pools
description:
  - Selects the images that a host uses outside of Kubernetes, which are the OS image and its extensions, and the
    components C(machine-config-operator), C(baremetal-runtimecfg) and C(pod).
  - Images that a PinnedImageSet does not support are left out, with the reason. These are images in repositories with
    more than one namespace, and single manifests in OCI format, whose size C(podman manifest inspect) does not
    report.
  - Nodes of a custom pool also keep the images of the set for the pool C(worker). Therefore that set contains only
    images that are selected for all custom pools as well.
  - Fails if the set of a pool would be empty.
options:
  _input:
    description:
      - The images, as returned in RV(fieldops.openshift.release_bundle_info#module:bundle.images) or by
        M(fieldops.openshift.node_info).
    type: list
    elements: dict
    required: true
  pools:
    description: The names of the pools.
    type: list
    elements: str
    required: true
  by_pool:
    description:
      - Lists of names (C(repository@digest)) and components of images by pool name, for pools whose nodes hold only
        these images.
    type: dict
    default: {}
seealso:
  - module: fieldops.openshift.pinned_image_set
  - plugin: fieldops.openshift.chosen_images
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Make the daemons of both pools use the next OS image that is on their nodes
  fieldops.openshift.pinned_image_set:
    name: fieldops
    pools: [master, worker]
    images_by_pool: "{{ (bundle.images | fieldops.openshift.host_images(['master', 'worker'])).by_pool }}"
"""

RETURN = r"""
_value:
  description:
    - In C(by_pool) lists of image names by pool name, and in C(left_out) the images that are left out, each with the
      reason.
  type: dict
  sample:
    by_pool: {"worker": ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."]}
    left_out: {}
"""

import typing as t
from collections.abc import Callable, Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.plan.host_images import (
    host_images as choose,
)
from ansible_collections.fieldops.openshift.plugins.plugin_utils._template_errors import in_templates


@in_templates("images with name, component and reason are needed")
def host_images(
    images: Sequence[Mapping[str, t.Any]], pools: Sequence[str], by_pool: Mapping[str, Sequence[str]] | None = None
) -> dict[str, t.Any]:
    """Return the choice as plain data."""
    named = {str(pool): [str(word) for word in words] for pool, words in (by_pool or {}).items()}
    return choose(images, [str(pool) for pool in pools], named).as_data()


class FilterModule:
    """The filter."""

    def filters(self) -> dict[str, Callable[..., t.Any]]:
        """Return it by its name."""
        return {"host_images": host_images}
