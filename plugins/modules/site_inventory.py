#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: site_inventory
short_description: Write the inventory of a site to a file
version_added: 0.1.0
description:
  - Writes what each node holds, the release of the cluster, and its operators to one small file. A bundle that is built
    with this file leaves out what every node has, see O(fieldops.openshift.release_bundle#module:inventory).
  - A file with the same content is kept, independent of the time at which it was written.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
attributes:
  diff_mode:
    details: Shows the digest of the file, and whether it is signed.
options:
  path:
    description:
      - The file. Its signature is written to a file with the same name and the ending C(.asc).
    type: path
    required: true
  blobs_by_node:
    description:
      - The digests of the blobs that each node holds, as in RV(fieldops.openshift.node_info#module:blobs), by node
        name. List all nodes of the site. Others can lack what a bundle leaves out.
    type: dict
    required: true
  signing_key:
    description: The path of a file with an OpenPGP private key that signs the inventory.
    type: path
  signing_passphrase:
    description: The passphrase for O(signing_key).
    type: str
requirements:
  - gpg, if O(signing_key) is set
notes:
  - The required RBAC permissions are in C(extensions/rbac/site-inventory.yml) of this collection.
seealso:
  - module: fieldops.openshift.release_bundle
  - module: fieldops.openshift.node_info
"""

EXAMPLES = r"""
- name: Write the inventory of the site
  fieldops.openshift.site_inventory:
    path: /media/usb/inventory.json
    blobs_by_node: "{{ dict(names | zip(answers.results | map(attribute='blobs'))) }}"
    signing_key: /home/technician/site-key.asc
"""

RETURN = r"""
inventory:
  description: What is in the file.
  type: dict
  returned: success
  contains:
    path:
      description: The file.
      type: str
      sample: /media/usb/inventory.json
    size:
      description: Its size in bytes.
      type: int
      sample: 61440
    version:
      description: The release of the cluster.
      type: str
      sample: 4.18.20
    cluster:
      description: The ID of the cluster.
      type: str
      sample: 6f9d2a1c-5b0e-4c53-9d43-0a2f6f3c1b7e
    nodes:
      description: The nodes with the number of blobs that they hold.
      type: list
      elements: dict
      sample: [{name: master-0, blobs: 940}]
    common_blobs:
      description: The number of blobs that every node holds.
      type: int
      sample: 940
    operators:
      description: The operators that are installed by Subscriptions. C(bundle) is the name of a ClusterServiceVersion.
      type: list
      elements: dict
      sample:
        - {package: local-storage-operator, version: 4.18.0, bundle: local-storage-operator.v4.18.0,
           namespace: openshift-local-storage, channel: stable, catalog: openshift-marketplace/redhat-operators}
actions:
  description: The actions that were taken, or that would be taken in check mode.
  type: list
  elements: dict
  returned: success
  sample: [{action: write, path: /media/usb/inventory.json}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.site_inventory import write_inventory
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run

SPEC = CLUSTER_OPTIONS.merged(
    ArgumentSpec(
        options={
            "path": {"type": "path", "required": True},
            "blobs_by_node": {"type": "dict", "required": True},
            "signing_key": {"type": "path", "no_log": False},
            "signing_passphrase": {"type": "str", "no_log": True},
        },
        required_by={"signing_passphrase": ["signing_key"]},
    )
)


def main() -> t.NoReturn:
    run(SPEC, lambda this: write_inventory(cluster_client(this), this.params, check_mode=this.check_mode))


if __name__ == "__main__":
    main()
