#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: bootc_node_pool
short_description: Give the nodes of a pool of bootc-operator an OS image
version_added: 0.1.0
description:
  - On nodes that bootc-operator manages an image that is switched to by hand does not stay. This module asks the
    operator for the image instead, which stages it on all nodes, and drains and reboots them.
  - The pool is paused in the same request that names the image, so that no node is rebooted. It is open only with
    O(state=booted), while change is permitted and nodes lack the image. That is asked again at each look. The pool is
    left paused, so that nodes that join later are rebooted in a window too.
  - A node has the image if its daemon tells that digest, or that of the list of which its own manifest is one.
  - Where a node does not come back with the image, the pool is paused and the module fails.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
  - fieldops.openshift._guard_options
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
  idempotent:
    support: full
options:
  name:
    description:
      - The name of the BootcNodePool.
    type: str
    required: true
  image:
    description:
      - The image by digest, such as C(quay.io/os/image@sha256:...). A list of manifests for several architectures may
        be named. A tag beside the digest is left out.
    type: str
    required: true
  state:
    description:
      - With V(staged) each node has the image, booted or staged for the next boot, and the pool is paused.
      - With V(booted) each node has booted it and is ready.
    type: str
    choices: [staged, booted]
    default: staged
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
  - bootc-operator with the API C(node.bootc.dev/v1alpha1)
notes:
  - The rights that it needs are in C(extensions/rbac/bootc-node-pool.yml) of this collection.
  - A staged image is booted by the next reboot of its node, also by one that this collection did not request.
seealso:
  - module: fieldops.openshift.bootc_node_pool_info
  - module: fieldops.openshift.os_image
"""

EXAMPLES = r"""
- name: Stage the image on all workers, at any time
  fieldops.openshift.bootc_node_pool:
    name: workers
    image: "quay.io/os/worker@sha256:0f1c..."
    wait: true
    wait_timeout: 7200

- name: Let the workers boot it while change is permitted
  fieldops.openshift.bootc_node_pool:
    name: workers
    image: "quay.io/os/worker@sha256:0f1c..."
    state: booted
    wait: true
    wait_timeout: 14400
"""

RETURN = r"""
pool:
  description: Where the pool and its nodes stand.
  type: dict
  returned: success
  contains:
    name:
      description: The name of the pool.
      type: str
      sample: workers
    image:
      description: The image that the pool names.
      type: str
      sample: "quay.io/os/worker@sha256:0f1c..."
    digest:
      description: The digest that its nodes are to have.
      type: str
      sample: "sha256:0f1c..."
    paused:
      description: Whether the operator begins no further node.
      type: bool
      sample: true
    message:
      description: What the operator complains of, beside what is wrong with single nodes.
      type: str
      sample: "NodeConflict: Node selector overlaps with pool(s): gpu"
    sentence:
      description: Where it stands, in one line.
      type: str
      sample: "pool workers: of 3 nodes 1 booted, 2 staged; it is paused"
    nodes:
      description: Its nodes, as their BootcNodes tell.
      type: list
      elements: dict
      contains:
        name:
          description: The name of the node.
          type: str
          sample: worker-0
        standing:
          description: >-
            V(booted), V(staged), V(staging), V(rebooting), V(pending) while its daemon has not answered, or
            V(degraded).
          type: str
          sample: staged
        in_reboot_slot:
          description: Whether the operator has begun to drain and reboot it, and it is not back.
          type: bool
          sample: false
        message:
          description: What its daemon complains of.
          type: str
          sample: "bootc stage failed: registry.site.example: connection refused"
        booted:
          description: The image that it runs; C(digest) is that of its own manifest.
          type: dict
          sample: {"image": "quay.io/os/worker@sha256:77ab...", "digest": "sha256:77ab...", "version": "9.4"}
        staged:
          description: The image that its next reboot boots, with empty values where none is staged.
          type: dict
          sample: {"image": "quay.io/os/worker@sha256:0f1c...", "digest": "sha256:9e02...", "version": "9.6"}
permission:
  description: >-
    The answer of change management, see RV(fieldops.openshift.rollout_next#module:permission). None where it was not
    asked.
  type: dict
  returned: success
  sample: {permitted: true, resource: ClusterVersion version, sentence: change is permitted, next_permitted: ""}
ended:
  description: >-
    Why the pool was paused before all nodes had booted the image, see
    RV(fieldops.openshift.rollout_next#module:ended). None where it was not.
  type: dict
  returned: success
  sample: {outcome: restricted, reason: change is restricted, next_permitted: "2026-11-28T22:00:00Z"}
actions:
  description: The calls that changed something, or in check mode would have.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: patch, kind: BootcNodePool, namespace: null, name: workers, dry_run: false}
progress:
  description: Where things stand.
  type: dict
  returned: success
  contains:
    sentence:
      description: In one line.
      type: str
      sample: "pool workers: of 3 nodes 3 booted; it is paused"
    done:
      description: Whether the goal is reached, or change is restricted and no node is under way.
      type: bool
      sample: true
    next_delay:
      description: The seconds after which to take another step.
      type: float
      sample: 5.0
timeline:
  description: What was seen while it waited, one entry for each change.
  type: list
  elements: dict
  returned: always
  sample:
    - {at: "2026-11-21T22:01:07Z", sentence: "pool workers: of 3 nodes 1 booted, 1 rebooting, 1 staged"}
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.guard import (
    GUARD_NEVER_NULL,
    GUARD_OPTION,
    ChangeGuard,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.bootc_pool import (
    BOOTC_POOL_OPTIONS,
    bootc_pool_step,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

SPEC = CLUSTER_OPTIONS.merged(
    WAIT_OPTIONS,
    ArgumentSpec(options={**BOOTC_POOL_OPTIONS, "guard": GUARD_OPTION}, never_null=GUARD_NEVER_NULL),
)
WAITING = Waiting("its nodes have the image", on="the pool")


def main() -> t.NoReturn:
    def step(this: ModuleRun) -> Step:
        client = cluster_client(this)
        return bootc_pool_step(client, this.params, ChangeGuard.of(client, this.params["guard"]))

    run(SPEC, step, WAITING)


if __name__ == "__main__":
    main()
