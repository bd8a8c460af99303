#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: registry_fence_info
short_description: Tell which registries a node is kept from asking
version_added: 0.1.0
description:
  - Reads the fence that M(fieldops.openshift.registry_fence) has put up on the node that the task runs on.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._host_options
seealso:
  - module: fieldops.openshift.registry_fence
"""

EXAMPLES = r"""
- name: See whether a fence was left
  fieldops.openshift.registry_fence_info:
  become: true
  register: node

- name: Say so
  ansible.builtin.debug:
    msg: "{{ node.registries }}"
  when: node.fenced
"""

RETURN = r"""
fenced:
  description: Whether there is a fence.
  type: bool
  returned: success
  sample: false
registries:
  description: What it blocks.
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

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.registry_fence import read_fence
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run_module
from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import Result

SPEC = ArgumentSpec().merged(HOST_OPTIONS)


def main() -> t.NoReturn:
    def work(run: ModuleRun) -> Result:
        return Result(objects=read_fence(host_of(run)))

    run_module(SPEC, work)


if __name__ == "__main__":
    main()
