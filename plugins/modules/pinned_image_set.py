#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: pinned_image_set
short_description: Let the cluster keep images on the nodes of its pools
version_added: 0.1.0
description:
  - Applies PinnedImageSets, one for each pool, and says where every node of the pools stands. Sets of an earlier run
    with the same name are replaced in place.
  - The machine-config daemon of each node pulls what the node lacks and pins all. Where
    M(fieldops.openshift.node_images) has loaded the images before, it has nothing to pull and needs no registry.
  - Releases from 4.19.12 to 4.22 use an OS image that is already on the node only if the pool has a PinnedImageSet.
    For this a few images are enough, which P(fieldops.openshift.host_images#filter) chooses.
  - The daemon looks at one image a second on a control-plane node, at five elsewhere, again after each restart, and
    remembers 256 images and sets (1024 from 4.22 on). Sets with which the nodes of a pool would have to keep more than
    that are refused before anything is changed, since the daemon may never complete them.
  - The module applies its own sets again in each step, so that a set that somebody changed meanwhile is put right.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    support: full
    details: The server tries what would be applied.
  diff_mode:
    support: full
    details: Shows the specifications of the sets that differ.
  idempotent:
    support: full
options:
  name:
    description:
      - The name of the sets together. Each object is called by it and its pool. An object of such a name that was not
        made under this name is refused.
    type: str
    required: true
  state:
    description:
      - With V(present) the sets of O(pools) are in the cluster. Sets of this name for other pools stay as they are.
      - With V(absent) there are none of this name for O(pools), or none at all where no pools are given. The images
        stay on the nodes until the kubelet needs the room. A cluster without this API has none.
    type: str
    choices: [present, absent]
    default: present
  pools:
    description:
      - The machine config pools whose nodes are to keep the images.
    type: list
    elements: str
    default: []
  images:
    description:
      - The images, as C(repository@digest). The API takes at most one namespace in the repository, and 500 images.
    type: list
    elements: str
    default: []
  images_by_pool:
    description:
      - Lists of images for single pools, by the name of the pool, in place of O(images). Names that are not among
        O(pools) do not matter.
    type: dict
    default: {}
  wait_for:
    description:
      - With V(nodes) the goal is reached when each node of the pools says that it has and keeps the images.
      - With V(pools) it is reached when each pool has its set. From then on its daemons look for an OS image on their
        node.
    type: str
    choices: [pools, nodes]
    default: nodes
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
  - OpenShift >= 4.19.12
notes:
  - The rights that it needs are in C(extensions/rbac/pinned-image-sets.yml) of this collection.
seealso:
  - module: fieldops.openshift.machine_config_pool_info
  - module: fieldops.openshift.crio_pinned_images
"""

EXAMPLES = r"""
- name: Keep these images on all nodes and wait until each node says so
  fieldops.openshift.pinned_image_set:
    name: partner
    pools: [master, worker]
    images: "{{ loaded.images | map(attribute='name') }}"
    wait: true

- name: Give them up
  fieldops.openshift.pinned_image_set:
    name: partner
    state: absent
"""

RETURN = r"""
pinned_image_sets:
  description: >-
    The sets as they are in the cluster, as
    RV(fieldops.openshift.machine_config_pool_info#module:pinned_images.pinned_image_sets).
  type: list
  elements: dict
  returned: success
  sample: [{name: partner-worker, pool: worker}]
nodes:
  description: The nodes of those pools, as RV(fieldops.openshift.machine_config_pool_info#module:pinned_images.nodes).
  type: list
  elements: dict
  returned: success
  sample: [{node: worker-0, pool: worker, state: pinned, reason: ''}]
actions:
  description: The calls that changed something, or would in check mode.
  type: list
  elements: dict
  returned: success
  sample: [{"verb": apply, "kind": PinnedImageSet, "namespace": null, "name": partner-worker, "dry_run": false}]
progress:
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: 4 of 5 nodes have and keep all images, done: false, next_delay: 5.0}
timeline:
  description: What was seen while it waited, one entry for each change, as
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
