#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_image_store
short_description: Mount the image store of a bundle on a node instead of loading its images
version_added: 0.1.0
description:
  - Mounts the image store of a bundle, one file that M(fieldops.openshift.bundle_image_store) made, on the node that
    the task runs on. CRI-O then has all images of the release at once. Nothing is unpacked, there is no second copy,
    and garbage collection cannot remove an image from it.
  - The bytes of the file are compared with the accepted index right before each mount, also at every boot.
  - Whether a node can use the store is tried, not guessed. It is mounted, CRI-O must list every image, and a container
    is started from it. If one of these fails for a reason of the node, everything is taken back and RV(decision) is
    V(load), with the reason; M(fieldops.openshift.node_images) then loads the images as ever.
  - Wrong bytes are no such reason. They are an error, the file is removed, and the next run fetches it again.
  - The nodes have four slots for stores, at fixed places which C(storage.conf) lists once. Therefore no later store
    needs a change of the configuration, a restart or a reboot.
  - The file is taken from the staged bundle if it is there. Otherwise a job on the node receives it, and only it, from
    O(src) or O(sources); the rest of the bundle need not be on the node.
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
    support: full
    details: It cannot tell whether the kernel mounts the store; RV(decision) is then nothing.
  diff_mode:
    support: full
    details: Shows what is mounted in each slot, or the text of the storage configuration.
  idempotent:
    support: full
options:
  state:
    description:
      - With V(present) the store of the bundle is mounted and proved, or it is decided that images are loaded.
      - With V(absent) it is unmounted and its file is removed. That is refused while a container, a loaded image or
        a delta stands on it.
      - With V(configured) the slots are made and listed in C(storage.conf), and CRI-O is restarted once for it, which
        containers survive. On a node with a machine-config daemon, which owns that file, it is refused and
        RV(documents) has what to apply to the cluster instead.
    type: str
    choices: [present, absent, configured]
    default: present
  index_digest:
    description:
      - The vetted digest of the bundle's index, C(sha256:...). It is needed with all states but V(configured).
    type: str
  src:
    description: A folder on the node that holds the bundle, such as a mounted stick. It is asked before O(sources).
    type: path
    default: ""
  pin:
    description:
      - Whether the images are pinned as well. Nothing can remove them from a store, but the kubelet would try again and
        again when a disk fills up.
    type: bool
    default: true
  probe_image:
    description:
      - From which image the container is started, by name or component. By default one that has a shell, and for a
        delta one that is new in it.
    type: str
    default: ""
  probe_command:
    description: What the container does. It has to end with status 0.
    type: list
    elements: str
    default: [/usr/bin/true]
  pool:
    description: The pool of the node, for which RV(documents) are written with O(state=configured).
    type: str
    default: worker
requirements:
  - crictl on the node, a kernel that mounts the store, and a kubelet that runs the static pods in
    C(/etc/kubernetes/manifests)
seealso:
  - module: fieldops.openshift.node_info
  - module: fieldops.openshift.bundle_image_store
  - module: fieldops.openshift.node_images
"""

EXAMPLES = r"""
- name: Let a host without a machine-config operator list the slots, once
  fieldops.openshift.node_image_store:
    state: configured
  become: true

- name: Mount the store of the release, from the stick in this node
  fieldops.openshift.node_image_store:
    index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    src: /run/media/usb
    wait: true
  become: true
  register: store

- name: Load the images where the node cannot use it
  fieldops.openshift.node_images:
    index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    wait: true
  become: true
  when: store.decision == 'load'

- name: Remove the store of the release before, once nothing runs from it any more
  fieldops.openshift.node_image_store:
    state: absent
    index_digest: sha256:0d9f4e2b7c6a5f3e1d8b9c0a7e6f5d4c3b2a19087f6e5d4c3b2a1908f7e6d5c4
  become: true
"""

RETURN = r"""
decision:
  description: V(store) when the images run from the store, V(load) when they are to be loaded, else nothing.
  type: str
  returned: success
  sample: store
reason:
  description: Why.
  type: str
  returned: success
  sample: mounted, and a container started from it
slot:
  description: The number of its slot.
  type: int
  returned: when the store is mounted
  sample: 4
path:
  description: The place of that slot.
  type: str
  returned: when the store is mounted
  sample: /var/lib/fieldops/stores/slot4
mounted:
  description: Whether it is mounted.
  type: bool
  returned: when the store is mounted
  sample: true
at_boot:
  description: Whether it is mounted at every boot.
  type: bool
  returned: when the store is mounted
  sample: true
store:
  description: The store.
  type: dict
  returned: when the store is mounted, received or verified
  contains:
    digest:
      description: The digest of its file.
      type: str
      sample: "sha256:1d5c..."
    index_digest:
      description: The digest of the index that vouches for it.
      type: str
      sample: "sha256:6a27..."
    version:
      description: The version of the release.
      type: str
      sample: 4.20.1
    size:
      description: The size of its file in bytes.
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
      description: The bytes of the files in it.
      type: int
      sample: 45097156608
    base:
      description: For a delta the digest of the one store that it lies over.
      type: str
      sample:
    depth:
      description: How many stores lie below it.
      type: int
      sample: 0
    images:
      description: The names of the images in it and its bases.
      type: list
      elements: str
      sample: ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."]
    proved:
      description: The kernel on which a container was started from it.
      type: str
      sample: 5.14.0-570.12.1.el9_6.x86_64
forecast:
  description: What was computed before the job was started, as M(fieldops.openshift.node_bundle) returns it.
  type: list
  elements: dict
  returned: when the job was started
  sample: []
removed:
  description: The digests of the stores that were removed, or would be.
  type: list
  elements: str
  returned: with O(state=absent)
  sample: []
storage_conf:
  description: C(storage.conf) before and after.
  type: dict
  returned: with O(state=configured)
  sample: {before: "[storage]\n", after: "[storage]\n"}
documents:
  description:
    - What to apply to the cluster right before an update, which reboots the nodes anyway. The first is a MachineConfig
      that does all by itself. The second and third, a MachineConfig and a ContainerRuntimeConfig, belong together and
      are for releases whose ContainerRuntimeConfig has C(additionalImageStores).
  type: list
  elements: dict
  returned: when O(state=configured) is refused on a node with a machine-config daemon
  sample: [{apiVersion: machineconfiguration.openshift.io/v1, kind: MachineConfig}]
actions:
  description: What was done, or would be in check mode.
  type: list
  elements: dict
  returned: success
  sample: [{action: mount, store: "sha256:1d5c...", slot: 4}]
progress:
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: 191 images of 4.20.1 run from the store in slot 4, done: true, next_delay: 5.0}
timeline:
  description: What was seen while it waited, one entry for each change, as
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
WAITING = Waiting("the image store is as asked for", on="the node")


def main() -> t.NoReturn:
    run(SPEC, lambda this: store_step(host_of(this), this.params, check_mode=this.check_mode), WAITING)


if __name__ == "__main__":
    main()
