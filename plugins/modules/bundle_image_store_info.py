#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: bundle_image_store_info
short_description: Tell which image stores a bundle has
version_added: 0.1.0
description:
  - Reads the index of a bundle and returns its image stores, files that nodes mount instead of loading images.
  - Whether their bytes are right is told by M(fieldops.openshift.release_bundle_info) with a full verification.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
requirements:
  - python >= 3.10
options:
  path:
    description: The folder of the bundle.
    type: path
    required: true
  bases:
    description: Other bundles, among which the stores below a delta are looked for.
    type: list
    elements: path
    default: []
seealso:
  - module: fieldops.openshift.bundle_image_store
"""

EXAMPLES = r"""
- name: See what the stick has for the nodes to mount
  fieldops.openshift.bundle_image_store_info:
    path: /mnt/disk/4.20.2
    bases: [/mnt/disk/4.20.1]
  register: stick
"""

RETURN = r"""
path:
  description: Where the bundle lies.
  type: str
  returned: success
  sample: /mnt/disk/4.20.2
version:
  description: The version of its release.
  type: str
  returned: success
  sample: 4.20.2
index_digest:
  description: The digest of its index.
  type: str
  returned: success
  sample: "sha256:3f2a1b0c..."
signed:
  description: Whether a signature of the index lies beside it, whoever made that.
  type: bool
  returned: success
  sample: false
stores:
  description: Its stores, in the order in which nodes try them.
  type: list
  elements: dict
  returned: success
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
      sample: 3221225472
    unpacked_size:
      description: The bytes of the files in it.
      type: int
      sample: 8589934592
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
      sample: "sha256:77ab..."
    depth:
      description: How many stores lie below it.
      type: int
      sample: 1
    present:
      description: Whether its file is there, in its full size.
      type: bool
      sample: true
    base_bundle:
      description: Which of O(bases) has the store that a delta lies over.
      type: str
      sample: /mnt/disk/4.20.1
actions:
  description: The commands that changed something. This module runs none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.image_store_info import stores_of_bundle
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run_module
from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import Result

SPEC = ArgumentSpec(
    options={
        "path": {"type": "path", "required": True},
        "bases": {"type": "list", "elements": "path", "default": []},
    }
)


def main() -> t.NoReturn:
    def work(run: ModuleRun) -> Result:
        return Result(objects=stores_of_bundle(run.params))

    run_module(SPEC, work)


if __name__ == "__main__":
    main()
