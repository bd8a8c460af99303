#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_media
short_description: Find bundles on removable media of a host, mounting them
version_added: 0.1.0
description:
  - Looks on the host that the task runs on for media that hold a bundle. Removable devices that are not mounted, as Red
    Hat Enterprise Linux CoreOS leaves all of them, are mounted below C(/run/fieldops-openshift/media) for that.
  - File systems of the types vfat, exfat, ext4, xfs and iso9660 are mounted, as far as the kernel has them, on
    partitions, on whole disks and on virtual CDs of a management controller. They are mounted with
    C(ro,nosuid,nodev,noexec), and nothing is written to them. The type is what the bytes of the device tell; labels
    decide nothing.
  - A medium that does not hold the bundle is unmounted again at once. The others stay mounted until the module is run
    with O(state=unmounted), and no longer than until the host restarts. What an earlier run left is mounted
    again.
  - Two media with different bundles show as two entries in RV(index_digests), so that a play can stop before anything
    is copied.
  - Only names and sizes of the blobs are looked at. Every blob is verified when it is staged.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._host_options
attributes:
  check_mode:
    support: partial
    details: Nothing is mounted, so that bundles are found on mounted media alone.
  diff_mode:
    support: full
  idempotent:
    support: full
options:
  state:
    description:
      - With V(mounted) media are mounted and looked at.
      - With V(unmounted) what this module has mounted is unmounted, unless it is in use. While a job of
        M(fieldops.openshift.node_bundle) works on this host all of it is in use.
    type: str
    choices: [mounted, unmounted]
    default: mounted
  paths:
    description: Further folders to look in, beside removable devices and what is mounted below C(/run/media), C(/media)
      and C(/mnt), or where these lead.
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
- name: Look for media on all nodes
  fieldops.openshift.node_media:
  delegate_to: "{{ item }}"
  become: true
  loop: "{{ site_nodes }}"
  register: media

- name: Stop if two different bundles were plugged in, and know where the one lies
  ansible.builtin.set_fact:
    choice: "{{ dict(site_nodes | zip(media.results)) | fieldops.openshift.bundle_choice }}"

- name: Let go of the media
  fieldops.openshift.node_media:
    state: unmounted
  delegate_to: "{{ item }}"
  become: true
  loop: "{{ site_nodes }}"
"""

RETURN = r"""
bundles:
  description: The bundles that were found.
  type: list
  elements: dict
  returned: when O(state=mounted)
  contains:
    path:
      description: The folder that it lies in, as O(fieldops.openshift.node_bundle#module:src) takes it.
      type: str
      sample: /run/media/usb/4.21.3-x86_64
    problem:
      description: Why it cannot be used; empty where it can.
      type: str
      sample: ""
    is_part:
      description: Whether it can be used, but only beside other media with the rest of its blobs.
      type: bool
      sample: false
    index_digest:
      description: The digest of its index, or nothing where that cannot be read or is not that of a bundle.
      type: str
      sample: "sha256:6a27f17a..."
    version:
      description: The release. Empty where O(index_digest) is given and this is another bundle.
      type: str
      returned: where its index was read
      sample: 4.21.3
    architecture:
      description: The architecture under its release name.
      type: str
      returned: where its index was read
      sample: x86_64
    base:
      description: The index digest of the bundle that this one is a delta to, or nothing.
      type: str
      returned: where its index was read
      sample: null
    images:
      description: How many images it has.
      type: int
      returned: where its index was read
      sample: 191
    size:
      description: The bytes of its blobs.
      type: int
      returned: where its index was read
      sample: 18253611008
index_digests:
  description: The different bundles among those that can be used.
  type: list
  elements: str
  returned: when O(state=mounted)
  sample: ["sha256:6a27f17a..."]
not_read:
  description: Folders whose index was not read, because 16 of the same medium had been read.
  type: list
  elements: str
  returned: when O(state=mounted)
  sample: []
places:
  description: Where it looked.
  type: list
  elements: str
  returned: when O(state=mounted)
  sample: [/run/media/usb]
unmounted:
  description: Removable devices with a file system that is not mounted.
  type: list
  elements: dict
  returned: when O(state=mounted)
  contains:
    device:
      description: The device.
      type: str
      sample: /dev/sdb1
    fs_type:
      description: The type of its file system, empty where that is not known.
      type: str
      sample: ntfs
    size:
      description: Its bytes.
      type: int
      sample: 62058921984
    problem:
      description: Why it is not mounted.
      type: str
      sample: media with this file system are not mounted, only exfat, ext4, iso9660, vfat, xfs
mounted:
  description: Where this module has media mounted now.
  type: list
  elements: str
  returned: success
  sample: [/run/fieldops-openshift/media/sdb1]
actions:
  description: What is mounted now and was not before, and what no longer is.
  type: list
  elements: dict
  returned: success
  contains:
    action:
      description: V(mount) or V(unmount).
      type: str
      sample: mount
    path:
      description: Where.
      type: str
      sample: /run/fieldops-openshift/media/sdb1
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.find_media import (
    media_report,
    unmounted_media,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.digest import Digest
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = ArgumentSpec(
    options={
        "state": {"type": "str", "choices": ["mounted", "unmounted"], "default": "mounted"},
        "paths": {"type": "list", "elements": "path", "default": []},
        "index_digest": {"type": "str"},
    }
).merged(HOST_OPTIONS)


def main() -> t.NoReturn:
    def work(this: ModuleRun) -> Result:
        if this.params["state"] == "unmounted":
            return unmounted_media(host_of(this), check_mode=this.check_mode)
        wanted = Digest.parse(this.params["index_digest"]) if this.params["index_digest"] else None
        return media_report(host_of(this), this.params["paths"], wanted, check_mode=this.check_mode)

    run(SPEC, work)


if __name__ == "__main__":
    main()
