#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_image_store
short_description: Mount the image store of a bundle on a node, instead of loading its images
version_added: 0.1.0
description:
  - Mounts the image store of a bundle, a file that was built by M(fieldops.openshift.bundle_image_store), on the node
    that the task runs on. CRI-O can then use all images of the release at once. The images are not unpacked or
    copied, and garbage collection cannot remove images from the store.
  - The file is verified against the accepted index immediately before each mount, including at each boot.
  - The module tests whether the node can use the store. It mounts the store, checks that CRI-O lists every image, and
    starts a container from it. If a test fails because of the node, all changes are reverted and RV(decision) is
    V(load), with the reason. M(fieldops.openshift.node_images) can then load the images.
  - A file with wrong content is an error. It is removed, and the next run transfers it again.
  - Each node has four slots for stores, at fixed paths that are configured in C(storage.conf) once. Therefore later
    stores need no configuration change, restart or reboot.
  - The file is taken from the staged bundle if possible. Otherwise, a job on the node transfers only this file from
    O(src) or O(sources). The rest of the bundle is not needed on the node.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._host_options
  - fieldops.openshift._source_options
  - fieldops.openshift._space_options
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    details: Cannot determine whether the kernel can mount the store. RV(decision) is then None.
  diff_mode:
    details: Shows the mounted store of each slot, or the storage configuration.
options:
  state:
    description:
      - V(present) mounts and tests the store of the bundle, or decides that images must be loaded.
      - V(absent) unmounts the store and removes its file. This is refused while a container, a loaded image or a
        delta depends on it.
      - V(configured) creates the slots, adds them to C(storage.conf) and restarts CRI-O once. Running containers are
        not affected. On a node with a machine-config daemon, which owns that file, it is refused, and RV(documents)
        contains the objects to apply to the cluster instead.
    type: str
    choices: [present, absent, configured]
    default: present
  index_digest:
    description:
      - The vetted digest of the bundle index, C(sha256:...). Required for all states except V(configured).
    type: str
  src:
    description: A folder on the node that contains the bundle, such as a mounted USB drive. It is used before
      O(sources).
    type: path
    default: ""
  pin:
    description:
      - Whether to also pin the images. Images cannot be removed from a store, but without pins the kubelet keeps
        trying when a disk fills up.
    type: bool
    default: true
  probe_image:
    description:
      - The image that the test container is started from, by name or component. By default, an image with a shell is
        used, and for a delta an image that is new in the delta.
    type: str
    default: ""
  probe_command:
    description: The command that the test container runs. It must exit with status 0.
    type: list
    elements: str
    default: [/usr/bin/true]
  pool:
    description: The pool of the node, for which RV(documents) are generated with O(state=configured).
    type: str
    default: worker
requirements:
  - crictl on the node, a kernel that can mount the store, and a kubelet that runs the static pods in
    C(/etc/kubernetes/manifests)
seealso:
  - module: fieldops.openshift.node_info
  - module: fieldops.openshift.bundle_image_store
  - module: fieldops.openshift.node_images
"""

EXAMPLES = r"""
- name: Configure the slots on a host without a machine-config operator
  fieldops.openshift.node_image_store:
    state: configured
  become: true

- name: Mount the store of the release from a USB drive in this node
  fieldops.openshift.node_image_store:
    index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    src: /run/media/usb
    wait: true
  become: true
  register: store

- name: Load the images if the node cannot use the store
  fieldops.openshift.node_images:
    index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    wait: true
  become: true
  when: store.decision == 'load'

- name: Remove the store of the previous release, after it is no longer used
  fieldops.openshift.node_image_store:
    state: absent
    index_digest: sha256:0d9f4e2b7c6a5f3e1d8b9c0a7e6f5d4c3b2a19087f6e5d4c3b2a1908f7e6d5c4
  become: true
"""

RETURN = r"""
decision:
  description: V(store) if the images are used from the store, V(load) if they must be loaded, None otherwise.
  type: str
  returned: success
  sample: store
reason:
  description: The reason for the decision.
  type: str
  returned: success
  sample: mounted, and a container started from it
slot:
  description: The number of the slot.
  type: int
  returned: when the store is mounted
  sample: 4
path:
  description: The path of the slot.
  type: str
  returned: when the store is mounted
  sample: /var/lib/fieldops/stores/slot4
mounted:
  description: Whether the store is mounted.
  type: bool
  returned: when the store is mounted
  sample: true
at_boot:
  description: Whether the store is mounted at each boot.
  type: bool
  returned: when the store is mounted
  sample: true
store:
  description: The image store.
  type: dict
  returned: when the store is mounted, received or verified
  contains:
    digest:
      description: The digest of the store file.
      type: str
      sample: "sha256:1d5c..."
    index_digest:
      description: The digest of the index that lists the store.
      type: str
      sample: "sha256:6a27..."
    version:
      description: The version of the release.
      type: str
      sample: 4.20.1
    size:
      description: The size of the file in bytes.
      type: int
      sample: 17179869184
    filesystem:
      description: V(squashfs) or V(erofs).
      type: str
      sample: squashfs
    compression:
      description: V(none), V(lz4) or V(zstd).
      type: str
      sample: zstd
    unpacked_size:
      description: The total size of the files in the store, in bytes.
      type: int
      sample: 45097156608
    base:
      description: The digest of the base store, for a delta.
      type: str
      sample:
    depth:
      description: The number of base stores below this store.
      type: int
      sample: 0
    images:
      description: The names of the images in the store and its base stores.
      type: list
      elements: str
      sample: ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."]
    proved:
      description: The kernel version with which the test container was started from the store.
      type: str
      sample: 5.14.0-570.12.1.el9_6.x86_64
forecast:
  description: The space forecast that was computed before the job started, in the same format as in
    M(fieldops.openshift.node_bundle).
  type: list
  elements: dict
  returned: when the job was started
  sample: []
removed:
  description: The digests of the stores that were removed, or that would be removed in check mode.
  type: list
  elements: str
  returned: with O(state=absent)
  sample: []
storage_conf:
  description: The content of C(storage.conf) before and after the change.
  type: dict
  returned: with O(state=configured)
  sample: {before: "[storage]\n", after: "[storage]\n"}
documents:
  description:
    - The objects to apply to the cluster immediately before an update, which reboots the nodes anyway. The first one
      is a MachineConfig that is sufficient by itself. The second and third, a MachineConfig and a
      ContainerRuntimeConfig, belong together and require a release whose ContainerRuntimeConfig supports
      C(additionalImageStores).
  type: list
  elements: dict
  returned: when O(state=configured) is refused on a node with a machine-config daemon
  sample: [{apiVersion: machineconfiguration.openshift.io/v1, kind: MachineConfig}]
actions:
  description: The actions that were taken, or that would be taken in check mode.
  type: list
  elements: dict
  returned: success
  sample: [{action: mount, store: "sha256:1d5c...", slot: 4}]
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: 191 images of 4.20.1 run from the store in slot 4, done: true, next_delay: 5.0}
timeline:
  description: The progress messages observed while waiting, one entry for each change, in the same format as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample:
    - at: '2026-11-21T22:01:07Z'
      sentence: 'image store: received 5.6 GiB of 16.0 GiB, 95.2 MiB/s, about 2 min left'
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.step import store_step
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.source_options import SOURCE_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS

SPEC = ArgumentSpec(
    options={
        "state": {"type": "str", "choices": ["present", "absent", "configured"], "default": "present"},
        "index_digest": {"type": "str"},
        "src": {"type": "path", "default": ""},
        "keep_free_percent": {"type": "int"},
        "pin": {"type": "bool", "default": True},
        "probe_image": {"type": "str", "default": ""},
        "probe_command": {"type": "list", "elements": "str", "default": ["/usr/bin/true"]},
        "pool": {"type": "str", "default": "worker"},
    },
    required_if=[["state", "present", ["index_digest"]], ["state", "absent", ["index_digest"]]],
).merged(HOST_OPTIONS, SOURCE_OPTIONS, WAIT_OPTIONS)
WAITING = Waiting("the image store is as requested", on="the node")


def main() -> t.NoReturn:
    run(SPEC, lambda this: store_step(host_of(this), this.params, check_mode=this.check_mode), WAITING)


if __name__ == "__main__":
    main()
