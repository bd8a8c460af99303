#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: boot_image_proof
short_description: Prove that new machines of a MachineSet boot and join the cluster
version_added: 0.1.0
description:
  - Adds one machine to a MachineSet, waits until its node is ready and its machine-config daemon is done, and removes
    that machine again. Afterwards, the MachineSet has its original size and machines.
  - The machine is removed even if it does not become ready. In that case the module fails and reports how far the
    machine got.
  - The progress is stored in an annotation of the MachineSet. After an interruption, run the module again from any
    machine to continue.
  - The result is stored in the ConfigMap C(boot-image-proofs) in the namespace C(fieldops-openshift). A template that
    has been proved is not proved again unless O(again) is set.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    details: Sends the first write to the API server as a dry run. No machine is created.
options:
  name:
    description:
      - The name of the MachineSet, in the namespace C(openshift-machine-api).
    type: str
    required: true
  state:
    description:
      - V(proved) adds a machine, unless this template was already proved, and completes the proof.
      - V(withdrawn) ends a running proof early and removes the machine.
    type: str
    choices: [proved, withdrawn]
    default: proved
  machine_timeout:
    description:
      - The time in seconds that the machine may take from its creation until it is ready, across all runs. Bare metal
        takes longest. After that time, the machine is removed.
      - Set O(wait_timeout) to a higher value, because the machine also has to be removed.
    type: int
    default: 3600
  again:
    description:
      - Whether to prove a template that was already proved.
    type: bool
    default: false
  even_if_autoscaled:
    description:
      - Whether to add a machine even if a MachineAutoscaler scales the MachineSet.
    type: bool
    default: false
notes:
  - The required RBAC permissions are in C(extensions/rbac/boot-image-proof.yml) of this collection.
  - Cloud providers charge for the machine. Bare metal requires a free BareMetalHost.
  - If the MachineSet is scaled by others in the meantime, their size is kept and the proof ends.
seealso:
  - module: fieldops.openshift.boot_image_info
  - module: fieldops.openshift.boot_image
"""

EXAMPLES = r"""
- name: Prove that the boot image works
  fieldops.openshift.boot_image_proof:
    name: site-x7k2p-worker-eu-central-1a
    wait: true
    wait_timeout: 5400

- name: Withdraw a proof that was interrupted
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
  description: The running proof or the proof that has just ended. Otherwise, the record of the last proof. Empty if
    there is none.
  type: dict
  returned: success
  contains:
    phase:
      description: V(growing) while the machine is being created, V(shrinking) while it is being removed, V(recorded)
        for an earlier proof.
      type: str
      sample: growing
    template:
      description: The digest of the machine template.
      type: str
      sample: sha256:0b1f3c...
    machine:
      description: The name of the machine. Empty until it has been determined.
      type: str
      sample: site-x7k2p-worker-eu-central-1a-9xk2d
    node:
      description: The name of its node.
      type: str
      sample: ip-10-0-12-7.eu-central-1.compute.internal
    proved:
      description: Whether the node became ready.
      type: bool
      sample: true
    reason:
      description: Why the node did not become ready.
      type: str
      sample: ""
    began:
      description: When the machine was requested, in UTC.
      type: str
      sample: "2026-11-21T21:10:04.120000Z"
    ended:
      description: When the result was determined, in UTC. Empty until then.
      type: str
      sample: "2026-11-21T21:16:51.003000Z"
    by:
      description: The user who started the proof, as authenticated by the API server.
      type: str
      sample: system:serviceaccount:site:updater
    replicas:
      description: The size to restore, while the proof is running.
      type: int
      sample: 3
    restored:
      description: Whether the MachineSet ended with its original size and machines.
      type: bool
      returned: in a record
      sample: true
actions:
  description: The API calls that made changes, or that would be made in check mode.
  type: list
  elements: dict
  returned: success
  sample: [{"verb": patch, "kind": MachineSet, "namespace": openshift-machine-api,
    "name": site-x7k2p-worker-eu-central-1a, "dry_run": false}]
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: machine site-x7k2p-worker-eu-central-1a-9xk2d is Provisioning, done: false, next_delay: 10.0}
timeline:
  description: The progress messages observed while waiting, one entry for each change, in the same format as
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
WAITING = Waiting("a new machine has become ready and was removed", on="the cluster")


def main() -> t.NoReturn:
    run(SPEC, lambda this: proof_step(cluster_client(this), this.params), WAITING)


if __name__ == "__main__":
    main()
