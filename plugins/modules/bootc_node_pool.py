#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: bootc_node_pool
short_description: Manage the OS image of a node pool of bootc-operator
version_added: 0.1.0
description:
  - On nodes that bootc-operator manages, the operator reverts images that are switched manually. This module requests
    the image from the operator, which stages it on all nodes, drains the nodes and reboots them.
  - The pool is paused in the request that sets the image, so that no node is rebooted. The pool is unpaused only with
    O(state=booted), while change is permitted and nodes lack the image. Permission is checked again in each step. At
    the end the pool is left paused, so that nodes that join later are also rebooted in a maintenance window.
  - A node has the image if its daemon reports the same digest, or the digest of the manifest list that contains the
    node's manifest.
  - If a node does not come back with the image, the module pauses the pool and fails. This includes a node whose daemon
    reports an error, a node that booted another image and stages this one again, and a node that the operator reports
    as missing, which requires C(rebootTimeoutSeconds) in the pool.
  - Pools that the machine-config operator manages for its MachineConfigPools are refused. The operator sets their image
    itself and pauses them again immediately.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
  - fieldops.openshift._guard_options
options:
  name:
    description:
      - The name of the BootcNodePool.
    type: str
    required: true
  image:
    description:
      - The image by digest, such as C(quay.io/os/image@sha256:...). The digest can be that of a manifest list for
        several architectures. A tag in addition to the digest is ignored.
    type: str
    required: true
  state:
    description:
      - With V(staged), each node has the image, either booted or staged for the next boot, and the pool is paused.
      - With V(booted), each node has booted the image and is ready.
    type: str
    choices: [staged, booted]
    default: staged
requirements:
  - bootc-operator with the API C(node.bootc.dev/v1alpha1)
notes:
  - The required RBAC permissions are in C(extensions/rbac/bootc-node-pool.yml) of this collection, and for O(guard) in
    C(extensions/rbac/change-management-reader.yml).
  - A staged image is booted at the next reboot of its node, even if this collection did not request the reboot.
seealso:
  - module: fieldops.openshift.machine_config_pool_info
  - module: fieldops.openshift.os_image
"""

EXAMPLES = r"""
- name: Stage the image on all workers without rebooting them
  fieldops.openshift.bootc_node_pool:
    name: workers
    image: "quay.io/os/worker@sha256:0f1c..."
    wait: true
    wait_timeout: 7200

- name: Boot the image on the workers while change is permitted
  fieldops.openshift.bootc_node_pool:
    name: workers
    image: "quay.io/os/worker@sha256:0f1c..."
    state: booted
    wait: true
    wait_timeout: 14400
"""

RETURN = r"""
pool:
  description: The state of the pool and its nodes.
  type: dict
  returned: success
  contains:
    name:
      description: The name of the pool.
      type: str
      sample: workers
    image:
      description: The image in the specification of the pool.
      type: str
      sample: "quay.io/os/worker@sha256:0f1c..."
    digest:
      description: The desired digest of the nodes.
      type: str
      sample: "sha256:0f1c..."
    paused:
      description: Whether the pool is paused, so that the operator starts no further node.
      type: bool
      sample: true
    machine_config_pool:
      description: >-
        The MachineConfigPool for which the machine-config operator manages this pool. Empty for other pools.
      type: str
      sample: ""
    message:
      description: Problems that the operator reports for the pool, apart from problems of single nodes.
      type: str
      sample: "NodeConflict: Node selector overlaps with pool(s): gpu"
    sentence:
      description: The state of the pool as a one-line message.
      type: str
      sample: "pool workers: of 3 nodes 1 booted, 2 staged; it is paused"
    nodes:
      description: The nodes of the pool, as reported by their BootcNodes.
      type: list
      elements: dict
      contains:
        name:
          description: The name of the node.
          type: str
          sample: worker-0
        standing:
          description: >-
            The status of the node. One of V(booted), V(staged), V(staging), V(rebooting), V(pending) if its daemon
            has not responded, or V(degraded).
          type: str
          sample: staged
        in_reboot_slot:
          description: Whether the operator has started to drain and reboot the node and the node is not back yet.
          type: bool
          sample: false
        message:
          description: >-
            The problem that the daemon reports, or why a node that was started does not come back with the image.
          type: str
          sample: "bootc stage failed: registry.site.example: connection refused"
        booted:
          description: The booted image. C(digest) is the digest of its own manifest.
          type: dict
          sample: {"image": "quay.io/os/worker@sha256:77ab...", "digest": "sha256:77ab...", "version": "9.4"}
        staged:
          description: The image for the next boot. The values are empty if none is staged.
          type: dict
          sample: {"image": "quay.io/os/worker@sha256:0f1c...", "digest": "sha256:9e02...", "version": "9.6"}
permission:
  description: >-
    The change management decision, in the same format as RV(fieldops.openshift.rollout_next#module:permission). None
    if change management was not queried.
  type: dict
  returned: success
  sample: {permitted: true, resource: ClusterVersion version, sentence: change is permitted, next_permitted: ""}
ended:
  description: >-
    Why the pool was paused before all nodes had booted the image, in the same format as
    RV(fieldops.openshift.rollout_next#module:ended). None if it was not.
  type: dict
  returned: success
  sample: {outcome: restricted, reason: change is restricted, next_permitted: "2026-11-28T22:00:00Z"}
actions:
  description: The API calls that made changes, or that would be made in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: patch, kind: BootcNodePool, namespace: null, name: workers, dry_run: false}
progress:
  description: The current progress.
  type: dict
  returned: success
  contains:
    sentence:
      description: The progress as a one-line message.
      type: str
      sample: "pool workers: of 3 nodes 3 booted; it is paused"
    done:
      description: Whether the goal is reached, or change is restricted and no node is being changed.
      type: bool
      sample: true
    next_delay:
      description: The delay in seconds before the next step.
      type: float
      sample: 5.0
timeline:
  description: The progress messages observed while waiting, one entry for each change.
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
