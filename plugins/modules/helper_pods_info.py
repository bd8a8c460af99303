#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: helper_pods_info
short_description: Show the helper pods that are in a cluster, and whose time is over
version_added: 0.1.0
author:
  - fieldops.openshift contributors (@fieldops)
description:
  - Lists every namespace that M(fieldops.openshift.helper_pods) or P(fieldops.openshift.node_pod#connection) made and
    that is still there, with its pods.
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
seealso:
  - module: fieldops.openshift.helper_pods
"""

EXAMPLES = r"""
- name: See whether any way into nodes is open
  fieldops.openshift.helper_pods_info:
  register: found

- name: Insist that none is
  ansible.builtin.assert:
    that: found.runs | length == 0
"""

RETURN = r"""
runs:
  description: The runs that have helper pods.
  returned: success
  type: list
  elements: dict
  contains:
    run:
      description: The name of the run.
      type: str
      sample: staging-0412
    namespace:
      description: Its namespace.
      type: str
      sample: fieldops-reach-staging-0412
    expires:
      description: When it counts as left behind, in UTC.
      type: str
      sample: "2026-11-22T02:00:00Z"
    abandoned:
      description: Whether that is so.
      type: bool
      sample: false
    pods:
      description: Its pods, each with C(node), C(pod) and C(phase).
      type: list
      elements: dict
      sample: [{"node": "worker-0", "pod": "node-worker-0", "phase": "Running"}]
actions:
  description: The calls that changed something. This module makes none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.reach import list_helper_pods
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = CLUSTER_OPTIONS


def main() -> t.NoReturn:
    run(SPEC, lambda this: Result(objects={"runs": list_helper_pods(cluster_client(this))}))


if __name__ == "__main__":
    main()
