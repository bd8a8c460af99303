#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: boot_image_proof_info
short_description: Show which MachineSets are proved to boot, and which proofs are going on
version_added: 0.1.0
description:
  - Shows for each MachineSet whether M(fieldops.openshift.boot_image_proof) has proved the template that it has now,
    what came of its last proof, and how far one is that is going on or was interrupted.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
options:
  names:
    description:
      - The MachineSets to show, without any all of them.
    type: list
    elements: str
    default: []
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are those in C(extensions/rbac/boot-image-proof.yml) of this collection that read.
seealso:
  - module: fieldops.openshift.boot_image_proof
  - module: fieldops.openshift.boot_image_info
"""

EXAMPLES = r"""
- name: See which MachineSets are proved
  fieldops.openshift.boot_image_proof_info:
  register: site_proofs

- name: Name those that are not
  ansible.builtin.debug:
    msg: "{{ site_proofs.machine_sets | rejectattr('proved') | map(attribute='name') }}"
"""

RETURN = r"""
machine_sets:
  description: The MachineSets, by name.
  type: list
  elements: dict
  returned: success
  contains:
    name:
      description: The name.
      type: str
      sample: site-x7k2p-worker-eu-central-1a
    replicas:
      description: Its size.
      type: int
      sample: 3
    proved:
      description: Whether a machine made from the present template became ready.
      type: bool
      sample: true
    going_on:
      description: The proof that is going on, as RV(fieldops.openshift.boot_image_proof#module:proof). Empty without.
      type: dict
      sample: {}
    last:
      description: The last proof that came to its end, as RV(fieldops.openshift.boot_image_proof#module:proof).
      type: dict
      sample: {"phase": recorded, "proved": true, "machine": site-x7k2p-worker-eu-central-1a-9xk2d, "restored": true}
    flaw:
      description: Why what is noted of a proof cannot be read, empty otherwise.
      type: str
      sample: ""
actions:
  description: The calls that changed something. This module makes none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.proof_info import (
    PROOF_INFO_OPTIONS,
    read_proofs,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = CLUSTER_OPTIONS.merged(ArgumentSpec(options=PROOF_INFO_OPTIONS))


def main() -> t.NoReturn:
    run(SPEC, lambda this: Result(objects=read_proofs(cluster_client(this), this.params)))


if __name__ == "__main__":
    main()
