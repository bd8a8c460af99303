#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: boot_image_info
short_description: Show what a new node will boot, and what keeps it from the right image
version_added: 0.1.0
description:
  - For every MachineSet and ControlPlaneMachineSet shows the image that its machines boot, the right one of its stream,
    whether M(fieldops.openshift.boot_image) would change it, and if not exactly why.
  - For the cluster shows which release the images are of, and the skew as the machine-config operator computes it.
  - It never asks a cloud. What a cloud knows of images can be handed in with O(cloud_images); without it the answer
    says what is missing.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._boot_image_options
options:
  kinds:
    description: Which kinds of resources are looked at.
    type: list
    elements: str
    choices: [machinesets, controlplanemachinesets]
    default: [machinesets, controlplanemachinesets]
  user_data:
    description:
      - Whether to read the Secrets with the stub Ignition configuration, of which only the version is shown.
    type: bool
    default: true
  history:
    description: Whether to return the history of each resource, of which else only the last change is shown.
    type: bool
    default: false
  skew:
    description: Whether to compute the skew. See M(fieldops.openshift.boot_image_policy_info) for other limits.
    type: bool
    default: true
  aleph:
    description:
      - What nodes hold in C(/sysroot/.coreos-aleph-version.json), by name of the node, as text or as a mapping. It
        says which image they really booted from. Fetch it with M(ansible.builtin.slurp) from nodes that are reachable.
    type: dict
    default: {}
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/boot-image-reader.yml) of this collection.
seealso:
  - module: fieldops.openshift.boot_image
  - module: fieldops.openshift.boot_image_policy_info
"""

EXAMPLES = r"""
- name: See what new nodes will boot
  fieldops.openshift.boot_image_info:
  register: site_boot_images

- name: Name every MachineSet that would be changed, and why others would not
  ansible.builtin.debug:
    msg: "{{ item.name }}: {{ item.standing }} ({{ item.code }}) {{ item.reason }}"
  loop: "{{ site_boot_images.machine_resources }}"
  loop_control:
    label: "{{ item.name }}"

- name: Ask Amazon's cloud for the images that MachineSets use now
  amazon.aws.ec2_ami_info:
    image_ids: "{{ site_boot_images.machine_resources | map(attribute='current.image') | unique }}"
  register: site_amis

- name: Look again with what the cloud knows
  fieldops.openshift.boot_image_info:
    cloud_images: "{{ site_amis.images }}"

- name: See which image a template in vCenter has to become
  fieldops.openshift.boot_image_info:
    site_images:
      - image: rhcos-9.6.20251023-0
        release: 9.6.20251023-0

- name: Read what the newest node booted from
  ansible.builtin.slurp:
    src: /sysroot/.coreos-aleph-version.json
  delegate_to: worker-7
  register: site_aleph

- name: Show it beside the rest
  fieldops.openshift.boot_image_info:
    aleph:
      worker-7: "{{ site_aleph.content | b64decode }}"
"""

RETURN = r"""
cluster:
  description: What holds for the cluster as a whole.
  type: dict
  returned: success
  contains:
    platform:
      description: The platform as C(Infrastructure) has it.
      type: str
      sample: AWS
    version:
      description: The release that the cluster has or moves to.
      type: str
      sample: 4.22.5
    streams:
      description: The names of the streams that are known, the default one first.
      type: list
      elements: str
      sample: [rhel-9, rhel-10]
    images_of:
      description: The release whose images are listed.
      type: str
      sample: 4.22.5
    stamped_by:
      description: The release of the machine-config operator that stamped the list, empty without a stamp.
      type: str
      sample: 4.22.5
    reason:
      description: What is wrong with the list of images, empty for nothing.
      type: str
      sample: ""
    checklist:
      description: On platforms V(None) and V(External) the files that the site's own provisioning should serve, with
        their release, location and SHA-256, and what to do with each.
      type: list
      elements: dict
      sample: []
    skew:
      description: The skew, as RV(fieldops.openshift.boot_image_policy_info#module:skew) has it.
      type: dict
      returned: with O(skew)
      sample: {"mode": Automatic, "blocked": false}
machine_resources:
  description: The resources that are selected, MachineSets first, by name.
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
    replicas:
      description: How many machines it is meant to have.
      type: int
      sample: 3
    stream:
      description: The stream that its machines use.
      type: str
      sample: rhel-9
    architecture:
      description: The architecture of its machines, empty where it is not known.
      type: str
      sample: x86_64
    standing:
      description:
        - V(current) boots the right image, V(outdated) another one, V(needs_image) waits for an image that a person has
          to bring into the site's cloud, V(left_alone) is not ours to change, V(fault) cannot be judged.
      type: str
      sample: outdated
    would_update:
      description: Whether M(fieldops.openshift.boot_image) would change it.
      type: bool
      sample: true
    code:
      description:
        - Why, as a word for programs. V(owned), V(hive), V(cluster_api), V(windows), V(being_deleted),
          V(unknown_stream), V(unknown_architecture), V(unknown_image), V(custom_image), V(in_marketplace),
          V(newer_than_stream),
          V(unknown_variant), V(not_in_stream), V(image_not_there), V(half_written), V(no_stream), V(fight),
          V(left_to_operator) and others.
      type: str
      sample: outdated
    reason:
      description: Why, for people.
      type: str
      sample: the right image is 9.6.20251023-0
    current:
      description: The image that its machines boot, with its C(release), and in C(openshift) the release of OpenShift
        that it was made for, where these can be known.
      type: dict
      sample: {"image": ami-0c7afe4c4a7c95a4c, "release": 418.94.202501221327-0, "openshift": "4.18"}
    counts_as_skip:
      description: Whether the machine-config operator, which keeps it, skips it and takes its image for one of unknown
        age. In mode Automatic it then records the version of the installation, which may stop the next minor update.
      type: bool
      sample: false
    known_failures:
      description: What is known to keep machines with the current image from joining this cluster, although the
        operator takes it, each with C(symptom) and C(source).
      type: list
      elements: dict
      sample: []
    target:
      description: The right image, likewise.
      type: dict
      sample: {"image": ami-0f62c9a5b0e2e6f2d, "release": 9.6.20251023-0, "openshift": ""}
    managed_by:
      description: Who keeps the image, C(by) the V(machine-config-operator) or V(nobody), in which C(mode) of
        selection, and the C(reason) where it is nobody.
      type: dict
      sample: {"by": nobody, "mode": "", "reason": not opted in}
    user_data:
      description: The Secret with the stub Ignition configuration, its version, and the C(reason) where that could not
        be read.
      type: dict
      sample: {"secret": worker-user-data, "ignition": 3.2.0, "reason": ""}
    overwritten:
      description: How often somebody else has undone the same change.
      type: int
      sample: 0
    writers:
      description: Who that was, as the server knows, the latest first.
      type: list
      elements: dict
      sample: [{"manager": argocd-controller, "operation": Update, "at": "2026-11-21T20:10:00Z"}]
    artifact:
      description: The file that has to be brought into the site's cloud, V(null) for none.
      type: dict
      sample: null
    steps:
      description: What a person has to do, in this order.
      type: list
      elements: str
      sample: []
    last_change:
      description: The last change in its history, V(null) for none. What others have changed since the last look is
        one, although it is not noted before M(fieldops.openshift.boot_image) runs.
      type: dict
      sample: null
    history:
      description:
        - All of them, the oldest first, with O(history). An object that was deleted and made again begins anew.
        - C(kind) is V(update) or V(revert) by this collection, V(observed) for a change by the operator, GitOps or
          hands, and V(first_seen) for what was there at the first look.
      type: list
      elements: dict
      returned: with O(history)
      sample: []
cluster_api:
  description:
    - MachineSets and MachineDeployments of the Cluster API in C(openshift-cluster-api) that make machines by
      themselves, with what their template lets them boot. Empty where only some MachineSets are selected.
  type: list
  elements: dict
  returned: success
  contains:
    kind:
      description: V(MachineSet) or V(MachineDeployment).
      type: str
      sample: MachineDeployment
    name:
      description: The name.
      type: str
      sample: site-worker-b
    template:
      description: Kind and name of the template that it makes machines from.
      type: str
      sample: AWSMachineTemplate/site-worker-b-1
    replicas:
      description: How many machines it wants, V(null) if it does not say.
      type: int
      sample: 3
    standing:
      description: As of RV(machine_resources).
      type: str
      sample: outdated
    code:
      description: As of RV(machine_resources).
      type: str
      sample: outdated
    reason:
      description: As of RV(machine_resources).
      type: str
      sample: the right image is 9.6.20251023-0
    current:
      description: The C(image) that it boots, and its C(release) where that is known.
      type: dict
      sample: {"image": ami-0f2ff5bd9c8a1b2c3, "release": ""}
    target:
      description: The right C(image) and its C(release).
      type: dict
      sample: {"image": ami-0a3f6d2b8c1e9f04d, "release": 9.6.20251023-0}
nodes:
  description: What nodes really booted from, for those in O(aleph).
  type: list
  elements: dict
  returned: success
  contains:
    name:
      description: The node.
      type: str
      sample: worker-7
    release:
      description: The release of the image, empty where the file does not say.
      type: str
      sample: 418.94.202501221327-0
    openshift:
      description: The release of OpenShift that it was made for, empty where that cannot be known.
      type: str
      sample: "4.18"
    ref:
      description: What the image was made from.
      type: str
      sample: ""
    reason:
      description: Why the release is not known.
      type: str
      sample: ""
next_record:
  description:
    - In mode Automatic the C(version) that the operator will record once it has looked at all MachineSets again, and
      the C(reason). Empty in other modes, without O(skew), and where only some MachineSets are selected.
  type: dict
  returned: success
  sample: {"version": 4.20.12, "reason": "the version of the installation, because of site-worker-a"}
skipped_by_operator:
  description: The resources with C(counts_as_skip), each with the reason.
  type: list
  elements: str
  returned: success
  sample: ["MachineSet site-worker-a: custom_image, the image belongs to account 123456789012"]
unreadable_history:
  description: Entries of the history that somebody has broken; they stay where they are.
  type: list
  elements: str
  returned: success
  sample: []
summary:
  description: How many resources there are in all, in each standing, and how many would be updated.
  type: dict
  returned: success
  sample: {"total": 3, "current": 1, "outdated": 2, "needs_image": 0, "left_alone": 0, "fault": 0, "would_update": 2}
sentence:
  description: The same in one line.
  type: str
  returned: success
  sample: of 3 machine resources, 1 boot the right image, 2 boot another one
actions:
  description: Always empty.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.boot_image_info_task import (
    BOOT_IMAGE_INFO_OPTIONS,
    look,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = CLUSTER_OPTIONS.merged(ArgumentSpec(options=BOOT_IMAGE_INFO_OPTIONS))


def main() -> t.NoReturn:
    run(SPEC, lambda this: Result(objects=look(cluster_client(this), this.params)))


if __name__ == "__main__":
    main()
