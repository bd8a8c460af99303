#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rollout_record
short_description: Record the phase of a node in a rollout
version_added: 0.1.0
description:
  - Records the phase of a node, with its time and reason, in the rollout journal and in an annotation of the node,
    before the work of that phase starts. After an interruption, run the rollout again from any machine to continue.
  - The journal is the ConfigMap C(rollout-ID) in the namespace C(fieldops-openshift). It is written only if it has
    not changed since it was read.
  - The phases V(draining), V(drained), V(done) and V(aborted) are recorded by M(fieldops.openshift.node_drain).
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._rollout_options
options:
  rollout:
    required: true
  node:
    description:
      - The name of the node.
    type: str
    required: true
  phase:
    description:
      - V(changing) is recorded before the node is changed.
      - V(rebooting) is recorded before the reboot, together with the ID of the boot to end. When it is recorded
        again, this ID is kept, and RV(rebooted) returns whether the node has rebooted since.
      - V(failed) records that the node failed and in which phase. The next run resumes this node first.
      - V(skipped) excludes the node from this rollout. Nothing is written to the node in this case.
    type: str
    choices: [changing, rebooting, failed, skipped]
    required: true
  reason:
    description:
      - Why the node failed or is skipped.
    type: str
    default: ""
notes:
  - The required RBAC permissions are in C(extensions/rbac/rollout.yml) of this collection.
"""

EXAMPLES = r"""
- name: Record that the node reboots
  fieldops.openshift.rollout_record:
    rollout: "{{ site_rollout }}"
    node: worker-1
    phase: rebooting
  register: site_record

- name: Exclude a node from this rollout
  fieldops.openshift.rollout_record:
    rollout: "{{ site_rollout }}"
    node: worker-7
    phase: skipped
    reason: its disk is being replaced, ticket 4711
"""

RETURN = r"""
record:
  description: The rollout record on the node. None if there is no record.
  type: dict
  returned: success
  sample:
    rollout: update-4.20.2
    target: sha256:3b5c...
    phase: rebooting
    since: "2026-11-21T22:01:07.123456Z"
    holder: technician@laptop/4711-883120
    boot_id: 1f6a3d0e-8a1c-4a53-bb7e-1de1a2f0c9d4
    heartbeat: "2026-11-21T22:01:04.000000Z"
    reason: ""
    failed_in: ""
    found_unschedulable: false
    broken: ["DaemonSet shop/camera-agent"]
    times: {draining: "2026-11-21T22:00:31.000000Z"}
boot_id:
  description: The ID of the boot to end. Empty before phase V(rebooting).
  type: str
  returned: success
  sample: 1f6a3d0e-8a1c-4a53-bb7e-1de1a2f0c9d4
heartbeat:
  description: The last time that the node reported before its reboot, by its own clock.
  type: str
  returned: success
  sample: "2026-11-21T22:01:04.000000Z"
rebooted:
  description: Whether the node is in a different boot than the recorded one.
  type: bool
  returned: success
  sample: false
actions:
  description: The API calls that made changes, or that would be made in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: patch, kind: ConfigMap, namespace: fieldops-openshift, name: rollout-update-4.20.2, dry_run: false}
    - {verb: patch, kind: Node, namespace: null, name: worker-1, dry_run: false}
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.claim import CLAIM_OPTION
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.record import record_step
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run

OPTIONS: dict[str, dict[str, t.Any]] = {
    "node": {"type": "str", "required": True},
    "phase": {"type": "str", "choices": ["changing", "rebooting", "failed", "skipped"], "required": True},
    "reason": {"type": "str", "default": ""},
    "rollout": {**CLAIM_OPTION, "required": True},
}
SPEC = CLUSTER_OPTIONS.merged(ArgumentSpec(options=OPTIONS))


def main() -> t.NoReturn:
    run(SPEC, lambda this: record_step(cluster_client(this), this.params))


if __name__ == "__main__":
    main()
