#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: crio_pinned_images_info
short_description: Tell which images a node keeps from being removed
version_added: 0.1.0
description:
  - Reads CRI-O's configuration on the node that the task runs on, and asks CRI-O which images are pinned.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._host_options
seealso:
  - module: fieldops.openshift.crio_pinned_images
"""

EXAMPLES = r"""
- name: See what is pinned
  fieldops.openshift.crio_pinned_images_info:
  become: true
  register: node

- name: Stop if one file hides what another one pins
  ansible.builtin.assert:
    that: node.pins.hidden | length == 0
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
pinned:
  description: Names of images that are on the node and that CRI-O says are pinned.
  type: list
  elements: str
  returned: success
  sample: ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."]
actions:
  description: The commands that changed something. This module runs none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.pin_step import read_pins
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run_module
from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import Result

SPEC = ArgumentSpec().merged(HOST_OPTIONS)


def main() -> t.NoReturn:
    def work(run: ModuleRun) -> Result:
        return Result(objects=read_pins(host_of(run)))

    run_module(SPEC, work)


if __name__ == "__main__":
    main()
