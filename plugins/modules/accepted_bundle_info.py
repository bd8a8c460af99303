#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: accepted_bundle_info
short_description: Return the bundles that a cluster has accepted
version_added: 0.1.0
description:
  - Reads the ConfigMap C(accepted-bundles) of the namespace C(fieldops-openshift) and the C(ClusterVersion).
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/accepted-bundles.yml) of this collection.
seealso:
  - module: fieldops.openshift.accepted_bundle
"""

EXAMPLES = r"""
- name: See which bundles the cluster has accepted
  fieldops.openshift.accepted_bundle_info:
  register: found

- name: Show the last one
  ansible.builtin.debug:
    msg: "{{ (found.bundles | last).version }} accepted at {{ (found.bundles | last).accepted }}"
  when: found.bundles | length > 0
"""

RETURN = r"""
bundles:
  description: The accepted bundles, oldest first.
  type: list
  elements: dict
  returned: success
  contains:
    index_digest:
      description: The digest of its index.
      type: str
      sample: "sha256:3f2a1b0c..."
    version:
      description: The version of its release.
      type: str
      sample: 4.20.1
    architecture:
      description: The architecture of its images.
      type: str
      sample: x86_64
    serial:
      description: Its serial, or null.
      type: int
      sample: 1795298467
    built:
      description: When it was built, or null.
      type: str
      sample: "2026-11-21T22:01:07Z"
    accepted:
      description: When the cluster accepted it.
      type: str
      sample: "2026-11-28T20:14:00Z"
    by:
      description: The user that had it accepted, as the API knows it.
      type: str
      sample: system:serviceaccount:site:automation
    older:
      description: Whether it was older than the cluster and explicitly allowed.
      type: bool
      sample: false
running:
  description: The releases that a bundle is compared with.
  type: dict
  returned: success
  contains:
    completed:
      description: The newest release that the cluster has reached completely, empty where that is not known.
      type: str
      sample: 4.20.1
    desired:
      description: The release that the cluster is on its way to, or has reached.
      type: str
      sample: 4.20.1
actions:
  description: What was changed. This module changes nothing.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.accepted_bundles import read_accepted
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = CLUSTER_OPTIONS


def main() -> t.NoReturn:
    def look(this: ModuleRun) -> Result:
        known, running = read_accepted(cluster_client(this))
        return Result(objects={"bundles": [one.as_data() for one in known], "running": vars(running)})

    run(SPEC, look)


if __name__ == "__main__":
    main()
