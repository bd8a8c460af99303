#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: image_source_info
short_description: Gather which images a node can pull from its staged bundles
version_added: 0.1.0
description:
  - Asks the image source of the node that the task runs on for every image of every staged bundle, as CRI-O would.
  - A node without a source is reported as such and is no error.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._host_options
attributes:
  check_mode:
    support: full
  diff_mode:
    support: none
  idempotent:
    support: full
seealso:
  - module: fieldops.openshift.image_source
"""

EXAMPLES = r"""
- name: See which images a node can pull without a registry
  fieldops.openshift.image_source_info:
  become: true
  register: served

- name: Require all of the bundle
  ansible.builtin.assert:
    that: served.bundles | selectattr('index_digest', 'equalto', digest) | map(attribute='lacking') | flatten == []
"""

RETURN = r"""
present:
  description: Whether the node has an image source.
  type: bool
  returned: success
  sample: true
listening:
  description: Whether its units are active.
  type: bool
  returned: success
  sample: true
port:
  description: The port on the loopback address.
  type: int
  returned: when there is one
  sample: 9700
blocked:
  description: The registries that are not asked any more.
  type: list
  elements: str
  returned: success
  sample: [quay.io]
other_machines:
  description: Who else is served, nothing where it is the node alone.
  type: dict
  returned: success
  contains:
    address:
      description: The address at which they ask.
      type: str
      sample: 192.0.2.5
    port:
      description: The port there.
      type: int
      sample: 9701
    networks:
      description: The networks that are served.
      type: list
      elements: str
      sample: [192.0.2.0/24]
    listening:
      description: Whether its unit is active.
      type: bool
      sample: true
bundles:
  description: The staged bundles.
  type: list
  elements: dict
  returned: success
  contains:
    folder:
      description: Where the bundle lies on the node.
      type: str
      sample: /var/lib/fieldops/bundles/4.21.4-x86_64-6a27f17afcd2
    index_digest:
      description: The digest of its index, nothing where that is damaged.
      type: str
      sample: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    release:
      description: Its release image.
      type: str
      sample: quay.io/openshift-release-dev/ocp-release@sha256:0f1c...
    images:
      description: How many images it lists.
      type: int
      sample: 191
    servable:
      description: How many of them a client gets whole.
      type: int
      sample: 191
    lacking:
      description: The names of the others.
      type: list
      elements: str
      sample: []
    problem:
      description: What is wrong with the bundle, or nothing.
      type: str
      sample: ""
damaged:
  description: Digests of blobs that were found to hold other bytes since they were staged.
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

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.image_source import source_report
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = ArgumentSpec().merged(HOST_OPTIONS)


def main() -> t.NoReturn:
    run(SPEC, lambda this: Result(objects=source_report(host_of(this))))


if __name__ == "__main__":
    main()
