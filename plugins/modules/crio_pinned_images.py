#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: crio_pinned_images
short_description: Pin images in CRI-O on a node, so that they are not removed
version_added: 0.1.0
description:
  - Pins images in CRI-O on the node that the task runs on, so that the garbage collection of the kubelet does not
    remove them, and verifies the result with CRI-O.
  - CRI-O uses only the list from the last configuration file that sets one. The file that this module writes to
    C(/etc/crio/crio.conf.d) sorts after all others and repeats their entries, such as those in C(50-pinned-images) of
    the machine-config operator. Run the module again after other lists have changed.
  - Pinning does not prevent the removal of an image by name, or its loss when the container storage is repaired after
    an unclean shutdown.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._host_options
options:
  state:
    description:
      - V(present) pins the images in addition to all images that are already pinned.
      - V(absent) removes the images from the list of this collection. Images that are pinned by others stay pinned.
    type: str
    choices: [present, absent]
    default: present
  images:
    description:
      - The images to pin, as C(repository@digest). Without O(only_pinned), each image must exist on the node or in a
        bundle that the node serves to itself with M(fieldops.openshift.image_source).
      - With O(state=absent) and without this option and O(index_digest), all images are removed from the list.
    type: list
    elements: str
    default: []
  index_digest:
    description: The digest of a bundle index, C(sha256:...), whose images are pinned. The bundle must be staged on
      the node.
    type: str
  bundle_images:
    description:
      - The images of the bundle in O(index_digest) to pin, by name (C(repository@digest)) or component. By default,
        all images are pinned.
    type: list
    elements: str
    default: []
  exclusive:
    description:
      - Whether to replace the list of this collection with these images, for example after the bundle of the previous
        release is removed. Images that are pinned by others always stay pinned.
    type: bool
    default: false
  only_pinned:
    description:
      - Whether to leave out images that are not pinned yet. With O(exclusive=true), this removes all images from the
        list of this collection but those of O(images) and O(index_digest) that the node keeps, also if it holds only
        some of them.
    type: bool
    default: false
requirements:
  - CRI-O >= 1.29.4; crictl on the node
seealso:
  - module: fieldops.openshift.node_images
"""

EXAMPLES = r"""
- name: Pin all images of the staged bundle
  fieldops.openshift.crio_pinned_images:
    index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
  become: true

- name: Pin a custom image
  fieldops.openshift.crio_pinned_images:
    images:
      - registry.partner.example/edge/gateway@sha256:0c5b2f0d1a4e8c7b6f3a9d2e1c0b4a5f6e7d8c9b0a1f2e3d4c5b6a7980f1e2d3
  become: true

- name: Unpin all images but those of the current release
  fieldops.openshift.crio_pinned_images:
    images: "{{ bundle.images | fieldops.openshift.chosen_images([]) }}"
    exclusive: true
    only_pinned: true
  become: true

- name: Unpin all images
  fieldops.openshift.crio_pinned_images:
    state: absent
  become: true
"""

RETURN = r"""
pins:
  description: The lists of pinned images in the CRI-O configuration.
  type: dict
  returned: success
  contains:
    own:
      description: The images that were pinned with this module.
      type: list
      elements: str
      sample: ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."]
    effective:
      description: The effective list, which is the list of the last file that sets one.
      type: list
      elements: str
      sample: ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."]
    hidden:
      description: The entries of other files that the last file does not repeat.
      type: list
      elements: str
      sample: []
    files:
      description: The files that contain a list, in the order in which CRI-O reads them.
      type: list
      elements: dict
      contains:
        name:
          description: The name of the file in C(/etc/crio/crio.conf.d).
          type: str
          sample: 99-fieldops-pinned-images
        ours:
          description: Whether this collection wrote the file.
          type: bool
          sample: true
        pinned:
          description: The number of patterns in the list.
          type: int
          sample: 191
actions:
  description: The actions that were taken, or that would be taken in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - action: write
      path: /etc/crio/crio.conf.d/99-fieldops-pinned-images
    - action: run
      argv: [systemctl, reload, crio.service]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.pins.pin_step import ensure_pins
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run

SPEC = ArgumentSpec(
    options={
        "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
        "images": {"type": "list", "elements": "str", "default": []},
        "index_digest": {"type": "str"},
        "bundle_images": {"type": "list", "elements": "str", "default": []},
        "exclusive": {"type": "bool", "default": False},
        "only_pinned": {"type": "bool", "default": False},
    }
).merged(HOST_OPTIONS)


def main() -> t.NoReturn:
    run(SPEC, lambda this: ensure_pins(host_of(this), this.params, check_mode=this.check_mode))


if __name__ == "__main__":
    main()
