#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: bundle_image_store
short_description: Build an image store in a bundle, so that nodes can mount images instead of loading them
version_added: 0.1.0
description:
  - Builds a read-only file system with all images of a bundle, in the format of container storage, and adds it to the
    bundle. When a node mounts the file, CRI-O can use the images at once, without unpacking them and without a second
    copy. See M(fieldops.openshift.node_image_store).
  - All content of the bundle is verified first. Then skopeo copies the images into a scratch storage, which is packed
    into one file.
  - The bundle index references the store by its digest. Adding a store therefore changes the index digest, which must
    be vetted again. An existing index signature is replaced or removed.
  - Stores are not reproducible. Two builds from the same images differ, and a delta store works only with the base
    store that it was built from. Therefore an existing store is kept, even if the bundle is built again.
  - The image blobs stay in the bundle, for nodes that cannot use the store.
  - A separate process does the work and continues after the module has ended. Without O(wait), the module starts the
    process or reports its progress. The call that finds it finished returns the store.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._wait_options
attributes:
  diff_mode:
    details: Shows the image stores of the bundle.
requirements:
  - python >= 3.10
  - root privileges on a machine that can mount file systems, because files in images belong to various users
  - skopeo, and C(mksquashfs) (squashfs-tools) or C(mkfs.erofs) (erofs-utils)
  - gpg, if O(signing_key) is set
options:
  path:
    description: The folder of a complete bundle, or of a delta bundle whose base is listed in O(bases).
    type: path
    required: true
  state:
    description:
      - V(present) builds the store unless the bundle already contains it.
      - V(absent) removes all stores from the bundle.
    type: str
    choices: [present, absent]
    default: present
  filesystem:
    description:
      - The file system of the store. V(squashfs) is supported by the kernels of RHEL 8, 9 and 10.
      - V(erofs) is faster to read. RHEL 9 supports it without compression.
      - A node does not predict which file systems it supports. It tries to mount the store.
    type: str
    choices: [squashfs, erofs]
    default: squashfs
  compression:
    description: The compression of the store. The squashfs of RHEL supports V(zstd). V(lz4) takes less time and more
      space.
    type: str
    choices: [none, lz4, zstd]
    default: zstd
  bases:
    description:
      - Folders of bundles that the site already has. The store then contains only what the store of the first bundle
        lacks.
      - If that store is itself a delta, list the bundles with its base stores as well.
      - At most two deltas are stacked. Instead of a third delta a complete store is built, and RV(store.merged) is
        V(true).
    type: list
    elements: path
    default: []
  scratch:
    description:
      - A folder with space for all unpacked images, on ext4 or XFS. Overlay file systems, as used in most containers,
        are not supported.
    type: path
    default: /var/tmp
  signing_key:
    description: The path of a file with an OpenPGP private key that signs the new index.
    type: path
  signing_passphrase:
    description: The passphrase for O(signing_key).
    type: str
seealso:
  - module: fieldops.openshift.release_bundle
  - module: fieldops.openshift.node_image_store
"""

EXAMPLES = r"""
- name: Add a store that RHEL 9 nodes can mount
  fieldops.openshift.bundle_image_store:
    path: /mnt/disk/4.20.1
    wait: true
    wait_timeout: 7200
  become: true
  register: made

- name: Add a store with the differences from the release that nodes have mounted
  fieldops.openshift.bundle_image_store:
    path: /mnt/disk/4.20.2
    bases: [/mnt/disk/4.20.1]
    wait: true
    wait_timeout: 7200
  become: true
"""

RETURN = r"""
store:
  description: The image store.
  type: dict
  returned: with O(state=present), when it exists
  contains:
    digest:
      description: The digest of the store file, which is a blob of the bundle.
      type: str
      sample: "sha256:1d5c..."
    filesystem:
      description: V(squashfs) or V(erofs).
      type: str
      sample: squashfs
    compression:
      description: V(none), V(lz4) or V(zstd).
      type: str
      sample: zstd
    kernels:
      description: The kernels that are known to be able to mount the store.
      type: str
      sample: Linux 4.14, RHEL 8
    size:
      description: The size of the file in bytes.
      type: int
      sample: 17179869184
    unpacked_size:
      description: The total size of the files in the store, in bytes.
      type: int
      sample: 45097156608
    images:
      description: The number of images in the store and its base stores.
      type: int
      sample: 191
    whole:
      description: Whether the store and its base stores contain all images of the bundle.
      type: bool
      sample: true
    base:
      description: The digest of the base store, for a delta.
      type: str
      sample:
    depth:
      description: The number of base stores below this store.
      type: int
      sample: 0
    merged:
      description: Whether the store is complete because two deltas were already stacked.
      type: bool
      sample: false
bundle:
  description: The updated bundle.
  type: dict
  returned: when the state is reached
  contains:
    path:
      description: The folder of the bundle.
      type: str
      sample: /mnt/disk/4.20.1
    version:
      description: The version of the release.
      type: str
      sample: 4.20.1
    index_digest:
      description: The digest of the new index, which must be vetted.
      type: str
      sample: "sha256:3f2a1b0c..."
    folder_name:
      description: The name of the bundle folder on nodes.
      type: str
      sample: 4.20.1-x86_64-3f2a1b0c9d8e
    size:
      description: The total size of all blobs, in bytes.
      type: int
      sample: 34359738368
    signed:
      description: Whether the bundle folder contains a signature of this index.
      type: bool
      sample: false
    stores:
      description: All stores of the bundle, in the same format as RV(store), in the order in which nodes try them.
      type: list
      elements: dict
      sample: []
forecast:
  description: The store that would be built.
  type: dict
  returned: in check mode with O(state=present)
  sample: {filesystem: squashfs, compression: zstd, base: null, depth: 0, merged: false}
actions:
  description: The actions that were taken, or that would be taken in check mode.
  type: list
  elements: dict
  returned: success
  sample: [{action: build, store: "sha256:1d5c..."}]
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: '57 of 191 images are in the store, now etcd', done: false, next_delay: 10.0}
timeline:
  description: The progress messages observed while waiting, one entry for each change, in the same format as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T22:01:07Z', sentence: 'packing 43008 MiB as squashfs, zstd'}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.image_store.step import step_to_store
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS

SPEC = ArgumentSpec(
    options={
        "path": {"type": "path", "required": True},
        "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
        "filesystem": {"type": "str", "choices": ["squashfs", "erofs"], "default": "squashfs"},
        "compression": {"type": "str", "choices": ["none", "lz4", "zstd"], "default": "zstd"},
        "bases": {"type": "list", "elements": "path", "default": []},
        "scratch": {"type": "path", "default": "/var/tmp"},  # noqa: S108 - a private folder is made in it
        "signing_key": {"type": "path", "no_log": False},
        "signing_passphrase": {"type": "str", "no_log": True},
    },
    required_by={"signing_passphrase": ["signing_key"]},
).merged(WAIT_OPTIONS)
WAITING = Waiting("the image store is as requested", on="the folder of the bundle")


def main() -> t.NoReturn:
    run(SPEC, lambda this: step_to_store(this.params, this.clock, check_mode=this.check_mode), WAITING)


if __name__ == "__main__":
    main()
