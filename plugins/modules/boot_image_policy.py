#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: boot_image_policy
short_description: Say who keeps boot images up to date and how old they may be
version_added: 0.1.0
description:
  - Sets which boot images the cluster itself manages, and how it enforces that they do not get too old, in the
    MachineConfiguration C(cluster). What is not named stays as it is, whoever set it.
  - Where the API takes a change only after another one holds, as since OpenShift 4.22 for everything that leaves
    skew enforcement in mode Automatic, it makes them in that order and waits for the status in between. Without
    O(wait) each run makes one step.
  - What the API would refuse is refused before anything is sent, in the API's words and with what to do instead.
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
    details: The API server tries the first write without keeping it. It cannot try those that only the first permits.
  diff_mode:
    support: full
  idempotent:
    support: full
options:
  machine_sets:
    description:
      - Which MachineSets the cluster keeps on the boot image of its release.
    type: dict
    suboptions:
      mode:
        description:
          - V(All) of them, the V(Partial) selection of O(machine_sets.selector), or V(None).
          - V(Default) says nothing and leaves it to the release and the platform.
          - Releases before 4.19 do not know V(None); an empty list is written there, which means the same.
        type: str
        choices: [All, Partial, None, Default]
        required: true
      selector:
        description:
          - A label selector for MachineSets with C(matchLabels) and C(matchExpressions), for V(Partial) only.
        type: dict
  control_plane_machine_sets:
    description:
      - Whether the cluster does the same for the ControlPlaneMachineSet, since 4.22 and on AWS, Azure and GCP.
    type: str
    choices: [All, None, Default]
  skew_enforcement:
    description:
      - How the cluster, since 4.22, keeps from minor updates while boot images are too old.
    type: dict
    suboptions:
      mode:
        description:
          - With V(Manual) the administrator records which boot image is in use; with V(None) nobody looks at it.
          - V(Automatic) goes back to what the operator records itself, and fails where it would not do so.
          - V(Default) goes back likewise, whatever the operator then determines.
        type: str
        choices: [Manual, None, Automatic, Default]
        required: true
      ocp_version:
        description:
          - The release that the oldest boot image in use came with, as C(x.y.z) and nothing more.
          - With V(Manual) give this or O(skew_enforcement.rhcos_version).
        type: str
      rhcos_version:
        description:
          - The version of the oldest boot image in use, for example V(9.6.20251023-0).
        type: str
  record:
    description:
      - Records by itself which boot image is in use, where the cluster leaves that to its administrator, which is where
        it determines skew enforcement in mode V(Manual). Elsewhere nothing is recorded, and C(recorded) says why.
      - V(oldest) is the version of the oldest boot image in O(boot_images). MachineSets of Windows and the control
        plane do not count, as with what the operator records itself. What is recorded stays where the release of one
        image is not known.
      - V(installation) is the version of the installation, unless an older one is recorded. It holds for any image, so
        that it is recorded before older images come back.
    type: str
    choices: [installation, oldest]
  boot_images:
    description:
      - What M(fieldops.openshift.boot_image_info) returned for all MachineSets, for O(record=oldest).
    type: dict
  admin_acks:
    description:
      - Keys of acknowledgements to give, by which a later release may change a default for boot images. They are listed
        by M(fieldops.openshift.boot_image_info) with O(fieldops.openshift.boot_image_info#module:gather=policy).
    type: list
    elements: str
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/boot-image-policy.yml) of this collection.
  - Who opts MachineSets out keeps the images that they have; nothing is rolled back.
seealso:
  - module: fieldops.openshift.boot_image_info
  - module: fieldops.openshift.boot_image
"""

EXAMPLES = r"""
- name: Keep all MachineSets up to date by the cluster itself
  fieldops.openshift.boot_image_policy:
    machine_sets:
      mode: All
    wait: true

- name: Take boot images into our own hands, and record what the MachineSets have now
  fieldops.openshift.boot_image_policy:
    machine_sets:
      mode: None
    skew_enforcement:
      mode: Manual
      ocp_version: 4.22.5
    wait: true
    wait_timeout: 300

- name: Leave out what Hive manages
  fieldops.openshift.boot_image_policy:
    machine_sets:
      mode: Partial
      selector:
        matchExpressions:
          - key: hive.openshift.io/managed
            operator: DoesNotExist
    skew_enforcement:
      mode: Manual
      rhcos_version: 9.6.20251023-0
    wait: true

- name: Go back to what the operator records itself
  fieldops.openshift.boot_image_policy:
    machine_sets:
      mode: All
    skew_enforcement:
      mode: Automatic
    wait: true

- name: See what all MachineSets have
  fieldops.openshift.boot_image_info:
    kinds: [machinesets]
  register: site_boot_images

- name: Record the version of the oldest boot image
  fieldops.openshift.boot_image_policy:
    record: oldest
    boot_images: "{{ site_boot_images }}"
    wait: true

- name: Let 4.22 manage boot images on vSphere
  fieldops.openshift.boot_image_policy:
    admin_acks: [ack-4.21-boot-image-opt-out-in-4.22]
"""

RETURN = r"""
spec:
  description: What is configured.
  type: dict
  returned: success
  contains:
    machine_managers:
      description: The machine managers as the API has them. V(null) means that nothing is said, which is not the same
        as an empty list.
      type: list
      elements: dict
      sample: [{"resource": machinesets, "apiGroup": machine.openshift.io, "selection": {"mode": All}}]
    skew_enforcement:
      description: C(mode), C(ocp_version) and C(rhcos_version), empty where nothing is said.
      type: dict
      sample: {"mode": Manual, "ocp_version": 4.22.5, "rhcos_version": ""}
status:
  description: What the operator made of it.
  type: dict
  returned: success
  contains:
    machine_managers:
      description: The machine managers that hold, V(null) where the operator does not say.
      type: list
      elements: dict
      sample: [{"resource": machinesets, "apiGroup": machine.openshift.io, "selection": {"mode": All}}]
    skew_enforcement:
      description: C(mode), C(ocp_version) and C(rhcos_version) that hold, empty where the operator does not say.
      type: dict
      sample: {"mode": Automatic, "ocp_version": 4.22.5, "rhcos_version": ""}
    observed_generation:
      description: The generation that the operator has seen.
      type: int
      sample: 4
    current:
      description: Whether that is the present one.
      type: bool
      sample: true
holds:
  description: For C(machine_sets) and C(control_plane_machine_sets) the C(mode) that holds, its C(selector), and in
    C(origin) whether it comes from V(spec) or is the V(default) of release and platform.
  type: dict
  returned: success
  sample: {"machine_sets": {"mode": All, "selector": {}, "origin": default}}
conditions:
  description: The conditions of the MachineConfiguration.
  type: list
  elements: dict
  returned: success
  sample: [{"type": BootImageUpdateDegraded, "status": "False", "reason": MAPIMachineSetUpdated, "message": "",
    "last_transition": "2026-11-21T20:10:00Z"}]
opted_in_at:
  description: When the cluster was opted in by a default, empty if it was not.
  type: str
  returned: success
  sample: ""
writers:
  description: Who owns something in C(managed_boot_images) and C(skew_enforcement), the latest first.
  type: dict
  returned: success
  sample:
    managed_boot_images: [{"manager": argocd-controller, "at": "2026-11-21T19:00:00Z"}]
    skew_enforcement: []
recorded:
  description: C(ocp_version) or C(rhcos_version) that counts with O(record), and in C(reason) why it is not that of the
    oldest image. Empty without O(record).
  type: dict
  returned: success
  sample: {"ocp_version": "", "rhcos_version": 9.6.20251023-0, "reason": ""}
actions:
  description: The calls that changed something, or in check mode would.
  type: list
  elements: dict
  returned: success
  sample: [{"verb": patch, "kind": MachineConfiguration, "namespace": null, "name": cluster, "dry_run": false}]
progress:
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample:
    sentence: waits until status says Manual for skew enforcement, it says Automatic
    done: false
    next_delay: 2.0
timeline:
  description: What was seen while it waited, one entry for each change, as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T22:01:07Z', sentence: the policy holds}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.policy_step import policy_step
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.requests import POLICY_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.skew.record import (
    OLDEST,
    RECORD_OPTIONS,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS

SPEC = CLUSTER_OPTIONS.merged(
    WAIT_OPTIONS,
    ArgumentSpec(
        options={**POLICY_OPTIONS, **RECORD_OPTIONS},
        required_one_of=[["machine_sets", "control_plane_machine_sets", "skew_enforcement", "record", "admin_acks"]],
        mutually_exclusive=[["skew_enforcement", "record"]],
        required_if=[["record", OLDEST, ["boot_images"]]],
    ),
)
WAITING = Waiting("the policy for boot images holds", on="the cluster")


def main() -> t.NoReturn:
    run(SPEC, lambda this: policy_step(cluster_client(this), this.params), WAITING)


if __name__ == "__main__":
    main()
