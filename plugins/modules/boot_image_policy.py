#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: boot_image_policy
short_description: Configure boot image management and skew enforcement
version_added: 0.1.0
description:
  - Configures, in the MachineConfiguration C(cluster), which boot images the cluster manages and how it enforces a
    limit on their age. Settings that are not specified are left unchanged.
  - Some changes are accepted by the API only after another change has taken effect. Since OpenShift 4.22 this applies
    to everything that leaves skew enforcement in mode Automatic. The module makes these changes in order and waits
    for the status in between. Without O(wait), each run makes one change.
  - Settings that the API would reject are rejected before any request is sent, with the message of the API and a
    recommended alternative.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    details: Sends the first write to the API server as a dry run. Later writes that depend on it cannot be tested.
options:
  machine_sets:
    description:
      - The MachineSets whose boot image the cluster keeps up to date.
    type: dict
    suboptions:
      mode:
        description:
          - V(All) manages all MachineSets, V(Partial) those that match O(machine_sets.selector), and V(None) no
            MachineSets.
          - V(Default) removes the setting, so that the release and platform determine the mode.
          - Releases before 4.19 do not support V(None). The module writes an empty list instead, which has the same
            meaning.
        type: str
        choices: [All, Partial, None, Default]
        required: true
      selector:
        description:
          - A label selector for MachineSets with C(matchLabels) and C(matchExpressions). Applies to V(Partial) only.
        type: dict
  control_plane_machine_sets:
    description:
      - Whether the cluster manages the boot image of the ControlPlaneMachineSet. Requires OpenShift 4.22 or later on
        AWS, Azure or GCP.
    type: str
    choices: [All, None, Default]
  skew_enforcement:
    description:
      - How the cluster blocks minor updates while boot images are too old. Requires OpenShift 4.22 or later.
    type: dict
    suboptions:
      mode:
        description:
          - With V(Manual), the administrator records which boot image is in use. V(None) disables enforcement.
          - V(Automatic) returns to the values that the operator records itself. The module fails if the operator
            would not do so.
          - V(Default) returns to the default and accepts any mode that the operator then determines.
        type: str
        choices: [Manual, None, Automatic, Default]
        required: true
      ocp_version:
        description:
          - The release of the oldest boot image in use, in the form C(x.y.z).
          - Required with V(Manual), unless O(skew_enforcement.rhcos_version) is set.
        type: str
      rhcos_version:
        description:
          - The version of the oldest boot image in use, for example V(9.6.20251023-0).
        type: str
  record:
    description:
      - Records the boot image in use automatically, if the cluster leaves this to the administrator, that is, if it
        determines skew enforcement in mode V(Manual). Otherwise nothing is recorded, and C(recorded) contains the
        reason.
      - V(oldest) records the version of the oldest boot image in O(boot_images). Windows MachineSets and the control
        plane are ignored, as in the operator's own records. If the release of any image is unknown, the existing
        record is kept.
      - V(installation) records the installation version, unless an older version is already recorded. This is valid
        for any image, so use it before you restore older images.
    type: str
    choices: [installation, oldest]
  boot_images:
    description:
      - The result of M(fieldops.openshift.boot_image_info) for all MachineSets. Required with O(record=oldest).
    type: dict
  admin_acks:
    description:
      - Keys of administrator acknowledgements to give, which allow a later release to change a default for boot
        images. M(fieldops.openshift.boot_image_info) lists the keys with
        O(fieldops.openshift.boot_image_info#module:gather=policy).
    type: list
    elements: str
  take_over:
    description:
      - Whether to change fields that another field manager applies, such as a GitOps controller. By default, this is an
        error that names the field and the manager, because the other manager would set the field back.
    type: bool
    default: false
notes:
  - The required RBAC permissions are in C(extensions/rbac/boot-image-policy.yml) of this collection.
  - MachineSets that are opted out keep their current image. Nothing is rolled back.
seealso:
  - module: fieldops.openshift.boot_image_info
  - module: fieldops.openshift.boot_image
"""

EXAMPLES = r"""
- name: Let the cluster keep the boot images of all MachineSets up to date
  fieldops.openshift.boot_image_policy:
    machine_sets:
      mode: All
    wait: true

- name: Manage boot images manually, and record the images in use
  fieldops.openshift.boot_image_policy:
    machine_sets:
      mode: None
    skew_enforcement:
      mode: Manual
      ocp_version: 4.22.5
    wait: true
    wait_timeout: 300

- name: Exclude the MachineSets that Hive manages
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

- name: Return to the values that the operator records
  fieldops.openshift.boot_image_policy:
    machine_sets:
      mode: All
    skew_enforcement:
      mode: Automatic
    wait: true

- name: Gather the boot images of all MachineSets
  fieldops.openshift.boot_image_info:
    kinds: [machinesets]
  register: site_boot_images

- name: Record the version of the oldest boot image
  fieldops.openshift.boot_image_policy:
    record: oldest
    boot_images: "{{ site_boot_images }}"
    wait: true

- name: Let release 4.22 manage boot images on vSphere
  fieldops.openshift.boot_image_policy:
    admin_acks: [ack-4.21-boot-image-opt-out-in-4.22]
"""

RETURN = r"""
spec:
  description: The configuration.
  type: dict
  returned: success
  contains:
    machine_managers:
      description: The machine managers as configured in the API. V(null) means not set, which differs from an empty
        list.
      type: list
      elements: dict
      sample: [{"resource": machinesets, "apiGroup": machine.openshift.io, "selection": {"mode": All}}]
    skew_enforcement:
      description: The values of C(mode), C(ocp_version) and C(rhcos_version). Empty if not set.
      type: dict
      sample: {"mode": Manual, "ocp_version": 4.22.5, "rhcos_version": ""}
status:
  description: The status as reported by the operator.
  type: dict
  returned: success
  contains:
    machine_managers:
      description: The effective machine managers. V(null) if the operator does not report them.
      type: list
      elements: dict
      sample: [{"resource": machinesets, "apiGroup": machine.openshift.io, "selection": {"mode": All}}]
    skew_enforcement:
      description: The effective values of C(mode), C(ocp_version) and C(rhcos_version). Empty if the operator does
        not report them.
      type: dict
      sample: {"mode": Automatic, "ocp_version": 4.22.5, "rhcos_version": ""}
    observed_generation:
      description: The generation that the operator has observed.
      type: int
      sample: 4
    current:
      description: Whether the observed generation is the current one.
      type: bool
      sample: true
holds:
  description: For C(machine_sets) and C(control_plane_machine_sets), the effective C(mode), its C(selector), and in
    C(origin) whether it comes from the configuration (V(spec)) or is the default of the release and platform
    (V(default)).
  type: dict
  returned: success
  sample: {"machine_sets": {"mode": All, "selector": {}, "origin": default}}
conditions:
  description: The status conditions of the MachineConfiguration.
  type: list
  elements: dict
  returned: success
  sample: [{"type": BootImageUpdateDegraded, "status": "False", "reason": MAPIMachineSetUpdated, "message": "",
    "last_transition": "2026-11-21T20:10:00Z"}]
opted_in_at:
  description: When the cluster was opted in by a release default. Empty if it was not.
  type: str
  returned: success
  sample: ""
writers:
  description: The field managers that own fields of C(managed_boot_images) and C(skew_enforcement), most recent
    first.
  type: dict
  returned: success
  sample:
    managed_boot_images: [{"manager": argocd-controller, "at": "2026-11-21T19:00:00Z"}]
    skew_enforcement: []
recorded:
  description: The C(ocp_version) or C(rhcos_version) to record with O(record), and in C(reason) why it is not the
    version of the oldest image. Empty without O(record).
  type: dict
  returned: success
  sample: {"ocp_version": "", "rhcos_version": 9.6.20251023-0, "reason": ""}
actions:
  description: The API calls that made changes, or that would be made in check mode.
  type: list
  elements: dict
  returned: success
  sample: [{"verb": patch, "kind": MachineConfiguration, "namespace": null, "name": cluster, "dry_run": false}]
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample:
    sentence: waits until status says Manual for skew enforcement, it says Automatic
    done: false
    next_delay: 2.0
timeline:
  description: The progress messages observed while waiting, one entry for each change, in the same format as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T22:01:07Z', sentence: the policy is in effect}]
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
WAITING = Waiting("the policy for boot images is in effect", on="the cluster")


def main() -> t.NoReturn:
    run(SPEC, lambda this: policy_step(cluster_client(this), this.params), WAITING)


if __name__ == "__main__":
    main()
