#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: pinned_image_set_info
short_description: Tell which images the cluster keeps on which nodes
version_added: 0.1.0
description:
  - Lists the PinnedImageSets of the cluster and where each node of their pools stands.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
options:
  name:
    description: Only the sets that M(fieldops.openshift.pinned_image_set) applied under this name.
    type: str
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
  - OpenShift >= 4.19.12
notes:
  - The rights that it needs are in C(extensions/rbac/pinned-image-sets.yml) of this collection.
seealso:
  - module: fieldops.openshift.pinned_image_set
"""

EXAMPLES = r"""
- name: See which nodes lack an image and why
  fieldops.openshift.pinned_image_set_info:
    name: partner
  register: kept

- name: Name them
  ansible.builtin.debug:
    msg: "{{ item.node }}: {{ item.reason }}"
  loop: "{{ kept.nodes | rejectattr('state', 'equalto', 'pinned') }}"
"""

RETURN = r"""
pinned_image_sets:
  description: The sets as they are in the cluster.
  type: list
  elements: dict
  returned: success
  contains:
    name:
      description: The name of the object.
      type: str
      sample: partner-worker
    pool:
      description: The pool that it is meant for.
      type: str
      sample: worker
    images:
      description: The images that it pins.
      type: list
      elements: str
      sample: ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."]
nodes:
  description: The nodes of those pools.
  type: list
  elements: dict
  returned: success
  contains:
    node:
      description: The name of the node.
      type: str
      sample: worker-0
    pool:
      description: Its pool.
      type: str
      sample: worker
    state:
      description: V(pinned) when it has and keeps all images, else V(progressing) or V(failed).
      type: str
      sample: pinned
    reason:
      description: What the node says while it is not pinned.
      type: str
      sample: ""
actions:
  description: The calls that changed something. This module makes none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.pins.pinned_image_sets import read_sets
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = CLUSTER_OPTIONS.merged(ArgumentSpec(options={"name": {"type": "str"}}))


def main() -> t.NoReturn:
    run(SPEC, lambda this: Result(objects=read_sets(cluster_client(this), this.params["name"])))


if __name__ == "__main__":
    main()
