#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: accepted_bundle
short_description: Accept a bundle on a cluster unless it is older than the cluster
version_added: 0.1.0
description:
  - A signature proves who built a bundle, not when. This module keeps older bundles of the same builder from being
    used again. It records the bundles that a cluster has accepted in the ConfigMap C(accepted-bundles) of the
    namespace C(fieldops-openshift), and refuses a bundle that is older than what the cluster runs or has accepted.
  - A bundle is older if its O(version) is lower than the newest completed or the desired release of
    C(ClusterVersion), or if its O(serial) is lower than the highest one that the cluster has accepted for its
    O(architecture).
  - An older bundle is refused with the error kind C(older_bundle), and nothing is written, unless O(allow_older) is
    set.
  - Verify the bundle first, for example with M(fieldops.openshift.release_bundle_info). This module does not read it.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
attributes:
  check_mode:
    support: full
    details: The API server tries every write without keeping it.
  diff_mode:
    support: full
  idempotent:
    support: full
    details: The bundle that was accepted last is accepted again without a change.
options:
  state:
    description: The bundle is recorded as accepted.
    type: str
    choices: [present]
    default: present
  index_digest:
    description: The digest of the index of the bundle.
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
      - The serial of the bundle, which its builder raises with every bundle.
      - Once the cluster has accepted a bundle with a serial, one without is refused.
    type: int
  built:
    description: When the bundle was built. It is recorded and not judged.
    type: str
  allow_older:
    description:
      - Accept the bundle although it is older. That is recorded with it, and holds for this bundle until the cluster
        accepts another one.
    type: bool
    default: false
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/accepted-bundles.yml) of this collection. The namespace is created
    if it does not exist, which needs the right to do so.
  - The last 20 bundles are kept, and of each architecture the one with the highest serial.
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

- name: Refuse it if it is older than the cluster
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
    The bundle as it is recorded, as an entry of
    RV(fieldops.openshift.cluster_update_info#module:accepted_bundles.bundles).
  type: dict
  returned: success
  sample: {index_digest: 'sha256:3f2a1b0c...', version: 4.20.1, architecture: x86_64}
reasons:
  description: Why the bundle is older than the cluster; empty unless O(allow_older) made it pass, or it is refused.
  type: list
  elements: str
  returned: success, and where the bundle is refused for them
  sample: []
actions:
  description: The calls that changed something, or in check mode would have.
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
