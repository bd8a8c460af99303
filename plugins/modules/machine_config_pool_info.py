#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: machine_config_pool_info
short_description: Gather information about MachineConfigPools and their nodes
version_added: 0.1.0
description:
  - O(gather=pools) returns the progress of the nodes of each pool, and who paused it. It is a normal state that some
    nodes of a pool have the new configuration while others wait, for any length of time.
  - O(gather=os_images) returns the desired OS image of each pool, the state of its build with the log of a failed
    one, the nodes that run it, and the previous images.
  - O(gather=pinned_images) returns the PinnedImageSets of the cluster and their state on each node of the pools.
  - O(gather=image_stores) returns, for each pool, whether M(fieldops.openshift.additional_image_stores) was applied,
    the method that it would use, conflicting objects, and the progress of the nodes.
  - O(gather=bootc_pools) returns the BootcNodePools of bootc-operator and their nodes. On a cluster without
    bootc-operator, the list is empty.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
options:
  gather:
    description: The information to return. Only the listed subsets are queried.
    type: list
    elements: str
    choices: [pools, os_images, pinned_images, image_stores, bootc_pools]
    default: [pools]
  names:
    description:
      - The names of the pools. By default, all pools are returned.
    type: list
    elements: str
    default: []
  pinned_image_set:
    description:
      - Return in RV(pinned_images) only the sets that M(fieldops.openshift.pinned_image_set) applied under this name.
    type: str
  certificate_days:
    description:
      - Certificates that machine-config daemons write to nodes are listed in RV(certificates_at_risk) if they expire
        within this number of days.
    type: int
    default: 30
requirements:
  - OpenShift >= 4.18.21, for O(gather=os_images)
  - OpenShift >= 4.19.12, for O(gather=pinned_images)
notes:
  - The required RBAC permissions are in C(extensions/rbac/rollout.yml) of this collection, for O(gather=os_images) in
    C(extensions/rbac/image-mode.yml), for O(gather=pinned_images) in C(extensions/rbac/pinned-image-sets.yml),
    for O(gather=image_stores) in C(extensions/rbac/additional-image-stores.yml), and for O(gather=bootc_pools) in
    C(extensions/rbac/bootc-node-pool.yml).
seealso:
  - module: fieldops.openshift.machine_config_pool
  - module: fieldops.openshift.machine_os_config
  - module: fieldops.openshift.pinned_image_set
  - module: fieldops.openshift.additional_image_stores
  - module: fieldops.openshift.bootc_node_pool
"""

EXAMPLES = r"""
- name: Gather the progress of all pools
  fieldops.openshift.machine_config_pool_info:
  register: site_pools

- name: Show the paused pools
  ansible.builtin.debug:
    msg: "{{ site_pools.pools | selectattr('paused') | map(attribute='sentence') }}"

- name: Gather the OS images of all pools
  fieldops.openshift.machine_config_pool_info:
    gather: [os_images]
  register: site_found

- name: Show the files and keys that an image cannot contain
  ansible.builtin.debug:
    msg: "{{ item.kind }} {{ item.subject }} of {{ item.source }}"
  loop: "{{ site_found.os_images | map(attribute='uncarried') | flatten }}"

- name: Gather pinned images and image stores
  fieldops.openshift.machine_config_pool_info:
    gather: [pinned_images, image_stores]
    pinned_image_set: partner
  register: site_found

- name: Show the nodes on which images are not pinned
  ansible.builtin.debug:
    msg: "{{ item.node }}: {{ item.reason }}"
  loop: "{{ site_found.pinned_images.nodes | rejectattr('state', 'equalto', 'pinned') }}"
"""

RETURN = r"""
pools:
  description: The pools. Pools that a cluster update requires come first.
  type: list
  elements: dict
  returned: with O(gather=pools)
  contains:
    name:
      description: The name of the pool.
      type: str
      sample: worker
    standing:
      description: >-
        The status of the pool. V(updated), V(rolling) while daemons are working, V(half_updated) or V(pending) while
        nodes wait, which is normal for a paused pool, or V(degraded).
      type: str
      sample: half_updated
    target:
      description: The desired rendered configuration of its nodes.
      type: str
      sample: rendered-worker-4f1c8e
    image:
      description: The desired image that was built for the pool. Empty without image mode.
      type: str
    paused:
      description: Whether the pool is paused, so that the machine-config operator starts no further node.
      type: bool
      sample: true
    paused_by:
      description: Who paused the pool, when and why, if known. Empty for a pool that is not paused.
      type: str
      sample: "paused by technician at 2026-11-21T22:01:07Z in rollout update-4.20.2: the window has ended"
    required:
      description: Whether a cluster update cannot complete without this pool, such as the control plane.
      type: bool
      sample: false
    updated:
      description: The names of the nodes that have the configuration.
      type: list
      elements: str
      sample: [worker-0]
    in_flight:
      description: The names of the nodes whose daemons are working. They finish even if the pool is paused.
      type: list
      elements: str
      sample: []
    waiting:
      description: The names of the nodes that have not been started.
      type: list
      elements: str
      sample: [worker-1, worker-2]
    degraded:
      description: The names of the nodes in C(in_flight) whose daemons cannot proceed.
      type: list
      elements: str
      sample: []
    record:
      description: The last record of this collection on the pool.
      type: dict
      sample: {paused: true, at: "2026-11-21T22:01:07.123456Z", by: technician, rollout: update-4.20.2, reason: ""}
    sentence:
      description: The state of the pool as a one-line message.
      type: str
      sample: "pool worker: 1 of 3 nodes have rendered-worker-4f1c8e, 2 wait while the pool is paused by technician"
certificates_at_risk:
  description:
    - Certificates of nodes that expire soon or have expired, soonest first, as reported by the machine-config
      operator. Daemons renew certificates on nodes of paused pools, but not on nodes that are unreachable.
  type: list
  elements: dict
  returned: with O(gather=pools)
  sample:
    - bundle: KubeAPIServerServingCAData
      subject: CN=openshift-kube-apiserver-operator_kube-apiserver-to-kubelet-signer@1763712000
      signer: CN=openshift-kube-apiserver-operator_kube-apiserver-to-kubelet-signer@1763712000
      not_after: "2026-12-05T08:00:00Z"
      days: 13.4
os_images:
  description: The OS images, one entry for each pool.
  type: list
  elements: dict
  returned: with O(gather=os_images)
  contains:
    sentence:
      description: The state of the pool as a one-line message.
      type: str
      sample: 3 of 3 nodes of pool worker have registry.site.example/os/worker@sha256:0f1c...
    rolled_out:
      description: Whether every node of the pool runs the desired image.
      type: bool
      sample: true
    log:
      description: The last lines of the log of a failed build.
      type: dict
      returned: when the last build failed
      sample: {"pod": build-worker-8c4e-x7k2p, "lines": ["error: No packages in transaction"], "missing": ""}
    machine_os_config:
      description: The desired OS image of the pool, and its state.
      type: dict
      contains:
        pool:
          description: The name of the pool.
          type: str
          sample: worker
        image:
          description: The desired image by digest. Empty until it is known.
          type: str
          sample: "registry.site.example/os/worker@sha256:0f1c..."
        digest:
          description: The digest of the desired image.
          type: str
          sample: "sha256:0f1c..."
        stream:
          description: The OS image stream of the release that the pool uses. Empty for the default of the cluster. It
            has no effect if a MachineConfig sets an image.
          type: str
          sample: rhel-10
        built:
          description: Whether the image is available and set as the desired image of the pool.
          type: bool
          sample: true
        paused:
          description: Whether the pool is paused, so that no node receives the image.
          type: bool
          sample: false
        wanted:
          description: The desired revision of the history, as in RV(os_images[].history).
          type: dict
          sample: {"revision": 2, "image": "registry.site.example/os/worker@sha256:0f1c..."}
        previous:
          description: The revision that a rollback would restore. Empty if there is none.
          type: dict
          sample: {"revision": 1, "image": "registry.site.example/os/worker@sha256:77ab..."}
        rolled_back:
          description: Whether the last request was a rollback.
          type: bool
          sample: false
        image_as_before:
          description:
            - Whether a rollback restored the image that was used before. False if the operator had to build it again.
          type: bool
          sample: false
    build:
      description: The last requested build. Empty if no image is built.
      type: dict
      contains:
        name:
          description: The name of the MachineOSBuild.
          type: str
          sample: worker-8c4e1d6b1f9a0e7c5b3d2a1908f7e6d5
        state:
          description: V(new), V(prepared), V(building), V(succeeded), V(failed) or V(interrupted).
          type: str
          sample: succeeded
        reason:
          description: The reason reported by the operator.
          type: str
          sample: Build Ready
        image:
          description: The built image by digest.
          type: str
          sample: "registry.site.example/os/worker@sha256:0f1c..."
        config:
          description: The rendered MachineConfig that the image was built with.
          type: str
          sample: rendered-worker-5d8a...
        started:
          description: When the build started, in UTC.
          type: str
          sample: "2026-11-21T20:01:07Z"
        ended:
          description: When the build ended, in UTC.
          type: str
          sample: "2026-11-21T20:13:44Z"
    nodes:
      description: The nodes of the pool.
      type: list
      elements: dict
      contains:
        node:
          description: The name of the node.
          type: str
          sample: worker-0
        image:
          description: The built image that the node runs. Empty for an image that was not built in the cluster.
          type: str
          sample: "registry.site.example/os/worker@sha256:0f1c..."
        desired_image:
          description: The desired image of the node.
          type: str
          sample: "registry.site.example/os/worker@sha256:0f1c..."
        state:
          description: The state reported by the machine-config daemon.
          type: str
          sample: Done
        reason:
          description: The reason reported by the machine-config daemon.
          type: str
          sample: ""
        done:
          description: Whether the node runs the desired image and is ready.
          type: bool
          sample: true
    uncarried:
      description: Configuration that an image cannot deliver to nodes, because /var and the home directories belong
        to the host.
      type: list
      elements: dict
      contains:
        kind:
          description: V(file), V(directory), V(link), V(ssh_keys) or V(password).
          type: str
          sample: ssh_keys
        subject:
          description: The affected path or user.
          type: str
          sample: core
        source:
          description: The MachineConfig or the part of the Containerfile that contains it.
          type: str
          sample: rendered-worker-5d8a...
        lost:
          description:
            - Whether it will be missing on the nodes. Otherwise, the machine-config daemon writes it, and it is
              missing only on hosts that boot the image without a daemon.
          type: bool
          sample: false
    history:
      description: The desired OS images of the pool over time with the resulting images, oldest first.
      type: list
      elements: dict
      contains:
        revision:
          description: The number of the revision.
          type: int
          sample: 1
        at:
          description: When the image was requested, in UTC.
          type: str
          sample: "2026-11-21T20:01:07Z"
        image:
          description: The resulting image by digest. Empty if there is none.
          type: str
          sample: "registry.site.example/os/worker@sha256:77ab..."
        is_release:
          description: Whether it is the default image of the release.
          type: bool
          sample: false
        os_image_url:
          description: The requested base image. Empty for the default image of the release.
          type: str
          sample: ""
        build:
          description: The requested build. None if nothing was built.
          type: dict
          sample: {"push_spec": "registry.site.example/os/worker:latest", "parts": []}
pinned_images:
  description: The images that the cluster pins on nodes.
  type: dict
  returned: with O(gather=pinned_images)
  contains:
    pinned_image_sets:
      description: The PinnedImageSets in the cluster.
      type: list
      elements: dict
      contains:
        name:
          description: The name of the object.
          type: str
          sample: partner-worker
        pool:
          description: The pool that the set applies to.
          type: str
          sample: worker
        images:
          description: The pinned images.
          type: list
          elements: str
          sample: ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."]
    nodes:
      description: The nodes of those pools.
      type: list
      elements: dict
      contains:
        node:
          description: The name of the node.
          type: str
          sample: worker-0
        pool:
          description: The pool of the node.
          type: str
          sample: worker
        state:
          description: V(pinned) if the node has and pins all images, otherwise V(progressing) or V(failed).
          type: str
          sample: pinned
        reason:
          description: The reason reported by the node while the images are not pinned.
          type: str
          sample: ""
image_stores:
  description: The image store configuration, one entry for each pool.
  type: list
  elements: dict
  returned: with O(gather=image_stores)
  contains:
    pool:
      description: The name of the pool.
      type: str
      sample: worker
    method:
      description: V(container_runtime_config) or V(machine_config), as selected by V(auto).
      type: str
      sample: container_runtime_config
    paused:
      description: Whether the pool is paused.
      type: bool
      sample: true
    objects:
      description: The objects that configure the slots. Empty if they were not applied.
      type: list
      elements: str
      sample: [MachineConfig 99-worker-fieldops-image-stores, ContainerRuntimeConfig fieldops-image-stores-worker]
    rivals:
      description: Objects of others that also write C(storage.conf) for this pool. Only one of them takes effect.
      type: list
      elements: str
      sample: []
    rendered:
      description: Whether the operator has included the objects in the rendered configuration of the pool.
      type: bool
      sample: true
    rolled_out:
      description: Whether every node of the pool has that configuration.
      type: bool
      sample: false
bootc_pools:
  description: >-
    The pools of bootc-operator, each in the same format as RV(fieldops.openshift.bootc_node_pool#module:pool).
  type: list
  elements: dict
  returned: with O(gather=bootc_pools)
  sample: []
actions:
  description: Always empty, because this module makes no changes.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.pins.pinned_image_sets import read_sets
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.pools import read_slot_pools
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.bootc_pool import read_bootc_pools
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.machine_os_config import read_pool_images
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.pools import read_pools_and_certificates
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.gathering import gather_option, gathered
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run

READERS = {
    "pools": read_pools_and_certificates,
    "os_images": read_pool_images,
    "pinned_images": read_sets,
    "image_stores": read_slot_pools,
    "bootc_pools": read_bootc_pools,
}
OPTIONS: dict[str, dict[str, t.Any]] = {
    "names": {"type": "list", "elements": "str", "default": []},
    "pinned_image_set": {"type": "str"},
    "certificate_days": {"type": "int", "default": 30},
}
SPEC = CLUSTER_OPTIONS.merged(gather_option(READERS), ArgumentSpec(options=OPTIONS))


def main() -> t.NoReturn:
    run(SPEC, lambda this: gathered(READERS, cluster_client(this), this.params))


if __name__ == "__main__":
    main()
