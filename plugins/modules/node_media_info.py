#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_media_info
short_description: Find bundles on sticks and other media of a node
version_added: 0.1.0
description:
  - Looks on the host that the task runs on for mounted media that hold a bundle, and for removable devices that nobody
    has mounted yet.
  - Two media with different bundles show as two entries in RV(index_digests), so that a play can stop before anything
    is copied.
  - Only names and sizes of the blobs are looked at. Every blob is verified when it is staged.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._host_options
options:
  paths:
    description: Further folders to look in, beside removable devices and what is mounted below C(/run/media), C(/media)
      and C(/mnt).
    type: list
    elements: path
    default: []
  index_digest:
    description:
      - The digest of the index of the bundle that is looked for. Then no other index is parsed; of other bundles only
        their digests are returned.
    type: str
seealso:
  - module: fieldops.openshift.node_bundle
  - plugin: fieldops.openshift.bundle_choice
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Look for sticks on all nodes
  fieldops.openshift.node_media_info:
  delegate_to: "{{ item }}"
  become: true
  loop: "{{ site_nodes }}"
  register: media

- name: Stop if two different bundles were plugged in, and know where the one lies
  ansible.builtin.set_fact:
    choice: "{{ dict(site_nodes | zip(media.results)) | fieldops.openshift.bundle_choice }}"
"""

RETURN = r"""
bundles:
  description: The bundles that were found.
  type: list
  elements: dict
  returned: success
  contains:
    path:
      description: The folder that it lies in, as O(fieldops.openshift.node_bundle#module:src) takes it.
      type: str
      sample: /run/media/usb/4.21.3-x86_64
    problem:
      description: Why it cannot be used; empty where it can.
      type: str
      sample: ""
    index_digest:
      description: The digest of its index, or nothing where that cannot be read or is not that of a bundle.
      type: str
      sample: "sha256:6a27f17a..."
    version:
      description: The release. Empty where O(index_digest) is given and this is another bundle.
      type: str
      sample: 4.21.3
    architecture:
      description: The architecture under its release name.
      type: str
      sample: x86_64
    base:
      description: The index digest of the bundle that this one is a delta to, or nothing.
      type: str
      sample: null
    images:
      description: How many images it has.
      type: int
      sample: 191
    size:
      description: The bytes of its blobs.
      type: int
      sample: 18253611008
index_digests:
  description: The different bundles among those that can be used.
  type: list
  elements: str
  returned: success
  sample: ["sha256:6a27f17a..."]
not_read:
  description: Folders whose index was not read, because 16 of the same medium had been read.
  type: list
  elements: str
  returned: success
  sample: []
places:
  description: Where it looked.
  type: list
  elements: str
  returned: success
  sample: [/run/media/usb]
unmounted:
  description: Removable devices with a file system that is not mounted.
  type: list
  elements: dict
  returned: success
  contains:
    device:
      description: The device.
      type: str
      sample: /dev/sdb1
    fs_type:
      description: The type of its file system.
      type: str
      sample: exfat
    label:
      description: The label of the file system.
      type: str
      sample: BUNDLE
    size:
      description: Its bytes.
      type: int
      sample: 62058921984
actions:
  description: The commands that changed something. This module runs none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.find_media import media_report
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = ArgumentSpec(
    options={"paths": {"type": "list", "elements": "path", "default": []}, "index_digest": {"type": "str"}}
).merged(HOST_OPTIONS)


def main() -> t.NoReturn:
    def look(this: ModuleRun) -> Result:
        wanted = Digest.parse(this.params["index_digest"]) if this.params["index_digest"] else None
        return Result(objects=media_report(host_of(this), this.params["paths"], wanted))

    run(SPEC, look)


if __name__ == "__main__":
    main()
