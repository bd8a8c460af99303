#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: boot_image
short_description: Update the boot images of MachineSets, or revert them
version_added: 0.1.0
description:
  - Updates the selected MachineSets to the boot image of their stream, so that new machines can join the cluster.
    Only the image field is changed. Existing machines are not affected, except by MachineDeployments of the Cluster
    API, see O(cluster_api).
  - Each change is recorded in the cluster before it is made, in the ConfigMaps C(boot-image-history-<n>) in the
    namespace C(fieldops-openshift), together with its author and the previous value. O(state=reverted) restores
    images from this history.
  - A stub Ignition configuration of specification 2, which current images cannot boot with, is converted to
    specification 3. The original is kept in a Secret in the same namespace. If a stub contains customizations that
    are not known to be equivalent in both versions, the stub and its MachineSets are not changed.
  - Images that the machine-config operator keeps up to date, MachineSets that are managed by other tools, and
    non-standard images are skipped, each with a reason.
  - On platforms where images are imported into the site's own cloud, such as vSphere and OpenStack, the module writes
    the image name from O(site_images). Importing the image is left to the site or to a collection for that platform.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._boot_image_options
  - fieldops.openshift._guard_options
attributes:
  check_mode:
    details: Sends every write to the API server as a dry run. Writes that need a namespace that does not exist are
      skipped.
options:
  state:
    description:
      - V(present) updates resources to the image of their stream. V(reverted) restores the image selected by
        O(revert_to).
    type: str
    choices: [present, reverted]
    default: present
  all:
    description:
      - Whether to select all resources of O(kinds). Mutually exclusive with O(names) and O(labels).
    type: bool
    default: false
  kinds:
    description:
      - The kinds of resources to select.
    type: list
    elements: str
    choices: [machinesets, controlplanemachinesets]
    default: [machinesets]
  cluster_api:
    description:
      - Whether to also select MachineSets and MachineDeployments of the Cluster API in C(openshift-cluster-api) by the
        same names and labels.
      - Templates are immutable. The module clones the template with the new image, points the resource to the clone,
        and records the previous template on the resource so that O(state=reverted) can restore it.
      - A change of the template makes a MachineDeployment replace its machines, unless its strategy is C(OnDelete). The
        module starts this only while O(guard) permits it, and for one MachineDeployment at a time. Others are deferred
        until it has finished, so run the task again. Existing machines of MachineSets are not affected.
      - Templates are cloned on AWS, Azure, GCP and vSphere. Resources that a ClusterClass manages are skipped.
      - With O(canary), these resources are deferred until the canaries of the Machine API have been proved.
    type: bool
    default: false
  canary:
    description:
      - Whether to change only one resource of each architecture and stream, the canary. The others are deferred until
        the canary has been proved, that is, its new machines become ready.
      - A resource that already uses the correct image serves as the canary without a change, so the task can be
        repeated safely.
    type: bool
    default: false
  keep_going:
    description:
      - Whether to continue with other resources if one cannot be evaluated or changed. The task still fails.
      - By default, nothing is changed if any selected resource cannot be evaluated, and the task stops at the first
        failed change.
    type: bool
    default: false
  even_while_updating:
    description:
      - Whether to change images while the cluster is being updated. The correct image can change during the update.
    type: bool
    default: false
  even_if_overwritten:
    description:
      - Whether to write an image again after others have overwritten it three times. Set this after the conflict has
        been resolved.
    type: bool
    default: false
  even_if_older:
    description:
      - Whether to replace an image with an older one from the stream, if both releases are known.
    type: bool
    default: false
  revert_to:
    description:
      - The image to restore with O(state=reverted). V(previous) is the image before the last change that was not a
        revert, regardless of who made it. V(original) is the image before the first recorded change.
      - A timestamp such as V(2026-11-21T22:00:00Z) restores the image in use at that time. The C(id) of a history
        entry restores the image before that entry.
    type: str
    default: previous
  history_limit:
    description:
      - The number of history entries to keep for each resource, in addition to its first entry.
    type: int
    default: 10
notes:
  - The required RBAC permissions are in C(extensions/rbac/boot-image-manager.yml) and
    C(extensions/rbac/boot-image-reader.yml) of this collection, and for O(guard) in
    C(extensions/rbac/change-management-reader.yml).
  - Reverting is refused while the machine-config operator manages the images, because the operator would undo the
    change. Opt the MachineSets out with M(fieldops.openshift.boot_image_policy) first.
seealso:
  - module: fieldops.openshift.boot_image_info
  - module: fieldops.openshift.boot_image_policy
"""

EXAMPLES = r"""
- name: Update all MachineSets to the correct boot image
  fieldops.openshift.boot_image:
    all: true

- name: Update one MachineSet of each kind of machine first
  fieldops.openshift.boot_image:
    all: true
    canary: true
  register: site_canary

- name: Preview the changes with a server-side dry run
  fieldops.openshift.boot_image:
    labels:
      site: plant-7
  check_mode: true
  diff: true

- name: Set the name of a template that was imported into vCenter
  fieldops.openshift.boot_image:
    all: true
    site_images:
      - image: rhcos-9.6.20251023-0
        release: 9.6.20251023-0

- name: Update all MachineSets that can be updated, even if one is broken
  fieldops.openshift.boot_image:
    all: true
    keep_going: true

- name: Revert to the images before the last update
  fieldops.openshift.boot_image:
    names: [site-worker-a]
    state: reverted

- name: Revert to the images of Saturday evening
  fieldops.openshift.boot_image:
    all: true
    state: reverted
    revert_to: "2026-11-21T20:00:00Z"
"""

RETURN = r"""
machine_resources:
  description:
    - The selected resources as evaluated before the change, in the same format as
      RV(fieldops.openshift.boot_image_info#module:machine_resources), with the outcome for each.
  type: list
  elements: dict
  returned: success
  contains:
    kind:
      description: V(MachineSet) or V(ControlPlaneMachineSet).
      type: str
      sample: MachineSet
    name:
      description: The name of the resource.
      type: str
      sample: site-worker-a
    outcome:
      description:
        - The outcome. V(updated) and V(reverted) also apply to changes that would be made in check mode. V(unchanged)
          means no change was needed. V(deferred) resources wait for the canary. V(left_to_operator), V(left_alone)
          and V(needs_image) have the same meaning as in C(standing). V(failed) means the change failed.
      type: str
      sample: updated
    code:
      description:
        - A machine-readable reason code. For failed changes one of V(conflict), V(deleted), V(refused), V(stub),
          V(managed_by_operator), V(not_tried), or V(unknown) if no response was received.
      type: str
      sample: outdated
    reason:
      description: A human-readable explanation.
      type: str
      sample: the correct image is 9.6.20251023-0
cluster_api:
  description: The outcome for MachineSets and MachineDeployments of the Cluster API. Requires O(cluster_api).
  type: list
  elements: dict
  returned: success
  contains:
    kind:
      description: V(MachineSet) or V(MachineDeployment).
      type: str
      sample: MachineSet
    name:
      description: The name of the resource.
      type: str
      sample: site-worker-b
    outcome:
      description: >-
        The outcome, with the same values as in RV(machine_resources). V(deferred) also while another MachineDeployment
        replaces its machines, and V(restricted) if O(guard) does not permit that.
      type: str
      sample: updated
    code:
      description: A machine-readable reason code.
      type: str
      sample: outdated
    reason:
      description: A human-readable explanation.
      type: str
      sample: the correct image is 9.6.20251023-0
    template_before:
      description: The kind and name of the previous template.
      type: str
      sample: AWSMachineTemplate/site-worker-b-1
    template:
      description: The kind and name of the current template, or in check mode of the template that would be used.
      type: str
      sample: AWSMachineTemplate/site-worker-b-5f0c9a1e
canaries:
  description: The canaries. Requires O(canary).
  type: list
  elements: str
  returned: success
  sample: [MachineSet/site-worker-a]
remaining:
  description: The resources that are deferred until the canaries have been proved.
  type: list
  elements: str
  returned: success
  sample: [MachineSet/site-worker-b, MachineSet/site-worker-c]
observed:
  description:
    - Changes made by others since the last run that were added to the history, in the same format as
      RV(fieldops.openshift.boot_image_info#module:machine_resources[].history). The images recorded in the first run
      are not listed.
  type: list
  elements: dict
  returned: success
  sample: []
converted_stubs:
  description: The Secrets with converted stubs.
  type: list
  elements: str
  returned: success
  sample: [worker-user-data]
restored_stubs:
  description: The Secrets with restored original stubs.
  type: list
  elements: str
  returned: success
  sample: []
kept_stubs:
  description: The Secrets that keep a converted stub although images were reverted, with the reason.
  type: dict
  returned: success
  sample: {}
summary:
  description: The number of resources in total, by C(standing), and that could be updated, before the change.
  type: dict
  returned: success
  sample: {"total": 3, "current": 0, "outdated": 3, "needs_image": 0, "left_alone": 0, "fault": 0, "would_update": 3}
actions:
  description: The API calls that made changes, or that would be made in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - {"verb": patch, "kind": MachineSet, "namespace": openshift-machine-api, "name": site-worker-a, "dry_run": false}
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.boot_image_task import (
    BOOT_IMAGE_OPTIONS,
    change_boot_images,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.guard import (
    GUARD_NEVER_NULL,
    GUARD_OPTION,
    ChangeGuard,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = CLUSTER_OPTIONS.merged(
    ArgumentSpec(options={**BOOT_IMAGE_OPTIONS, "guard": GUARD_OPTION}, never_null=GUARD_NEVER_NULL)
)


def main() -> t.NoReturn:
    def change(this: ModuleRun) -> Result:
        client = cluster_client(this)
        return change_boot_images(client, this.params, ChangeGuard.of(client, this.params["guard"]))

    run(SPEC, change)


if __name__ == "__main__":
    main()
