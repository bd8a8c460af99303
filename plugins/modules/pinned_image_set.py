#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: pinned_image_set
short_description: Manage PinnedImageSets, which pin images on the nodes of pools
version_added: 0.1.0
description:
  - Applies one PinnedImageSet for each pool and returns the state of every node of the pools. Sets of an earlier run
    with the same name are replaced in place.
  - The machine-config daemon of each node pulls the images that are missing and pins all images. If
    M(fieldops.openshift.node_images) has already loaded the images, the daemon does not need to pull them and needs
    no registry.
  - Releases from 4.19.12 to 4.22 use an OS image that is already on the node only if the pool has a PinnedImageSet. A
    few images are sufficient for this purpose. Select them with P(fieldops.openshift.host_images#filter).
  - The daemon checks one image per second on control plane nodes and five per second on other nodes, repeats this
    after each restart, and remembers 256 images and sets, or 1024 from release 4.22. Sets that would exceed this
    number on the nodes of a pool are rejected before anything is changed, because the daemon might never complete
    them.
  - The module applies its sets again in each step, so that changes made by others in the meantime are reverted.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    details: Sends every write to the API server as a dry run.
  diff_mode:
    details: Shows the specifications of changed sets.
options:
  name:
    description:
      - The common name of the sets. The name of each object consists of this name and the name of its pool. Existing
        objects that were not created under this name are rejected.
    type: str
    required: true
  state:
    description:
      - V(present) creates the sets of O(pools). Sets of the same name for other pools are kept.
      - V(absent) removes the sets of the same name for O(pools), or all of them if no pools are given. The images
        stay on the nodes until the kubelet needs the space. On a cluster without this API, nothing is removed.
    type: str
    choices: [present, absent]
    default: present
  pools:
    description:
      - The MachineConfigPools on whose nodes the images are pinned.
    type: list
    elements: str
    default: []
  images:
    description:
      - The images as C(repository@digest). The API supports at most one namespace in the repository, and at most 500
        images.
    type: list
    elements: str
    default: []
  images_by_pool:
    description:
      - Lists of images for individual pools, by pool name, which replace O(images). Pools that are not listed in
        O(pools) are ignored.
    type: dict
    default: {}
  wait_for:
    description:
      - The goal to wait for. V(nodes) is reached when each node of the pools reports that it has and pins the images.
      - V(pools) is reached when each pool has its set. From then on, its daemons use OS images that are already on
        the node.
    type: str
    choices: [pools, nodes]
    default: nodes
requirements:
  - OpenShift >= 4.19.12
notes:
  - The required RBAC permissions are in C(extensions/rbac/pinned-image-sets.yml) of this collection.
seealso:
  - module: fieldops.openshift.machine_config_pool_info
  - module: fieldops.openshift.crio_pinned_images
"""

EXAMPLES = r"""
- name: Pin images on all nodes and wait until all nodes report them as pinned
  fieldops.openshift.pinned_image_set:
    name: partner
    pools: [master, worker]
    images: "{{ loaded.images | map(attribute='name') }}"
    wait: true

- name: Remove the pinned image sets
  fieldops.openshift.pinned_image_set:
    name: partner
    state: absent
"""

RETURN = r"""
pinned_image_sets:
  description: >-
    The sets in the cluster, in the same format as
    RV(fieldops.openshift.machine_config_pool_info#module:pinned_images.pinned_image_sets).
  type: list
  elements: dict
  returned: success
  sample: [{name: partner-worker, pool: worker}]
nodes:
  description: The nodes of those pools, in the same format as
    RV(fieldops.openshift.machine_config_pool_info#module:pinned_images.nodes).
  type: list
  elements: dict
  returned: success
  sample: [{node: worker-0, pool: worker, state: pinned, reason: ''}]
actions:
  description: The API calls that made changes, or that would be made in check mode.
  type: list
  elements: dict
  returned: success
  sample: [{"verb": apply, "kind": PinnedImageSet, "namespace": null, "name": partner-worker, "dry_run": false}]
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: 4 of 5 nodes have and keep all images, done: false, next_delay: 5.0}
timeline:
  description: The progress messages observed while waiting, one entry for each change, in the same format as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T22:01:07Z', sentence: 4 of 5 nodes have and keep all images}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.pins.pinned_image_sets import (
    SETS_OPTIONS,
    sets_step,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS

SPEC = CLUSTER_OPTIONS.merged(WAIT_OPTIONS, ArgumentSpec(options=SETS_OPTIONS))
WAITING = Waiting("all nodes have and keep the images", on="the cluster")


def main() -> t.NoReturn:
    run(SPEC, lambda this: sets_step(cluster_client(this), this.params), WAITING)


if __name__ == "__main__":
    main()
