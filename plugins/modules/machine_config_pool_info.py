#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: machine_config_pool_info
short_description: Gather where the pools of the machine-config operator stand
version_added: 0.1.0
description:
  - With O(gather=pools) returns how far the nodes of each pool are, and who paused it. A pool of which some nodes have
    the new configuration and others wait is in a normal state, for as long as you like.
  - With O(gather=os_images) returns which OS image each pool is asked to have, where its build stands, with the log of
    one that failed, which nodes run it, and what the pool had before.
  - With O(gather=pinned_images) returns the PinnedImageSets of the cluster and where each node of their pools stands.
  - With O(gather=image_stores) returns whether M(fieldops.openshift.additional_image_stores) was applied to each pool,
    how it would be, what stands against it, and how far its nodes are.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
options:
  gather:
    description: What to return. Only what is named is asked for.
    type: list
    elements: str
    choices: [pools, os_images, pinned_images, image_stores]
    default: [pools]
  names:
    description:
      - The names of the pools; all without any.
    type: list
    elements: str
    default: []
  pinned_image_set:
    description:
      - Only the sets that M(fieldops.openshift.pinned_image_set) applied under this name, for RV(pinned_images).
    type: str
  certificate_days:
    description:
      - Certificates that machine-config daemons bring to nodes are named in RV(certificates_at_risk) when they end
        within this number of days.
    type: int
    default: 30
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
  - OpenShift >= 4.18.21, for O(gather=os_images)
  - OpenShift >= 4.19.12, for O(gather=pinned_images)
notes:
  - The rights that it needs are in C(extensions/rbac/rollout.yml) of this collection, for O(gather=os_images) in
    C(extensions/rbac/image-mode.yml), for O(gather=pinned_images) in C(extensions/rbac/pinned-image-sets.yml), and for
    O(gather=image_stores) in C(extensions/rbac/additional-image-stores.yml).
seealso:
  - module: fieldops.openshift.machine_config_pool
  - module: fieldops.openshift.machine_os_config
  - module: fieldops.openshift.pinned_image_set
  - module: fieldops.openshift.additional_image_stores
"""

EXAMPLES = r"""
- name: See how far the pools are
  fieldops.openshift.machine_config_pool_info:
  register: site_pools

- name: Name the pools that somebody keeps paused
  ansible.builtin.debug:
    msg: "{{ site_pools.pools | selectattr('paused') | map(attribute='sentence') }}"

- name: See which OS images the pools have
  fieldops.openshift.machine_config_pool_info:
    gather: [os_images]
  register: site_found

- name: Name the files and keys that no image carries
  ansible.builtin.debug:
    msg: "{{ item.kind }} {{ item.subject }} of {{ item.source }}"
  loop: "{{ site_found.os_images | map(attribute='uncarried') | flatten }}"

- name: See which nodes lack a pinned image, and which pools list the slots for image stores
  fieldops.openshift.machine_config_pool_info:
    gather: [pinned_images, image_stores]
    pinned_image_set: partner
  register: site_found

- name: Name nodes and reasons
  ansible.builtin.debug:
    msg: "{{ item.node }}: {{ item.reason }}"
  loop: "{{ site_found.pinned_images.nodes | rejectattr('state', 'equalto', 'pinned') }}"
"""

RETURN = r"""
pools:
  description: The pools, those first without which no update of the cluster ends.
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
        V(updated), V(rolling) while daemons are at work, V(half_updated) or V(pending) while the rest waits, which is
        normal for a paused pool, or V(degraded).
      type: str
      sample: half_updated
    target:
      description: The rendered configuration that its nodes are to have.
      type: str
      sample: rendered-worker-4f1c8e
    image:
      description: The image that was built for the pool and that its nodes are to have too, empty without image mode.
      type: str
    paused:
      description: Whether the machine-config operator begins no further node.
      type: bool
      sample: true
    paused_by:
      description: Who paused it, when and why, as far as that is known; empty for an open pool.
      type: str
      sample: "paused by technician at 2026-11-21T22:01:07Z in rollout update-4.20.2: the window has ended"
    required:
      description: Whether an update of the cluster cannot end without this pool, as those of the control plane.
      type: bool
      sample: false
    updated:
      description: The names of the nodes that have the configuration.
      type: list
      elements: str
      sample: [worker-0]
    in_flight:
      description: The names of the nodes whose daemons are at work; they finish, whether the pool is paused or not.
      type: list
      elements: str
      sample: []
    waiting:
      description: The names of the nodes that were not begun.
      type: list
      elements: str
      sample: [worker-1, worker-2]
    degraded:
      description: The names of those in flight whose daemons cannot go on.
      type: list
      elements: str
      sample: []
    record:
      description: What this collection wrote last on the pool.
      type: dict
      sample: {paused: true, at: "2026-11-21T22:01:07.123456Z", by: technician, rollout: update-4.20.2, reason: ""}
    sentence:
      description: Where the pool stands, in one line.
      type: str
      sample: "pool worker: 1 of 3 nodes have rendered-worker-4f1c8e, 2 wait while the pool is paused by technician"
certificates_at_risk:
  description:
    - Certificates of nodes that end soon or have ended, the soonest first, as the machine-config operator tells.
      Daemons bring renewed ones to nodes of paused pools too, but not to nodes that are away.
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
  description: One entry for each pool.
  type: list
  elements: dict
  returned: with O(gather=os_images)
  contains:
    sentence:
      description: Where the pool stands, in one line.
      type: str
      sample: 3 of 3 nodes of pool worker have registry.site.example/os/worker@sha256:0f1c...
    rolled_out:
      description: Whether every node of the pool runs what it is asked to run.
      type: bool
      sample: true
    log:
      description: The last lines of a build that failed.
      type: dict
      returned: when the last build failed
      sample: {"pod": build-worker-8c4e-x7k2p, "lines": ["error: No packages in transaction"], "missing": ""}
    machine_os_config:
      description: What the pool is to have and where that stands.
      type: dict
      contains:
        pool:
          description: The name of the pool.
          type: str
          sample: worker
        image:
          description: The image by digest that its nodes are to run, empty until it is known.
          type: str
          sample: "registry.site.example/os/worker@sha256:0f1c..."
        digest:
          description: The digest of that image.
          type: str
          sample: "sha256:0f1c..."
        stream:
          description: The stream of the release's OS images that the pool asks for, empty for the cluster's own. It
            counts where no MachineConfig names an image.
          type: str
          sample: rhel-10
        built:
          description: Whether the image is there and the pool is asked to take it.
          type: bool
          sample: true
        paused:
          description: Whether the pool is paused, so that no node takes it.
          type: bool
          sample: false
        wanted:
          description: The revision of the history that is asked for, as in RV(os_images[].history).
          type: dict
          sample: {"revision": 2, "image": "registry.site.example/os/worker@sha256:0f1c..."}
        previous:
          description: The revision that a rollback would go back to, empty if there is none.
          type: dict
          sample: {"revision": 1, "image": "registry.site.example/os/worker@sha256:77ab..."}
        rolled_back:
          description: Whether the last thing that was asked for was a rollback.
          type: bool
          sample: false
        image_as_before:
          description:
            - Whether a rollback came to the very image that was known from before. It did not where the operator had to
              build it again.
          type: bool
          sample: false
    build:
      description: The build that was asked for last, empty if nothing is built.
      type: dict
      contains:
        name:
          description: The MachineOSBuild.
          type: str
          sample: worker-8c4e1d6b1f9a0e7c5b3d2a1908f7e6d5
        state:
          description: V(new), V(prepared), V(building), V(succeeded), V(failed) or V(interrupted).
          type: str
          sample: succeeded
        reason:
          description: What the operator says to that.
          type: str
          sample: Build Ready
        image:
          description: The image by digest that came of it.
          type: str
          sample: "registry.site.example/os/worker@sha256:0f1c..."
        config:
          description: The rendered MachineConfig that went into it.
          type: str
          sample: rendered-worker-5d8a...
        started:
          description: When it began, in UTC.
          type: str
          sample: "2026-11-21T20:01:07Z"
        ended:
          description: When it ended, in UTC.
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
          description: The built image that it runs, empty for one that was not built in the cluster.
          type: str
          sample: "registry.site.example/os/worker@sha256:0f1c..."
        desired_image:
          description: The one that it is asked to run.
          type: str
          sample: "registry.site.example/os/worker@sha256:0f1c..."
        state:
          description: The word of its machine-config daemon.
          type: str
          sample: Done
        reason:
          description: What the daemon says to that.
          type: str
          sample: ""
        done:
          description: Whether it has arrived and is ready.
          type: bool
          sample: true
    uncarried:
      description: What an image cannot carry to the nodes, because /var and the home directories are the host's own.
      type: list
      elements: dict
      contains:
        kind:
          description: V(file), V(directory), V(link), V(ssh_keys) or V(password).
          type: str
          sample: ssh_keys
        subject:
          description: The path or the user.
          type: str
          sample: core
        source:
          description: The MachineConfig or the part of the Containerfile that has it.
          type: str
          sample: rendered-worker-5d8a...
        lost:
          description:
            - Whether it will not be on the nodes. Otherwise the machine-config daemon writes it there itself, and
              only a host that boots the image without a daemon lacks it.
          type: bool
          sample: false
    history:
      description: What the pool was asked to have, oldest first, with the image that came of it.
      type: list
      elements: dict
      contains:
        revision:
          description: Its number.
          type: int
          sample: 1
        at:
          description: When it was asked for, in UTC.
          type: str
          sample: "2026-11-21T20:01:07Z"
        image:
          description: The image by digest that came of it, empty if none did.
          type: str
          sample: "registry.site.example/os/worker@sha256:77ab..."
        is_release:
          description: Whether it is the release's own image.
          type: bool
          sample: false
        os_image_url:
          description: The base image that was asked for, empty for the release's own.
          type: str
          sample: ""
        build:
          description: The build that was ordered, none where nothing was.
          type: dict
          sample: {"push_spec": "registry.site.example/os/worker:latest", "parts": []}
pinned_images:
  description: Which images the cluster keeps on which nodes.
  type: dict
  returned: with O(gather=pinned_images)
  contains:
    pinned_image_sets:
      description: The sets as they are in the cluster.
      type: list
      elements: dict
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
image_stores:
  description: One entry for each pool.
  type: list
  elements: dict
  returned: with O(gather=image_stores)
  contains:
    pool:
      description: The name of the pool.
      type: str
      sample: worker
    method:
      description: V(container_runtime_config) or V(machine_config), as V(auto) would choose.
      type: str
      sample: container_runtime_config
    paused:
      description: Whether the pool is paused.
      type: bool
      sample: true
    objects:
      description: The objects that make its nodes list the slots, none where it was not applied.
      type: list
      elements: str
      sample: [MachineConfig 99-worker-fieldops-image-stores, ContainerRuntimeConfig fieldops-image-stores-worker]
    rivals:
      description: Objects of others that write C(storage.conf) of this pool as well, of which only one counts.
      type: list
      elements: str
      sample: []
    rendered:
      description: Whether the operator has made them part of what the nodes are to have.
      type: bool
      sample: true
    rolled_out:
      description: Whether every node of the pool has it.
      type: bool
      sample: false
actions:
  description: The calls that changed something. This module makes none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.pins.pinned_image_sets import read_sets
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.pools import read_slot_pools
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
