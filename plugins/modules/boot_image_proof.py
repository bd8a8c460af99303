#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: boot_image_proof
short_description: Prove that machines of a MachineSet still boot and join
version_added: 0.1.0
description:
  - Adds one machine to a MachineSet, waits until its node is ready and its machine-config daemon is done, and takes
    that very machine away again, so that the MachineSet has the size and the machines of before.
  - Whether the machine gets ready or not, it is taken away again; where it does not, the module fails and says where
    the machine stood.
  - How far it is stands in an annotation of the MachineSet. Whoever runs it after an interruption, from whichever
    machine, goes on from there.
  - What came of it is kept in the ConfigMap C(boot-image-proofs) in namespace C(fieldops-openshift). While the template
    of the machines stays the same it is not proved again, unless you say O(again).
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    support: full
    details: The API server tries the first write without keeping it. No machine is made.
  diff_mode:
    support: full
  idempotent:
    support: full
options:
  name:
    description:
      - The MachineSet, in namespace C(openshift-machine-api).
    type: str
    required: true
  state:
    description:
      - With V(proved) a machine is added, unless this template was proved before, and the proof is taken to its end.
      - With V(withdrawn) a proof that is going on is ended early, and the machine taken away.
    type: str
    choices: [proved, withdrawn]
    default: proved
  machine_timeout:
    description:
      - How many seconds the machine may take from its making to its readiness, also across several runs. Bare metal
        takes longest. Then it is taken away.
      - Give O(wait_timeout) more than that, since the machine has to go again.
    type: int
    default: 3600
  again:
    description:
      - Whether to prove a template that was proved before.
    type: bool
    default: false
  even_if_autoscaled:
    description:
      - Whether to add a machine to a MachineSet that a MachineAutoscaler scales, too.
    type: bool
    default: false
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/boot-image-proof.yml) of this collection.
  - A cloud bills the machine, and bare metal needs a free BareMetalHost.
  - When somebody else scales the MachineSet meanwhile, their size stays, and the proof ends.
seealso:
  - module: fieldops.openshift.boot_image_info
  - module: fieldops.openshift.boot_image
"""

EXAMPLES = r"""
- name: Prove that the image boots
  fieldops.openshift.boot_image_proof:
    name: site-x7k2p-worker-eu-central-1a
    wait: true
    wait_timeout: 5400

- name: Give up on a proof that was interrupted
  fieldops.openshift.boot_image_proof:
    name: site-x7k2p-worker-eu-central-1a
    state: withdrawn
    wait: true
    wait_timeout: 1800
"""

RETURN = r"""
machine_set:
  description: The name of the MachineSet.
  type: str
  returned: success
  sample: site-x7k2p-worker-eu-central-1a
proof:
  description: The proof that goes on or has just ended, else the record of the last one. Empty where there was none.
  type: dict
  returned: success
  contains:
    phase:
      description: V(growing) while the machine comes, V(shrinking) while it goes, V(recorded) for an earlier one.
      type: str
      sample: growing
    template:
      description: The digest of what the machine is made from.
      type: str
      sample: sha256:0b1f3c...
    machine:
      description: The machine, empty while it is not decided on.
      type: str
      sample: site-x7k2p-worker-eu-central-1a-9xk2d
    node:
      description: Its node.
      type: str
      sample: ip-10-0-12-7.eu-central-1.compute.internal
    proved:
      description: Whether the node became ready.
      type: bool
      sample: true
    reason:
      description: Why not.
      type: str
      sample: ""
    began:
      description: When the machine was asked for, in UTC.
      type: str
      sample: "2026-11-21T21:10:04.120000Z"
    ended:
      description: When it was decided, empty before.
      type: str
      sample: "2026-11-21T21:16:51.003000Z"
    by:
      description: Who began it, as the API knows them.
      type: str
      sample: system:serviceaccount:site:updater
    replicas:
      description: The size to go back to, while it goes on.
      type: int
      sample: 3
    restored:
      description: Whether in the end the MachineSet had its size and its machines of before.
      type: bool
      returned: in a record
      sample: true
actions:
  description: The calls that changed something, or in check mode would.
  type: list
  elements: dict
  returned: success
  sample: [{"verb": patch, "kind": MachineSet, "namespace": openshift-machine-api,
    "name": site-x7k2p-worker-eu-central-1a, "dry_run": false}]
progress:
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: machine site-x7k2p-worker-eu-central-1a-9xk2d is Provisioning, done: false, next_delay: 10.0}
timeline:
  description: What was seen while it waited, one entry for each change, as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T21:12:07Z', sentence: machine site-x7k2p-worker-eu-central-1a-9xk2d is Provisioned}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.proof_step import (
    PROOF_OPTIONS,
    proof_step,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS

SPEC = CLUSTER_OPTIONS.merged(WAIT_OPTIONS, ArgumentSpec(options=PROOF_OPTIONS))
WAITING = Waiting("a new machine has become ready and is gone again", on="the cluster")


def main() -> t.NoReturn:
    run(SPEC, lambda this: proof_step(cluster_client(this), this.params), WAITING)


if __name__ == "__main__":
    main()
