#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rollout_record
short_description: Write down in which phase of a rollout a node is
version_added: 0.1.0
description:
  - Writes the phase of a node, with its time and reason, into the journal of the rollout and into the annotation on the
    node, before what the phase is named after begins. Whoever runs the rollout again, from whatever machine, goes on
    from there.
  - The journal is the ConfigMap C(rollout-ID) in namespace C(fieldops-openshift). It is written only as it was read.
  - The phases V(draining), V(drained), V(done) and V(aborted) are written by M(fieldops.openshift.node_drain).
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
  idempotent:
    support: full
options:
  rollout:
    description:
      - The rollout that this task is a step of.
      - Each step first renews the lock of the cluster, and does nothing if it is not held any more. In check mode the
        lock is not asked for, because then nobody has taken it.
      - Each step writes what it does into the journal of the rollout.
    type: dict
    required: true
    suboptions:
      id:
        description:
          - The name of the rollout. Lower-case letters, digits, dashes and dots.
          - Who runs the same rollout again goes on where it stands.
        type: str
        required: true
      target:
        description:
          - What the rollout is for, for example the digest of a bundle. A node that was done for the same target is
            not done again, whatever the rollout is called.
        type: str
        default: ""
      holder:
        description:
          - The identity that holds the lock, as RV(fieldops.openshift.rollout_lock#module:lock.holder).
        type: str
        required: true
  node:
    description:
      - The name of the node.
    type: str
    required: true
  phase:
    description:
      - V(changing) is written before the node is changed.
      - V(rebooting) is written before the reboot and keeps the boot that is to end. When it is written again it keeps
        what it had, and RV(rebooted) tells whether the node has rebooted since.
      - V(failed) says that the node stopped, and in which phase; the next run takes it up again first.
      - V(skipped) says that the node shall not be done in this rollout. Nothing is written on the node then.
    type: str
    choices: [changing, rebooting, failed, skipped]
    required: true
  reason:
    description:
      - Why a node failed or is skipped.
    type: str
    default: ""
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/rollout.yml) of this collection.
"""

EXAMPLES = r"""
- name: Note the boot that is to end
  fieldops.openshift.rollout_record:
    rollout: "{{ site_rollout }}"
    node: worker-1
    phase: rebooting
  register: site_record

- name: Leave a node out of this rollout
  fieldops.openshift.rollout_record:
    rollout: "{{ site_rollout }}"
    node: worker-7
    phase: skipped
    reason: its disk is being replaced, ticket 4711
"""

RETURN = r"""
record:
  description: What is written on the node of a rollout, nothing where there is no record.
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
  description: The identity of the boot that is to end; empty before phase V(rebooting).
  type: str
  returned: success
  sample: 1f6a3d0e-8a1c-4a53-bb7e-1de1a2f0c9d4
heartbeat:
  description: When the node had reported last before its reboot, by its own clock.
  type: str
  returned: success
  sample: "2026-11-21T22:01:04.000000Z"
rebooted:
  description: Whether the node reports another boot than the one that was to end.
  type: bool
  returned: success
  sample: false
actions:
  description: The calls that changed something, or in check mode would have.
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
