#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_bundle_info
short_description: Tell which bundles lie on a node
version_added: 0.1.0
description:
  - Lists the bundles that M(fieldops.openshift.node_bundle) has staged, or is staging, on the node that the task runs
    on, and tells what else of this collection lies there for them.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._host_options
options:
  index_digest:
    description: Only the bundle with this index, C(sha256:...).
    type: str
  images:
    description:
      - Which images of a bundle the node needs, by name (C(repository@digest)) or component. Without any it needs all.
        RV(bundles[].complete), the blobs and the sizes are about these. A bundle that has no image of such a name says
        so as its RV(bundles[].problem).
    type: list
    elements: str
    default: []
seealso:
  - module: fieldops.openshift.node_bundle
"""

EXAMPLES = r"""
- name: See which bundles the node holds
  fieldops.openshift.node_bundle_info:
  become: true
  register: node

- name: Show those that are complete
  ansible.builtin.debug:
    msg: "{{ node.bundles | selectattr('complete') | map(attribute='version') }}"
"""

RETURN = r"""
bundles:
  description: The bundles, in the order of their folders.
  type: list
  elements: dict
  returned: success
  contains:
    folder:
      description: Where it lies.
      type: str
      sample: /var/lib/fieldops/bundles/4.21.3-x86_64-6a27f17afcd2
    problem:
      description: Why it cannot be used; empty where it can.
      type: str
      sample: ""
    index_digest:
      description: The digest of its index, or nothing where that cannot be read.
      type: str
      sample: "sha256:6a27f17a..."
    version:
      description: The release.
      type: str
      sample: 4.21.3
    architecture:
      description: The architecture under its release name.
      type: str
      sample: x86_64
    release:
      description: The release image.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-release@sha256:9e2e4cf1..."
    base:
      description: The index digest of the bundle that this one is a delta to, or nothing.
      type: str
      sample: null
    images:
      description: How many images it has.
      type: int
      sample: 191
    files:
      description: How many files it has besides, which are staged and not loaded.
      type: int
      sample: 0
    complete:
      description: Whether every blob of it is there.
      type: bool
      sample: true
    blobs:
      description: How many blobs it has.
      type: int
      sample: 812
    size:
      description: Their bytes.
      type: int
      sample: 18253611008
    missing_blobs:
      description: How many of them are not there.
      type: int
      sample: 0
    missing_size:
      description: Bytes that are still to be fetched.
      type: int
      sample: 0
    unreachable_blobs:
      description: Blobs of the base that a delta needs and the node does not have.
      type: list
      elements: str
      sample: []
    jobs:
      description: Jobs that work with it at this moment.
      type: list
      elements: dict
      contains:
        id:
          description: The name of the job.
          type: str
          sample: load-6a27f17afcd2
        sentence:
          description: How far it is.
          type: str
          sample: 57 of 191 images are loaded, now etcd
serving:
  description: Whether M(fieldops.openshift.image_source) was set up on the node.
  type: bool
  returned: success
  sample: true
actions:
  description: The commands that changed something. This module runs none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.node_report import bundles_report
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = ArgumentSpec(
    options={"index_digest": {"type": "str"}, "images": {"type": "list", "elements": "str", "default": []}}
).merged(HOST_OPTIONS)


def main() -> t.NoReturn:
    run(SPEC, lambda this: Result(objects=bundles_report(host_of(this), this.params)))


if __name__ == "__main__":
    main()
