#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: bundle_image_store
short_description: Add an image store to a bundle, one file that nodes mount instead of loading images
version_added: 0.1.0
description:
  - Makes one read-only file system with all images of a bundle, in the form in which container runtimes keep them, and
    adds it to the bundle. A node mounts that file, and CRI-O has the images at once, without unpacking and without a
    second copy; see M(fieldops.openshift.node_image_store).
  - Every byte of the bundle is verified first. Then skopeo fills a scratch storage, which is packed into one file.
  - The index of the bundle names the store by its digest. Therefore the bundle gets another index digest, which has to
    be vetted again, and an index signature that lay beside it is replaced or removed.
  - A store is not reproducible. Made twice of the same images it is another file, and a delta lies over exactly the one
    store that it was made over. What is there already is therefore kept, also when the bundle is built again.
  - The blobs of the images stay in the bundle, for nodes that cannot use the store.
  - The work is done by a process that outlives this module. Without O(wait) the module begins it, or tells how far it
    has come; the call that finds it finished returns the store.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
    details: Shows which image stores the bundle has.
  idempotent:
    support: full
requirements:
  - python >= 3.10
  - root, on a machine that may mount file systems, because files in images belong to all kinds of users
  - skopeo, and C(mksquashfs) (squashfs-tools) or C(mkfs.erofs) (erofs-utils)
  - gpg, where O(signing_key) is given
options:
  path:
    description: The folder of a complete bundle, or of a delta whose base is among O(bases).
    type: path
    required: true
  state:
    description:
      - V(present) makes the store unless the bundle has it.
      - V(absent) removes all stores of the bundle.
    type: str
    choices: [present, absent]
    default: present
  filesystem:
    description:
      - What the kernels of the nodes mount. V(squashfs) is part of the kernels of RHEL 8, 9 and 10.
      - V(erofs) reads faster. RHEL 9 has it without compression.
      - Which one a node can use is not guessed there. It tries to mount it.
    type: str
    choices: [squashfs, erofs]
    default: squashfs
  compression:
    description: How the store is compressed. RHEL's squashfs knows V(zstd); V(lz4) costs less time and more space.
    type: str
    choices: [none, lz4, zstd]
    default: zstd
  bases:
    description:
      - Folders of bundles that the site has. The store then holds only what the store of the first one lacks.
      - When that store is a delta itself, the bundles with the stores below it must follow.
      - Over two deltas no third one is made. The store is then whole again, and RV(store.merged) is true.
    type: list
    elements: path
    default: []
  scratch:
    description:
      - A folder with room for all images unpacked, on ext4 or XFS. Not on an overlay, as most containers have.
    type: path
    default: /var/tmp
  signing_key:
    description: A file with a secret OpenPGP key that signs the new index.
    type: path
  signing_passphrase:
    description: The passphrase of O(signing_key).
    type: str
seealso:
  - module: fieldops.openshift.release_bundle
  - module: fieldops.openshift.node_image_store
"""

EXAMPLES = r"""
- name: Add a store that nodes with RHEL 9 can mount
  fieldops.openshift.bundle_image_store:
    path: /mnt/disk/4.20.1
    wait: true
    wait_timeout: 7200
  become: true
  register: made

- name: Add only the difference to the release that the site's nodes have mounted
  fieldops.openshift.bundle_image_store:
    path: /mnt/disk/4.20.2
    bases: [/mnt/disk/4.20.1]
    wait: true
    wait_timeout: 7200
  become: true
"""

RETURN = r"""
store:
  description: The store.
  type: dict
  returned: with O(state=present), when it is there
  contains:
    digest:
      description: The digest of its file, which is a blob of the bundle.
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
      description: Which kernels are known to mount it.
      type: str
      sample: Linux 4.14, RHEL 8
    size:
      description: The size of the file in bytes.
      type: int
      sample: 17179869184
    unpacked_size:
      description: The bytes of the files in it.
      type: int
      sample: 45097156608
    images:
      description: How many images a container runtime finds in it and its bases.
      type: int
      sample: 191
    whole:
      description: Whether these are all images of the bundle.
      type: bool
      sample: true
    base:
      description: For a delta the digest of the one store that it lies over.
      type: str
      sample:
    depth:
      description: How many stores lie below it.
      type: int
      sample: 0
    merged:
      description: Whether it was made whole because two deltas lay over one another already.
      type: bool
      sample: false
bundle:
  description: The bundle as it is now.
  type: dict
  returned: when the state is reached
  contains:
    path:
      description: Where it lies.
      type: str
      sample: /mnt/disk/4.20.1
    version:
      description: The version of its release.
      type: str
      sample: 4.20.1
    index_digest:
      description: The digest of its index, to be vetted.
      type: str
      sample: "sha256:3f2a1b0c..."
    folder_name:
      description: The name of its folder on nodes.
      type: str
      sample: 4.20.1-x86_64-3f2a1b0c9d8e
    size:
      description: The bytes of all its blobs.
      type: int
      sample: 34359738368
    signed:
      description: Whether a signature of this index lies beside it.
      type: bool
      sample: false
    stores:
      description: All its stores, as RV(store), in the order in which nodes try them.
      type: list
      elements: dict
      sample: []
forecast:
  description: Which store would be made.
  type: dict
  returned: in check mode with O(state=present)
  sample: {filesystem: squashfs, compression: zstd, base: null, depth: 0, merged: false}
actions:
  description: What was done, or in check mode would be done.
  type: list
  elements: dict
  returned: success
  sample: [{action: build, store: "sha256:1d5c..."}]
progress:
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: '57 of 191 images are in the store, now etcd', done: false, next_delay: 10.0}
timeline:
  description: What was seen while it waited, one entry for each change, as
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
WAITING = Waiting("the image store is as asked for", on="the folder of the bundle")


def main() -> t.NoReturn:
    run(SPEC, lambda this: step_to_store(this.params, this.clock, check_mode=this.check_mode), WAITING)


if __name__ == "__main__":
    main()
