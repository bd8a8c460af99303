#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: crio_pinned_images
short_description: Keep images on a node from being removed
version_added: 0.1.0
description:
  - Pins images in CRI-O on the node that the task runs on, so that the kubelet's garbage collector leaves them alone,
    and proves it by asking CRI-O.
  - CRI-O uses only the last list that one of its files sets. The file that this module writes into
    C(/etc/crio/crio.conf.d) sorts behind all others and repeats what they pin, such as the machine-config operator's
    C(50-pinned-images). Run the module again after others have changed their lists.
  - A pin does not keep an image from being removed by name, nor from a repair of the container storage after an unclean
    stop.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._host_options
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
  idempotent:
    support: full
options:
  state:
    description:
      - With V(present) the images are pinned beside all that is pinned already.
      - With V(absent) they are taken out of the list of this collection. What others pin stays pinned.
    type: str
    choices: [present, absent]
    default: present
  images:
    description:
      - The images, as C(repository@digest). To be pinned each must be on the node, or in a bundle that the node serves
        to itself by M(fieldops.openshift.image_source).
      - With O(state=absent) and neither this nor O(index_digest), everything is taken out.
    type: list
    elements: str
    default: []
  index_digest:
    description: The images of the bundle with this index, C(sha256:...), which must be staged on the node.
    type: str
  bundle_images:
    description:
      - Which images of the bundle with O(index_digest), by name (C(repository@digest)) or component. Without any, all.
    type: list
    elements: str
    default: []
  exclusive:
    description:
      - Whether the list of this collection holds these images alone afterwards, such as when the bundle of the previous
        release is given up. What others pin stays pinned in any case.
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

- name: Pin an image of our own
  fieldops.openshift.crio_pinned_images:
    images:
      - registry.partner.example/edge/gateway@sha256:0c5b2f0d1a4e8c7b6f3a9d2e1c0b4a5f6e7d8c9b0a1f2e3d4c5b6a7980f1e2d3
  become: true

- name: Pin nothing any more
  fieldops.openshift.crio_pinned_images:
    state: absent
  become: true
"""

RETURN = r"""
pins:
  description: What CRI-O's files say about pinned images.
  type: dict
  returned: success
  contains:
    own:
      description: Images that this collection was asked to pin.
      type: list
      elements: str
      sample: ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."]
    effective:
      description: The list that CRI-O uses, which is that of the last file that has one.
      type: list
      elements: str
      sample: ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."]
    hidden:
      description: What some file pins, but the last one does not repeat.
      type: list
      elements: str
      sample: []
    files:
      description: The files that have such a list, in the order in which CRI-O reads them.
      type: list
      elements: dict
      contains:
        name:
          description: The file, below C(/etc/crio/crio.conf.d).
          type: str
          sample: 99-fieldops-pinned-images
        ours:
          description: Whether this collection wrote it.
          type: bool
          sample: true
        pinned:
          description: How many patterns it lists.
          type: int
          sample: 191
actions:
  description: What was done, or would be in check mode.
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
    }
).merged(HOST_OPTIONS)


def main() -> t.NoReturn:
    run(SPEC, lambda this: ensure_pins(host_of(this), this.params, check_mode=this.check_mode))


if __name__ == "__main__":
    main()
