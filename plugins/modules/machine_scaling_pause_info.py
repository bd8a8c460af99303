#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: machine_scaling_pause_info
short_description: Tell what adds, removes or replaces machines by itself, and what of it is held
version_added: 0.1.0
description:
  - Reads ClusterAutoscalers, MachineAutoscalers, MachineHealthChecks and NodeHealthChecks, and says which of them
    M(fieldops.openshift.machine_scaling_pause) holds, since when and what they will be again.
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
  - The rights that it needs are in C(extensions/rbac/cluster-update-reader.yml) of this collection.
seealso:
  - module: fieldops.openshift.machine_scaling_pause
"""

EXAMPLES = r"""
- name: See whether something is still held since the last update
  fieldops.openshift.machine_scaling_pause_info:
  register: automation
"""

RETURN = r"""
paused:
  description: Whether any of the objects is held by this collection.
  type: bool
  returned: success
  sample: false
objects:
  description: All objects of these kinds, in the form of RV(fieldops.openshift.machine_scaling_pause#module:objects).
  type: list
  elements: dict
  returned: success
  sample:
    - kind: MachineHealthCheck
      namespace: openshift-machine-api
      name: workers
      paused: false
      by: ""
      since: ""
      reason: ""
      fields: []
actions:
  description: The calls that changed something. This module makes none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.machine_automation import (
    read_automation,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = CLUSTER_OPTIONS


def main() -> t.NoReturn:
    run(SPEC, lambda this: Result(objects=read_automation(cluster_client(this))))


if __name__ == "__main__":
    main()
