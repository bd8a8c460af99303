#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_media
short_description: Find bundles on removable media of a host, and mount or unmount the media
version_added: 0.1.0
description:
  - Searches the host that the task runs on for removable media with a bundle. Removable devices that are not mounted,
    as is the default on Red Hat Enterprise Linux CoreOS, are mounted below C(/run/fieldops-openshift/media).
  - The file systems vfat, exfat, ext4, xfs and iso9660 are mounted if the kernel supports them, on partitions, on
    whole disks and on virtual CDs of a management controller. The mount options are C(ro,nosuid,nodev,noexec), so
    nothing is written to the media. The file system type is detected from the content of the device. Labels are
    ignored.
  - Media without the bundle are unmounted immediately. The others stay mounted until the module is run with
    O(state=unmounted), until the end of their O(lifetime), or until the host restarts. Media that an earlier run left
    mounted are mounted again.
  - Media with different bundles result in several entries in RV(index_digests), so that a play can stop before it
    copies anything.
  - Only the names and sizes of blobs are checked. Every blob is verified when it is staged.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._host_options
attributes:
  check_mode:
    support: partial
    details: Nothing is mounted, so only bundles on mounted media are found.
options:
  state:
    description:
      - V(mounted) mounts media and searches them.
      - V(unmounted) unmounts media that this module has mounted, unless they are in use. All of them are considered
        in use while a job of M(fieldops.openshift.node_bundle) runs on the host.
    type: str
    choices: [mounted, unmounted]
    default: mounted
  paths:
    description: Folders to search in addition to removable devices and mounts below C(/run/media), C(/media) and
      C(/mnt), or the targets of these paths.
    type: list
    elements: path
    default: []
  index_digest:
    description:
      - The index digest of the bundle to search for, C(sha256:...), or at least its first 32 digits. Other indexes
        are then not parsed, and for other bundles only the digest is returned.
    type: str
  lifetime:
    description:
      - The number of seconds after which the host unmounts the media, so that they do not stay mounted if the play is
        killed. While a process of the host uses a medium, the host tries again every minute.
      - M(fieldops.openshift.node_bundle) and M(fieldops.openshift.bundle_relay) mount a medium again that they read
        from, and let it stay mounted for another two hours.
      - Requires systemd on the host. Without it, media stay mounted.
    type: int
    default: 7200
seealso:
  - module: fieldops.openshift.node_bundle
  - plugin: fieldops.openshift.bundle_choice
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Search for media on all nodes
  fieldops.openshift.node_media:
  delegate_to: "{{ item }}"
  become: true
  loop: "{{ site_nodes }}"
  register: media

- name: Stop if different bundles were found, and select the bundle
  ansible.builtin.set_fact:
    choice: "{{ dict(site_nodes | zip(media.results)) | fieldops.openshift.bundle_choice }}"

- name: Unmount the media
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
      description: The folder of the bundle, for O(fieldops.openshift.node_bundle#module:src).
      type: str
      sample: /run/media/usb/4.21.3-x86_64
    problem:
      description: Why the bundle cannot be used. Empty if it can be used.
      type: str
      sample: ""
    is_part:
      description: Whether the bundle can be used only together with other media that contain the rest of its blobs.
      type: bool
      sample: false
    volume:
      description:
        - For a bundle on several drives, which of them this is, and the others, by the file C(volume.json) on it, which
          is not signed. None for other bundles.
      type: dict
      returned: where its index was read
      contains:
        names:
          description: The letter of this drive.
          type: list
          elements: str
          sample: [A]
        others:
          description: The other drives, including the drive with the parity.
          type: list
          elements: dict
          contains:
            name:
              description: The letter of the drive.
              type: str
              sample: B
            label:
              description: The label of its file system, or the name of the folder where it was mounted.
              type: str
              sample: FIELDOPS-2
    index_digest:
      description: The digest of the index. None if it cannot be read or is not the index of a bundle.
      type: str
      sample: "sha256:6a27f17a..."
    version:
      description: The version of the release. Empty for bundles other than O(index_digest), if that option is set.
      type: str
      returned: where its index was read
      sample: 4.21.3
    architecture:
      description: The release architecture.
      type: str
      returned: where its index was read
      sample: x86_64
    base:
      description: The index digest of the base bundle, if this bundle is a delta. None otherwise.
      type: str
      returned: where its index was read
      sample: null
    images:
      description: The number of images in the bundle.
      type: int
      returned: where its index was read
      sample: 191
    size:
      description: The total size of its blobs in bytes.
      type: int
      returned: where its index was read
      sample: 18253611008
index_digests:
  description: The index digests of the different usable bundles.
  type: list
  elements: str
  returned: when O(state=mounted)
  sample: ["sha256:6a27f17a..."]
not_read:
  description: Folders whose index was not read, because 16 indexes of the same medium had already been read.
  type: list
  elements: str
  returned: when O(state=mounted)
  sample: []
places:
  description: The places that were searched.
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
      description: The type of the file system. Empty if unknown.
      type: str
      sample: ntfs
    size:
      description: The size in bytes.
      type: int
      sample: 62058921984
    problem:
      description: Why the device is not mounted.
      type: str
      sample: this file system is not supported, only exfat, ext4, iso9660, vfat, xfs
mounted:
  description: The paths where this module has media mounted now.
  type: list
  elements: str
  returned: success
  sample: [/run/fieldops-openshift/media/sdb1]
actions:
  description: The mounts that were added or removed.
  type: list
  elements: dict
  returned: success
  contains:
    action:
      description: V(mount) or V(unmount).
      type: str
      sample: mount
    path:
      description: The mount point.
      type: str
      sample: /run/fieldops-openshift/media/sdb1
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.media.find_media import (
    media_report,
    unmounted_media,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.media.media_lease import checked_lease
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.vetted_digest import VettedDigest

SPEC = ArgumentSpec(
    options={
        "state": {"type": "str", "choices": ["mounted", "unmounted"], "default": "mounted"},
        "paths": {"type": "list", "elements": "path", "default": []},
        "index_digest": {"type": "str"},
        "lifetime": {"type": "int", "default": 7200},
    }
).merged(HOST_OPTIONS)


def main() -> t.NoReturn:
    def work(this: ModuleRun) -> Result:
        if this.params["state"] == "unmounted":
            return unmounted_media(host_of(this), check_mode=this.check_mode)
        wanted = VettedDigest.parse(this.params["index_digest"]) if this.params["index_digest"] else None
        lifetime = checked_lease(this.params["lifetime"])
        paths = this.params["paths"]
        return media_report(host_of(this), paths, wanted, lifetime=lifetime, check_mode=this.check_mode)

    run(SPEC, work)


if __name__ == "__main__":
    main()
