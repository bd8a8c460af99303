#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: boot_image_info
short_description: Gather what new nodes will boot, who keeps that up to date, and what was proved
version_added: 0.1.0
description:
  - With O(gather=images), for every MachineSet and ControlPlaneMachineSet shows the image that its machines boot, the
    right one of its stream, whether M(fieldops.openshift.boot_image) would change it, and if not exactly why. For the
    cluster shows which release the images are of, and the skew as the machine-config operator computes it.
  - With O(gather=policy) shows what the MachineConfiguration C(cluster) says about boot images, what the operator made
    of it, who wrote it, which acknowledgements the cluster asks for, and whether boot images block an update. With
    O(skew_limit) it is judged as the operator of a release to come would, long before an update is staged.
  - With O(gather=proofs) shows for each MachineSet whether M(fieldops.openshift.boot_image_proof) has proved the
    template that it has now, what came of its last proof, and how far one is that is going on or was interrupted.
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
  gather:
    description:
      - What to return. Only what is named is asked for.
      - O(skew_limit) and O(update_to) are about V(policy) alone. All other options are about V(images), and O(names)
        and O(labels) choose the MachineSets of V(proofs) as well.
    type: list
    elements: str
    choices: [images, policy, proofs]
    default: [images]
  kinds:
    description: Which kinds of resources are looked at. Proofs are of MachineSets alone.
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
    description: Whether to compute the skew for RV(cluster).
    type: bool
    default: true
  aleph:
    description:
      - What nodes hold in C(/sysroot/.coreos-aleph-version.json), by name of the node, as text or as a mapping. It
        says which image they really booted from. Fetch it with M(ansible.builtin.slurp) from nodes that are reachable.
    type: dict
    default: {}
  skew_limit:
    description:
      - The oldest boot image that is let through, in place of the operator's own limit, for RV(policy). The
        operator knows the limit of its own release only; give that of the next one here to foresee it.
    type: dict
    suboptions:
      ocp:
        description:
          - The release, for example V(4.18.0). By default V(4.13.0), the limit of 4.22 and later so far.
        type: str
      rhel:
        description:
          - The version of RHEL, in quotes, for example V(9.6). By default V(9.2).
        type: str
  update_to:
    description:
      - The version that the cluster shall be updated to. RV(policy.gate) then says whether boot images stand in the
        way.
    type: str
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/boot-image-reader.yml) of this collection, for O(gather=policy) in
    C(extensions/rbac/boot-image-policy.yml), and for O(gather=proofs) those in C(extensions/rbac/boot-image-proof.yml)
    that read.
seealso:
  - module: fieldops.openshift.boot_image
  - module: fieldops.openshift.boot_image_policy
  - module: fieldops.openshift.boot_image_proof
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

- name: Ask as the next release would ask
  fieldops.openshift.boot_image_info:
    gather: [policy]
    skew_limit:
      ocp: 4.18.0
      rhel: "9.6"
    update_to: 4.23.1
  register: site_policy

- name: Go on only if boot images are no obstacle to that update
  ansible.builtin.assert:
    that: not site_policy.policy.gate.blocked
    fail_msg: "{{ site_policy.policy.gate.sentence }}"

- name: See which MachineSets are not proved
  fieldops.openshift.boot_image_info:
    gather: [proofs]
  register: site_found

- name: Name them
  ansible.builtin.debug:
    msg: "{{ site_found.proofs | rejectattr('proved') | map(attribute='name') }}"
"""

RETURN = r"""
cluster:
  description: What holds for the cluster as a whole.
  type: dict
  returned: with O(gather=images)
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
      description: The skew, as RV(policy.skew) has it.
      type: dict
      returned: with O(skew)
      sample: {"mode": Automatic, "blocked": false}
machine_resources:
  description: The resources that are selected, MachineSets first, by name.
  type: list
  elements: dict
  returned: with O(gather=images)
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
  returned: with O(gather=images)
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
  returned: with O(gather=images)
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
  returned: with O(gather=images)
  sample: {"version": 4.20.12, "reason": "the version of the installation, because of site-worker-a"}
skipped_by_operator:
  description: The resources with C(counts_as_skip), each with the reason.
  type: list
  elements: str
  returned: with O(gather=images)
  sample: ["MachineSet site-worker-a: custom_image, the image belongs to account 123456789012"]
unreadable_history:
  description: Entries of the history that somebody has broken; they stay where they are.
  type: list
  elements: str
  returned: with O(gather=images)
  sample: []
summary:
  description: How many resources there are in all, in each standing, and how many would be updated.
  type: dict
  returned: with O(gather=images)
  sample: {"total": 3, "current": 1, "outdated": 2, "needs_image": 0, "left_alone": 0, "fault": 0, "would_update": 2}
sentence:
  description: The same in one line.
  type: str
  returned: with O(gather=images)
  sample: of 3 machine resources, 1 boot the right image, 2 boot another one
policy:
  description: Who keeps boot images up to date, and whether they block an update.
  type: dict
  returned: with O(gather=policy)
  contains:
    spec:
      description: What is configured, as RV(fieldops.openshift.boot_image_policy#module:spec).
      type: dict
      sample: {"machine_managers": null, "skew_enforcement": {}}
    status:
      description: What the operator made of it, as RV(fieldops.openshift.boot_image_policy#module:status).
      type: dict
      sample: {"machine_managers": [], "skew_enforcement": {}, "observed_generation": 4, "current": true}
    holds:
      description: What holds by kind of resource and where it comes from.
      type: dict
      sample: {"machine_sets": {"mode": All, "selector": {}, "origin": default}}
    conditions:
      description: The conditions of the MachineConfiguration.
      type: list
      elements: dict
      sample: []
    opted_in_at:
      description: When the cluster was opted in by a default, empty if it was not.
      type: str
      sample: ""
    writers:
      description: Who owns something in C(managed_boot_images) and C(skew_enforcement), the latest first.
      type: dict
      sample: {"managed_boot_images": [], "skew_enforcement": []}
    platform:
      description: The C(type) of the platform and what this release's operator does on it.
      type: dict
      sample: {"type": AWS, "manages_machine_sets": true, "manages_control_plane_machine_sets": true,
        "manages_by_default": true}
    skew:
      description: The skew of the boot images.
      type: dict
      contains:
        enforced:
          description: Whether this release enforces it.
          type: bool
          sample: true
        mode:
          description: The mode that holds, empty where the operator says nothing.
          type: str
          sample: Manual
        ocp_version:
          description: The release that is recorded.
          type: str
          sample: 4.12.30
        rhcos_version:
          description: The version of the image that is recorded.
          type: str
          sample: ""
        determined:
          description: The C(mode), the versions and the C(reason) that the operator arrives at from what is configured.
          type: dict
          sample: {"mode": Manual, "ocp_version": 4.12.30, "rhcos_version": "", "reason": "..."}
        install_version:
          description: The release that the cluster was installed with, as far as its history goes back.
          type: str
          sample: 4.12.30
        limit:
          description: The limits C(ocp) and C(rhel), and in C(source) whether they are of the V(release) or V(given).
          type: dict
          sample: {"ocp": 4.13.0, "rhel": "9.2", "source": release}
        blocks_minor_update:
          description: Whether a minor update is blocked now. Updates within a minor version never are.
          type: bool
          sample: true
        reason:
          description: The reason of the operator's condition, empty if nothing is blocked.
          type: str
          sample: ClusterBootImageSkewError
        message:
          description: The message of the operator's condition, empty if nothing is blocked.
          type: str
          sample: Upgrades have been disabled because the cluster is using OCP boot image version 4.12.30, which is
            below the minimum required version 4.13.0. ...
        evaluated:
          description: Whether versions were compared at all.
          type: bool
          sample: true
        why:
          description: Why it is blocked, not blocked or not evaluated.
          type: str
          sample: the boot images are too old
        forecast:
          description: The same from C(blocks_minor_update) to C(why) for what is V(determined), as a release that
            enforces skew judges it.
          type: dict
          sample: {"blocks_minor_update": true, "reason": ClusterBootImageSkewError, "message": "...", "evaluated":
            true, "why": the boot images are too old}
        alert:
          description: The C(name) and the C(text) of the alert that mode None raises, empty if none is raised.
          type: dict
          sample: {}
        operator:
          description: What the ClusterOperator says itself, C(upgradeable), C(reason) and C(message). A degraded pool
            hides the reason of skew there.
          type: dict
          sample: {"upgradeable": "False", "reason": DegradedPool, "message": One or more machine config pools are
            degraded}
        sentence:
          description: Whether boot images block a minor update, in one line.
          type: str
          sample: "boot images block no minor update: the boot images are new enough"
    gate:
      description: Whether the update to O(update_to) may begin as far as boot images go. Empty without that option.
      type: dict
      contains:
        to:
          description: The version.
          type: str
          sample: 4.23.1
        minor:
          description: Whether it leads to another minor version. Only then boot images can stop it.
          type: bool
          sample: true
        blocked:
          description: Whether it is stopped, by the operator or by O(skew_limit).
          type: bool
          sample: false
        later:
          description: Whether it is not stopped, but leads to a release that will stop the next one.
          type: bool
          sample: true
        known_failures:
          description: What is known to keep machines with the recorded boot image from joining a cluster of that
            version, although the operator takes it, each with C(symptom) and C(source).
          type: list
          elements: dict
          sample: []
        sentence:
          description: The answer in one line.
          type: str
          sample: boot images do not stop the update to 4.22.1, but that release will stop the next one. ...
    admin_acks:
      description: The acknowledgements that are about boot images.
      type: list
      elements: dict
      contains:
        key:
          description: The key, for O(fieldops.openshift.boot_image_policy#module:admin_acks).
          type: str
          sample: ack-4.21-boot-image-opt-out-in-4.22
        required:
          description: Whether the cluster asks for it at present.
          type: bool
          sample: true
        given:
          description: Whether it was given.
          type: bool
          sample: false
        message:
          description: What the cluster says.
          type: str
          sample: This cluster is Azure or vSphere but lacks a boot image configuration. ...
        meaning:
          description: What it permits.
          type: str
          sample: 4.22 opts Azure and vSphere in to managed boot images; set machine_sets instead to decide for
            yourself.
proofs:
  description: The MachineSets, by name, and what was proved of them.
  type: list
  elements: dict
  returned: with O(gather=proofs)
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
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.policy_info import (
    POLICY_INFO_OPTIONS,
    read_policy,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.proof_info import read_proofs
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.gathering import gather_option, gathered
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run

READERS = {"images": look, "policy": read_policy, "proofs": read_proofs}
SPEC = CLUSTER_OPTIONS.merged(
    gather_option(READERS), ArgumentSpec(options={**BOOT_IMAGE_INFO_OPTIONS, **POLICY_INFO_OPTIONS})
)


def main() -> t.NoReturn:
    run(SPEC, lambda this: gathered(READERS, cluster_client(this), this.params))


if __name__ == "__main__":
    main()
