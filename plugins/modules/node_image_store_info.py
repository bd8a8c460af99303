#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_image_store_info
short_description: Tell which image stores a node has, and audit them
version_added: 0.1.0
description:
  - Looks at the slots for image stores on the node that the task runs on, at what is mounted there, and at what runs
    from it.
  - With O(audit) it reads every byte of the mounted stores. Inside a store digests prove nothing, because nobody checks
    them when a container starts. The audit puts the archive of each layer together again, from the unpacked files and
    what was recorded of it, and compares its digest with the config that the index names.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._host_options
options:
  index_digest:
    description: The bundle that RV(ready) is about, by the digest of its index.
    type: str
  audit:
    description: Whether to read and prove every layer. It takes minutes for a release.
    type: bool
    default: false
  pool:
    description: A pool for which RV(documents) are written.
    type: str
    default: ""
requirements:
  - crictl on the node
seealso:
  - module: fieldops.openshift.node_image_store
"""

EXAMPLES = r"""
- name: See what lies in the slots
  fieldops.openshift.node_image_store_info:
  become: true
  register: stores

- name: Prove that the mounted stores hold what their images' configs say
  fieldops.openshift.node_image_store_info:
    audit: true
  become: true
  register: audit
  failed_when: audit.slots | map(attribute='damage') | select | length > 0
"""

RETURN = r"""
slots:
  description: The slots, in the order in which CRI-O looks into them.
  type: list
  elements: dict
  returned: success
  contains:
    slot:
      description: Its number.
      type: int
      sample: 4
    path:
      description: Its place.
      type: str
      sample: /var/lib/fieldops/stores/slot4
    state:
      description:
        - V(mounted), V(empty), or V(foreign) when somebody else mounted something there. V(unmounted) and V(lost) are
          slots whose store should be mounted; of a lost one the file is not there as a whole.
      type: str
      sample: mounted
    mounted:
      description: Whether anything is mounted there.
      type: bool
      sample: true
    at_boot:
      description: Whether its store is mounted at every boot.
      type: bool
      sample: true
    store:
      description: The store that it was given, as M(fieldops.openshift.node_image_store) returns it.
      type: dict
      sample: {digest: "sha256:1d5c...", version: 4.20.1}
    lacking:
      description: Names of images of that store which CRI-O does not list.
      type: list
      elements: str
      sample: []
    layers_over:
      description: How many layers of containers, loaded images and deltas lie on layers in it.
      type: int
      sample: 37
    damage:
      description: With O(audit), what is wrong in it; nothing where no store is mounted.
      type: list
      elements: dict
      contains:
        image:
          description: The name of the image.
          type: str
          sample: "quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."
        layer:
          description: The layer.
          type: str
          sample: 5f70bf18a086...
        problem:
          description: What was seen.
          type: str
          sample: "its archive has the digest sha256:9f..., its config says sha256:1a..."
ready:
  description: Whether a store of the bundle is mounted and CRI-O lists all its images; nothing without O(index_digest).
  type: bool
  returned: success
  sample: true
configured:
  description: Whether C(storage.conf) lists the slots.
  type: bool
  returned: success
  sample: true
managed:
  description: Whether a machine-config daemon owns that file.
  type: bool
  returned: success
  sample: false
storage_conf:
  description: Which file counts.
  type: str
  returned: success
  sample: /etc/containers/storage.conf
storage_conf_text:
  description: What stands in it, for M(fieldops.openshift.additional_image_stores).
  type: str
  returned: success
  sample: "[storage]\ndriver = \"overlay\"\n"
documents:
  description: What to apply to the cluster so that the nodes of O(pool) list the slots.
  type: list
  elements: dict
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

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.do.stores.report import stores_report
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = ArgumentSpec(
    options={
        "index_digest": {"type": "str"},
        "audit": {"type": "bool", "default": False},
        "pool": {"type": "str", "default": ""},
    }
).merged(HOST_OPTIONS)


def main() -> t.NoReturn:
    run(SPEC, lambda this: Result(objects=stores_report(host_of(this), this.params)))


if __name__ == "__main__":
    main()
