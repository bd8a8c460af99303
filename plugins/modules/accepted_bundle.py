#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: accepted_bundle
short_description: Record a bundle as accepted by a cluster, rejecting bundles older than the cluster
version_added: 0.1.0
description:
  - A signature shows who built a bundle, not when. This module protects against the reuse of older bundles from the
    same builder. It records accepted bundles in the ConfigMap C(accepted-bundles) in the namespace
    C(fieldops-openshift), and rejects a bundle that is older than the release that the cluster runs or older than the
    bundles that it has accepted.
  - A bundle is older if its O(version) is lower than the latest completed or the desired release in
    C(ClusterVersion), or if its O(serial) is lower than the highest serial that the cluster has accepted for its
    O(architecture).
  - Unless O(allow_older) is set, the module fails with the error kind C(older_bundle) for an older bundle and records
    nothing.
  - Verify the bundle before you use this module, for example with M(fieldops.openshift.release_bundle_info). This
    module does not read the bundle.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
attributes:
  check_mode:
    details: Sends every write to the API server as a dry run.
  idempotent:
    details: Accepting the most recently accepted bundle again makes no change.
options:
  state:
    description: The desired state. V(present) records the bundle as accepted.
    type: str
    choices: [present]
    default: present
  index_digest:
    description: The digest of the bundle index.
    type: str
    required: true
  version:
    description: The version of the release in the bundle.
    type: str
    required: true
  architecture:
    description: The architecture of the images in the bundle.
    type: str
    choices: [x86_64, aarch64, ppc64le, s390x]
    required: true
  serial:
    description:
      - The serial number of the bundle. The builder increases it for each bundle.
      - After the cluster has accepted a bundle with a serial, bundles without a serial are rejected.
    type: int
  built:
    description: The build time of the bundle. It is recorded only and does not affect the decision.
    type: str
  allow_older:
    description:
      - Accept the bundle even if it is older. The exception is recorded with the bundle and applies until the cluster
        accepts a different bundle.
    type: bool
    default: false
notes:
  - The required RBAC permissions are in C(extensions/rbac/accepted-bundles.yml) of this collection. Creating the
    namespace, if it does not exist, requires permission to create namespaces.
  - The last 20 bundles are kept, and for each architecture the bundle with the highest serial.
seealso:
  - module: fieldops.openshift.cluster_update_info
  - module: fieldops.openshift.release_bundle_info
"""

EXAMPLES = r"""
- name: Verify the bundle
  fieldops.openshift.release_bundle_info:
    path: /mnt/disk/4.20.1
    verification: full
    trusted_keys: [/etc/site/bundle-key.asc]
    wait: true
  register: found

- name: Accept the bundle unless it is older than the cluster
  fieldops.openshift.accepted_bundle:
    index_digest: "{{ found.bundle.index_digest }}"
    version: "{{ found.bundle.version }}"
    architecture: "{{ found.bundle.architecture }}"
    serial: "{{ found.bundle.serial }}"
    built: "{{ found.bundle.built }}"
"""

RETURN = r"""
bundle:
  description: >-
    The recorded bundle, in the same format as the entries of
    RV(fieldops.openshift.cluster_update_info#module:accepted_bundles.bundles).
  type: dict
  returned: success
  sample: {index_digest: 'sha256:3f2a1b0c...', version: 4.20.1, architecture: x86_64}
reasons:
  description: The reasons why the bundle is older than the cluster. Empty unless the bundle is older and either
    rejected or accepted because of O(allow_older).
  type: list
  elements: str
  returned: success, and if the bundle is rejected for these reasons
  sample: []
actions:
  description: The API calls that made changes, or that would be made in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: patch, kind: ConfigMap, namespace: fieldops-openshift, name: accepted-bundles, dry_run: false}
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.accepted_bundles import accept_bundle
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run

SPEC = CLUSTER_OPTIONS.merged(
    ArgumentSpec(
        options={
            "state": {"type": "str", "choices": ["present"], "default": "present"},
            "index_digest": {"type": "str", "required": True},
            "version": {"type": "str", "required": True},
            "architecture": {
                "type": "str",
                "choices": ["x86_64", "aarch64", "ppc64le", "s390x"],
                "required": True,
            },
            "serial": {"type": "int"},
            "built": {"type": "str"},
            "allow_older": {"type": "bool", "default": False},
        },
    )
)


def main() -> t.NoReturn:
    run(SPEC, lambda this: accept_bundle(cluster_client(this), this.params))


if __name__ == "__main__":
    main()
