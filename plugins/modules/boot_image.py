#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: boot_image
short_description: Bring MachineSets to the right boot image, or back to an earlier one
version_added: 0.1.0
description:
  - Brings the selected MachineSets to the image of their stream, so that new machines can still join the cluster.
    Only the field of the image is written. Machines that exist are not touched.
  - Each change is noted in the cluster before it is made, in ConfigMaps C(boot-image-history-<n>) of the namespace
    C(fieldops-openshift), with who made it and what was there before. With O(state=reverted) it is undone from there.
  - A stub Ignition configuration of specification 2, with which current images do not boot, is converted to
    specification 3; the original is kept in a Secret of that namespace. One that was customised beyond what is known
    to mean the same in both is left alone, with its MachineSets.
  - What the machine-config operator keeps up to date itself, what belongs to somebody else, and images that are not
    standard ones are left alone, each with the reason.
  - On clouds of the site, such as vSphere and OpenStack, it writes the name that O(site_images) gives. Bringing the
    image there is left to the site or to a collection for that cloud.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._boot_image_options
attributes:
  check_mode:
    support: full
    details: The API server tries every write without keeping it. What needs a namespace that is not there is not tried.
  diff_mode:
    support: full
  idempotent:
    support: full
options:
  state:
    description:
      - V(present) brings resources to the right image, V(reverted) back to the one at O(revert_to).
    type: str
    choices: [present, reverted]
    default: present
  all:
    description:
      - Whether to take all resources of O(kinds). Give this, or O(names) and O(labels).
    type: bool
    default: false
  kinds:
    description:
      - Which kinds of resources are taken.
    type: list
    elements: str
    choices: [machinesets, controlplanemachinesets]
    default: [machinesets]
  cluster_api:
    description:
      - Whether to take MachineSets of the Cluster API in C(openshift-cluster-api) too, by the same names and labels.
      - A template cannot be changed. A MachineSet is pointed at a clone of its template that has the right image, and
        the template of before is kept and noted on it, so that O(state=reverted) points it back. Machines that exist
        are not touched.
      - Templates are cloned on Amazon's cloud alone. MachineDeployments are left alone, because with another template
        they replace their machines.
    type: bool
    default: false
  canary:
    description:
      - Whether to change only one resource of each architecture and stream, the canary, and leave the others for when
        it has proved that its machines become ready.
      - Where one boots the right image already, it is the canary, and nothing is changed. So asking again is safe.
    type: bool
    default: false
  keep_going:
    description:
      - Whether to change the others where one cannot be judged or changed. The task fails all the same.
      - By default nothing is changed at all while one of those selected cannot be judged, and after the first failure
        nothing more.
    type: bool
    default: false
  even_while_updating:
    description:
      - Whether to change images although the release of the cluster is moving. The right image may be another one then.
    type: bool
    default: false
  even_if_overwritten:
    description:
      - Whether to write an image again that somebody else has overwritten three times, because that has been settled.
    type: bool
    default: false
  even_if_older:
    description:
      - Whether to replace an image by that of the stream where both releases are known and the present one is newer.
    type: bool
    default: false
  revert_to:
    description:
      - Where to go back to. V(previous) is what was there before the last change, whoever made it, that was not a way
        back, V(original) what was there before the first change that is known.
      - An instant such as V(2026-11-21T22:00:00Z) is what was there then, and the C(id) of an entry of the history what
        was there before that.
    type: str
    default: previous
  history_limit:
    description:
      - How many entries of the history are kept of each resource, besides the first one of the object that is there.
    type: int
    default: 10
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/boot-image-manager.yml) of this collection.
  - While the machine-config operator keeps the images, going back is refused, since it would undo it.
    Take them out of its hands with M(fieldops.openshift.boot_image_policy) first.
seealso:
  - module: fieldops.openshift.boot_image_info
  - module: fieldops.openshift.boot_image_policy
"""

EXAMPLES = r"""
- name: Bring all MachineSets to the right image
  fieldops.openshift.boot_image:
    all: true

- name: Change one MachineSet of each kind of machine first
  fieldops.openshift.boot_image:
    all: true
    canary: true
  register: site_canary

- name: See what would be changed, tried by the API server
  fieldops.openshift.boot_image:
    labels:
      site: plant-7
  check_mode: true
  diff: true

- name: Write the name of a template that was imported into vCenter
  fieldops.openshift.boot_image:
    all: true
    site_images:
      - image: rhcos-9.6.20251023-0
        release: 9.6.20251023-0

- name: Change what can be changed, also where one MachineSet is broken
  fieldops.openshift.boot_image:
    all: true
    keep_going: true

- name: Go back to what was there before the last update
  fieldops.openshift.boot_image:
    names: [site-worker-a]
    state: reverted

- name: Go back to what was there on Saturday evening
  fieldops.openshift.boot_image:
    all: true
    state: reverted
    revert_to: "2026-11-21T20:00:00Z"
"""

RETURN = r"""
machine_resources:
  description:
    - The selected resources as they were judged before the change, as
      RV(fieldops.openshift.boot_image_info#module:machine_resources) has them, and what became of each.
  type: list
  elements: dict
  returned: success
  contains:
    kind:
      description: V(MachineSet) or V(ControlPlaneMachineSet).
      type: str
      sample: MachineSet
    name:
      description: The name.
      type: str
      sample: site-worker-a
    outcome:
      description:
        - V(updated) or V(reverted), in check mode if it would be; V(unchanged); V(deferred) until the canary is proved;
          V(left_to_operator), V(left_alone) or V(needs_image) as C(standing) says; V(failed).
      type: str
      sample: updated
    code:
      description:
        - Why, as a word for programs. Where a change failed V(conflict), V(deleted), V(refused), V(stub),
          V(managed_by_operator), V(not_tried), or V(unknown) if no answer came.
      type: str
      sample: outdated
    reason:
      description: Why, for people.
      type: str
      sample: the right image is 9.6.20251023-0
cluster_api:
  description: What became of MachineSets and MachineDeployments of the Cluster API, with O(cluster_api).
  type: list
  elements: dict
  returned: success
  contains:
    kind:
      description: V(MachineSet) or V(MachineDeployment).
      type: str
      sample: MachineSet
    name:
      description: The name.
      type: str
      sample: site-worker-b
    outcome:
      description: As of RV(machine_resources).
      type: str
      sample: updated
    code:
      description: Why, as a word for programs.
      type: str
      sample: outdated
    reason:
      description: Why, for people.
      type: str
      sample: the right image is 9.6.20251023-0
    template_before:
      description: Kind and name of the template that it made machines from.
      type: str
      sample: AWSMachineTemplate/site-worker-b-1
    template:
      description: Kind and name of the template that it makes machines from now, in check mode would.
      type: str
      sample: AWSMachineTemplate/site-worker-b-5f0c9a1e
canaries:
  description: The canaries, with O(canary).
  type: list
  elements: str
  returned: success
  sample: [MachineSet/site-worker-a]
remaining:
  description: The resources that wait for the proof of the canaries.
  type: list
  elements: str
  returned: success
  sample: [MachineSet/site-worker-b, MachineSet/site-worker-c]
observed:
  description:
    - Entries that were noted in the history because others had changed an image since the last look. Their form is
      that of RV(fieldops.openshift.boot_image_info#module:machine_resources[].history). What is there at the first look
      is noted as well, and not listed here.
  type: list
  elements: dict
  returned: always
  sample: []
converted_stubs:
  description: Secrets whose stub was converted.
  type: list
  elements: str
  returned: success
  sample: [worker-user-data]
restored_stubs:
  description: Secrets whose original stub was put back.
  type: list
  elements: str
  returned: success
  sample: []
kept_stubs:
  description: Secrets that keep their converted stub although images were reverted, with the reason.
  type: dict
  returned: success
  sample: {}
summary:
  description: How many resources there are in all, in each standing, and how many could be updated, before the change.
  type: dict
  returned: success
  sample: {"total": 3, "current": 0, "outdated": 3, "needs_image": 0, "left_alone": 0, "fault": 0, "would_update": 3}
actions:
  description: The calls that changed something, or in check mode would.
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
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run

SPEC = CLUSTER_OPTIONS.merged(ArgumentSpec(options=BOOT_IMAGE_OPTIONS))


def main() -> t.NoReturn:
    run(SPEC, lambda this: change_boot_images(cluster_client(this), this.params))


if __name__ == "__main__":
    main()
