#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_images_info
short_description: Tell whether a node has the images of a bundle
version_added: 0.1.0
description:
  - Asks CRI-O on the node that the task runs on which of the wanted images it has, and which of them it keeps from
    removal.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._host_options
options:
  index_digest:
    description: The images of the bundle with this index, C(sha256:...), which the node knows when it is staged there.
    type: str
  images:
    description: Only these images of the bundle, by name (C(repository@digest)) or component.
    type: list
    elements: str
    default: []
  names:
    description: Further images, by name.
    type: list
    elements: str
    default: []
  pullable:
    description:
      - Images, by name, that the node is to find by its own rules about mirrors, such as at the control plane. It asks
        for the manifest of each, as rpm-ostree does, and pulls nothing.
      - For a node that has no copy of its own, as the bundle is staged on the control plane alone. Such a node is ready
        only if its images are kept from removal as well.
    type: list
    elements: str
    default: []
requirements:
  - crictl on the node, with O(pullable) skopeo as well
seealso:
  - module: fieldops.openshift.node_images
"""

EXAMPLES = r"""
- name: See whether the node is ready for the update
  fieldops.openshift.node_images_info:
    index_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
  become: true
  register: node

- name: Stop if it is not
  ansible.builtin.assert:
    that: node.ready
    fail_msg: "{{ inventory_hostname }} lacks {{ node.lacking | join(', ') }}"

- name: See whether a node without the bundle has its images and finds the next OS image at the control plane
  fieldops.openshift.node_images_info:
    names: "{{ bundle.images | fieldops.openshift.chosen_images([]) }}"
    pullable: "{{ bundle.images | selectattr('reason', 'equalto', 'os_image') | map(attribute='name') }}"
  become: true
"""

RETURN = r"""
ready:
  description: >-
    Whether the bundle is known here and CRI-O has every wanted image, or gets it from the image source of the node.
    With O(pullable) whether CRI-O has every wanted image and keeps it from removal.
  type: bool
  returned: success
  sample: true
problem:
  description: Why it is not ready, as what follows its name in a sentence; empty where it is.
  type: str
  returned: success
  sample: ""
staged:
  description: Whether the bundle is known here; true when none was asked for.
  type: bool
  returned: success
  sample: true
images:
  description: The wanted images.
  type: list
  elements: dict
  returned: success
  contains:
    name:
      description: The name under which CRI-O has it, or should.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."
    component:
      description: Its name in the release, or nothing.
      type: str
      sample: etcd
    reason:
      description: V(release), V(component), V(os_image), V(extra) or V(operator), or nothing for O(names).
      type: str
      sample: component
    media_type:
      description: The type of its manifest, or nothing where only the base of a delta tells it.
      type: str
      sample: application/vnd.docker.distribution.manifest.v2+json
    present:
      description: Whether CRI-O lists it.
      type: bool
      sample: true
    pinned:
      description: Whether CRI-O keeps it from removal.
      type: bool
      sample: true
lacking:
  description: Names of the wanted images that CRI-O does not have.
  type: list
  elements: str
  returned: success
  sample: []
serving:
  description: Whether the node has an image source.
  type: bool
  returned: success
  sample: true
unserved:
  description: >-
    Names of images of the bundle that a client does not get from the node's image source, which
    M(fieldops.openshift.image_source) sets up. Empty where the node has none.
  type: list
  elements: str
  returned: success
  sample: []
pullable:
  description: Whether O(pullable) was asked for, so that the node is one without a copy of its own.
  type: bool
  returned: success
  sample: false
unpullable:
  description: Images of O(pullable) that the node did not find, and what was said.
  type: list
  elements: dict
  returned: success
  contains:
    name:
      description: The image.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."
    seen:
      description: What skopeo said.
      type: str
      sample: "registry quay.io is blocked"
  sample: []
unpinned:
  description: Names of the wanted images that are not kept from removal.
  type: list
  elements: str
  returned: success
  sample: []
actions:
  description: The commands that changed something. This module runs none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.node_report import images_report
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = ArgumentSpec(
    options={
        "index_digest": {"type": "str"},
        "images": {"type": "list", "elements": "str", "default": []},
        "names": {"type": "list", "elements": "str", "default": []},
        "pullable": {"type": "list", "elements": "str", "default": []},
    }
).merged(HOST_OPTIONS)


def main() -> t.NoReturn:
    run(SPEC, lambda this: Result(objects=images_report(host_of(this), this.params)))


if __name__ == "__main__":
    main()
