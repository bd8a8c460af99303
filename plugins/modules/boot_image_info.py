#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: boot_image_info
short_description: Gather information about boot images, their management policy and their proofs
version_added: 0.1.0
description:
  - O(gather=images) returns, for every MachineSet and ControlPlaneMachineSet, the boot image that it uses, the
    correct image of its stream, whether M(fieldops.openshift.boot_image) would change it, and if not, why. For the
    cluster, it returns the release that the images belong to and the boot image skew as computed by the
    machine-config operator.
  - O(gather=policy) returns the boot image configuration of the MachineConfiguration C(cluster), its status as
    reported by the operator, the field managers that wrote it, the acknowledgements that the cluster requires, and
    whether boot images block an update. Use O(skew_limit) to evaluate the limit of a later release long before an
    update is staged.
  - O(gather=proofs) returns, for each MachineSet, whether M(fieldops.openshift.boot_image_proof) has proved its
    current template, the result of the last proof, and the progress of a proof that is running or was interrupted.
  - The module does not query cloud APIs. Pass image metadata from the cloud with O(cloud_images). If it is needed and
    missing, the result says what is missing.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._boot_image_options
options:
  gather:
    description:
      - The information to return. Only the listed subsets are queried.
      - O(skew_limit) and O(target_version) apply to V(policy) only. All other options apply to V(images). O(names) and
        O(labels) also select the MachineSets for V(proofs).
    type: list
    elements: str
    choices: [images, policy, proofs]
    default: [images]
  kinds:
    description: The kinds of resources to evaluate. Proofs exist for MachineSets only.
    type: list
    elements: str
    choices: [machinesets, controlplanemachinesets]
    default: [machinesets, controlplanemachinesets]
  user_data:
    description:
      - Whether to read the Secrets with the stub Ignition configuration. Only its version is returned.
    type: bool
    default: true
  history:
    description: Whether to return the complete history of each resource. By default, only the last change is
      returned.
    type: bool
    default: false
  skew:
    description: Whether to compute the skew for RV(cluster).
    type: bool
    default: true
  aleph:
    description:
      - The content of C(/sysroot/.coreos-aleph-version.json) of nodes, as text or as a dictionary, by node name. It
        identifies the image that a node was first booted from. Fetch it with M(ansible.builtin.slurp).
    type: dict
    default: {}
  skew_limit:
    description:
      - The oldest permitted boot image, for RV(policy). By default, the limit of the operator is used. The operator
        knows only the limit of its own release, so set this option to evaluate the limit of a later release.
    type: dict
    suboptions:
      ocp:
        description:
          - The OpenShift release, for example V(4.18.0). The default is V(4.13.0), the limit of releases 4.22 and
            later so far.
        type: str
      rhel:
        description:
          - The RHEL version, quoted, for example V(9.6). The default is V(9.2).
        type: str
  target_version:
    description:
      - The planned target version of the cluster. RV(policy.gate) reports whether boot images block the update.
    type: str
notes:
  - The required RBAC permissions are in C(extensions/rbac/boot-image-reader.yml) of this collection, for
    O(gather=policy) in C(extensions/rbac/boot-image-policy.yml), and for O(gather=proofs) the read permissions in
    C(extensions/rbac/boot-image-proof.yml).
seealso:
  - module: fieldops.openshift.boot_image
  - module: fieldops.openshift.boot_image_policy
  - module: fieldops.openshift.boot_image_proof
"""

EXAMPLES = r"""
- name: Gather the boot images of all MachineSets
  fieldops.openshift.boot_image_info:
  register: site_boot_images

- name: Show which MachineSets would be changed, and why others would not
  ansible.builtin.debug:
    msg: "{{ item.name }}: {{ item.standing }} ({{ item.code }}) {{ item.reason }}"
  loop: "{{ site_boot_images.machine_resources }}"
  loop_control:
    label: "{{ item.name }}"

- name: Gather the AWS images that MachineSets use now
  amazon.aws.ec2_ami_info:
    image_ids: "{{ site_boot_images.machine_resources | map(attribute='current.image') | unique }}"
  register: site_amis

- name: Gather boot images, with the image metadata from AWS
  fieldops.openshift.boot_image_info:
    cloud_images: "{{ site_amis.images }}"

- name: Gather the image that a vCenter template must be created from
  fieldops.openshift.boot_image_info:
    site_images:
      - image: rhcos-9.6.20251023-0
        release: 9.6.20251023-0

- name: Read the boot image record of the newest node
  ansible.builtin.slurp:
    src: /sysroot/.coreos-aleph-version.json
  delegate_to: worker-7
  register: site_aleph

- name: Include the boot image record of a node
  fieldops.openshift.boot_image_info:
    aleph:
      worker-7: "{{ site_aleph.content | b64decode }}"

- name: Evaluate the skew limit of the next release
  fieldops.openshift.boot_image_info:
    gather: [policy]
    skew_limit:
      ocp: 4.18.0
      rhel: "9.6"
    target_version: 4.23.1
  register: site_policy

- name: Stop if boot images block the update
  ansible.builtin.assert:
    that: not site_policy.policy.gate.blocked
    fail_msg: "{{ site_policy.policy.gate.sentence }}"

- name: Gather the proofs of all MachineSets
  fieldops.openshift.boot_image_info:
    gather: [proofs]
  register: site_found

- name: Show the MachineSets that are not proved
  ansible.builtin.debug:
    msg: "{{ site_found.proofs | rejectattr('proved') | map(attribute='name') }}"
"""

RETURN = r"""
cluster:
  description: Information that applies to the cluster as a whole.
  type: dict
  returned: with O(gather=images)
  contains:
    platform:
      description: The platform of the cluster, as in C(Infrastructure).
      type: str
      sample: AWS
    version:
      description: The current release of the cluster, or the target release during an update.
      type: str
      sample: 4.22.5
    streams:
      description: The names of the known streams, default stream first.
      type: list
      elements: str
      sample: [rhel-9, rhel-10]
    images_of:
      description: The release whose boot images are listed.
      type: str
      sample: 4.22.5
    stamped_by:
      description: The release of the machine-config operator that stamped the list. Empty if the list has no stamp.
      type: str
      sample: 4.22.5
    reason:
      description: The problem with the list of images. Empty if there is none.
      type: str
      sample: ""
    checklist:
      description: On the platforms V(None) and V(External), the files that the site's own provisioning should serve,
        with their release, location, SHA-256 checksum, and what to do with each.
      type: list
      elements: dict
      sample: []
    skew:
      description: The boot image skew, in the same format as RV(policy.skew).
      type: dict
      returned: with O(skew)
      sample: {"mode": Automatic, "blocked": false}
machine_resources:
  description: The selected resources, MachineSets first, sorted by name.
  type: list
  elements: dict
  returned: with O(gather=images)
  contains:
    kind:
      description: V(MachineSet) or V(ControlPlaneMachineSet).
      type: str
      sample: MachineSet
    name:
      description: The name of the resource.
      type: str
      sample: site-worker-a
    replicas:
      description: The desired number of machines.
      type: int
      sample: 3
    stream:
      description: The stream that the machines use.
      type: str
      sample: rhel-9
    architecture:
      description: The architecture of the machines. Empty if unknown.
      type: str
      sample: x86_64
    standing:
      description:
        - The status of the resource. V(current) uses the correct image. V(outdated) uses a different image.
          V(needs_image) needs an image that must be imported into the site's cloud. V(left_alone) is not managed by
          this collection. V(fault) cannot be evaluated.
      type: str
      sample: outdated
    would_update:
      description: Whether M(fieldops.openshift.boot_image) would change the resource.
      type: bool
      sample: true
    code:
      description:
        - A machine-readable reason code, for example V(owned), V(hive), V(cluster_api), V(windows), V(being_deleted),
          V(unknown_stream), V(unknown_architecture), V(other_architecture), V(unknown_image), V(custom_image),
          V(in_marketplace), V(newer_than_stream), V(unknown_variant), V(not_in_stream), V(image_not_there),
          V(half_written), V(no_stream), V(fight) or V(left_to_operator).
      type: str
      sample: outdated
    reason:
      description: A human-readable explanation.
      type: str
      sample: the correct image is 9.6.20251023-0
    current:
      description: The boot image in use, with its C(release), and in C(openshift) the OpenShift release that it was
        built for, if known.
      type: dict
      sample: {"image": ami-0c7afe4c4a7c95a4c, "release": 418.94.202501221327-0, "openshift": "4.18"}
    counts_as_skip:
      description: Whether the machine-config operator, which manages the resource, skips it and treats the age of its
        image as unknown. In mode Automatic, the operator then records the installation version, which can block the
        next minor update.
      type: bool
      sample: false
    known_failures:
      description: Known problems that prevent machines with the current image from joining this cluster although the
        operator accepts the image, each with C(symptom) and C(source).
      type: list
      elements: dict
      sample: []
    target:
      description: The correct boot image, in the same format as C(current).
      type: dict
      sample: {"image": ami-0f62c9a5b0e2e6f2d, "release": 9.6.20251023-0, "openshift": ""}
    managed_by:
      description: The manager of the image. C(by) is V(machine-config-operator) or V(none), C(mode) is the
        selection mode, and C(reason) says why no manager applies.
      type: dict
      sample: {"by": none, "mode": "", "reason": not opted in}
    user_data:
      description: The Secret with the stub Ignition configuration, the version of the stub, and in C(reason) why the
        version could not be read.
      type: dict
      sample: {"secret": worker-user-data, "ignition": 3.2.0, "reason": ""}
    overwritten:
      description: How many times others have reverted the same change.
      type: int
      sample: 0
    writers:
      description: The field managers that reverted it, most recent first.
      type: list
      elements: dict
      sample: [{"manager": argocd-controller, "operation": Update, "at": "2026-11-21T20:10:00Z"}]
    artifact:
      description: The file that must be imported into the site's cloud. V(null) if none is needed.
      type: dict
      sample: null
    workspace:
      description: On vSphere, the place of the machines and of their template. V(null) on other platforms.
      type: dict
      sample: null
    steps:
      description: The manual steps that are required, in order.
      type: list
      elements: str
      sample: []
    last_change:
      description: The last change in the history. V(null) if there is none. Includes changes made by others that
        M(fieldops.openshift.boot_image) has not recorded yet.
      type: dict
      sample: null
    history:
      description:
        - All history entries, oldest first. Requires O(history). An object that was deleted and created again starts
          a new history.
        - C(kind) is V(update) or V(revert) for changes by this collection, V(observed) for changes by the operator,
          GitOps or users, and V(first_seen) for the image found in the first run.
      type: list
      elements: dict
      returned: with O(history)
      sample: []
cluster_api:
  description:
    - The MachineSets and MachineDeployments of the Cluster API in C(openshift-cluster-api) that create machines
      themselves, with the boot image of their template. Empty if only some MachineSets are selected.
  type: list
  elements: dict
  returned: with O(gather=images)
  contains:
    kind:
      description: V(MachineSet) or V(MachineDeployment).
      type: str
      sample: MachineDeployment
    name:
      description: The name of the resource.
      type: str
      sample: site-worker-b
    template:
      description: The kind and name of the template.
      type: str
      sample: AWSMachineTemplate/site-worker-b-1
    replicas:
      description: The desired number of machines. V(null) if not set.
      type: int
      sample: 3
    standing:
      description: The status, with the same values as in RV(machine_resources).
      type: str
      sample: outdated
    code:
      description: A machine-readable reason code, with the same values as in RV(machine_resources).
      type: str
      sample: outdated
    reason:
      description: A human-readable explanation.
      type: str
      sample: the correct image is 9.6.20251023-0
    current:
      description: The C(image) in use, and its C(release) if known.
      type: dict
      sample: {"image": ami-0f2ff5bd9c8a1b2c3, "release": ""}
    target:
      description: The correct C(image) and its C(release).
      type: dict
      sample: {"image": ami-0a3f6d2b8c1e9f04d, "release": 9.6.20251023-0}
nodes:
  description: The images that nodes were first booted from, for nodes in O(aleph).
  type: list
  elements: dict
  returned: with O(gather=images)
  contains:
    name:
      description: The name of the node.
      type: str
      sample: worker-7
    release:
      description: The release of the image. Empty if the file does not contain it.
      type: str
      sample: 418.94.202501221327-0
    openshift:
      description: The OpenShift release that the image was built for. Empty if unknown.
      type: str
      sample: "4.18"
    ref:
      description: The reference that the image was built from.
      type: str
      sample: ""
    reason:
      description: Why the release is not known.
      type: str
      sample: ""
next_record:
  description:
    - In mode Automatic, the C(version) that the operator will record after it has evaluated all MachineSets again,
      and the C(reason). Empty in other modes, without O(skew), and if only some MachineSets are selected.
  type: dict
  returned: with O(gather=images)
  sample: {"version": 4.20.12, "reason": "the version of the installation, because of site-worker-a"}
skipped_by_operator:
  description: The resources with C(counts_as_skip), each with the reason.
  type: list
  elements: str
  returned: with O(gather=images)
  sample: ["MachineSet site-worker-a: custom_image, the image belongs to account 123456789012"]
known_not_to_join:
  description: A sentence for each resource, also of the Cluster API, whose machines are known not to join this cluster
    although the operator accepts their image, with the source and what to do.
  type: list
  elements: str
  returned: with O(gather=images)
  sample: ["MachineSet site-worker-a boots 9.6.20250826-1: it passes the operator's check, but is known to fail: ..."]
unreadable_history:
  description: History entries that are damaged and cannot be read. They are kept.
  type: list
  elements: str
  returned: with O(gather=images)
  sample: []
summary:
  description: The number of resources in total, by C(standing), and that would be updated.
  type: dict
  returned: with O(gather=images)
  sample: {"total": 3, "current": 1, "outdated": 2, "needs_image": 0, "left_alone": 0, "fault": 0, "would_update": 2}
sentence:
  description: The summary as a one-line message.
  type: str
  returned: with O(gather=images)
  sample: of 3 machine resources, 1 boot the correct image, 2 boot another image
policy:
  description: The boot image policy, and whether boot images block an update.
  type: dict
  returned: with O(gather=policy)
  contains:
    spec:
      description: The configuration, in the same format as RV(fieldops.openshift.boot_image_policy#module:spec).
      type: dict
      sample: {"machine_managers": null, "skew_enforcement": {}}
    status:
      description: The status reported by the operator, in the same format as
        RV(fieldops.openshift.boot_image_policy#module:status).
      type: dict
      sample: {"machine_managers": [], "skew_enforcement": {}, "observed_generation": 4, "current": true}
    holds:
      description: The effective mode for each kind of resource, and its origin.
      type: dict
      sample: {"machine_sets": {"mode": All, "selector": {}, "origin": default}}
    conditions:
      description: The status conditions of the MachineConfiguration.
      type: list
      elements: dict
      sample: []
    opted_in_at:
      description: When the cluster was opted in by a release default. Empty if it was not.
      type: str
      sample: ""
    writers:
      description: The field managers that own fields of C(managed_boot_images) and C(skew_enforcement), most recent
        first.
      type: dict
      sample: {"managed_boot_images": [], "skew_enforcement": []}
    platform:
      description: The platform C(type), and what the operator of this release supports on it.
      type: dict
      sample: {"type": AWS, "manages_machine_sets": true, "manages_control_plane_machine_sets": true,
        "manages_by_default": true}
    skew:
      description: The boot image skew.
      type: dict
      contains:
        enforced:
          description: Whether this release enforces the skew limit.
          type: bool
          sample: true
        mode:
          description: The effective mode. Empty if the operator does not report it.
          type: str
          sample: Manual
        ocp_version:
          description: The recorded release.
          type: str
          sample: 4.12.30
        rhcos_version:
          description: The recorded version of the boot image.
          type: str
          sample: ""
        determined:
          description: The C(mode), versions and C(reason) that the operator derives from the configuration.
          type: dict
          sample: {"mode": Manual, "ocp_version": 4.12.30, "rhcos_version": "", "reason": "..."}
        install_version:
          description: The release that the cluster was installed with, as far as its history goes back.
          type: str
          sample: 4.12.30
        limit:
          description: The limits C(ocp) and C(rhel), and in C(source) whether they come from the release (V(release))
            or from the option (V(given)).
          type: dict
          sample: {"ocp": 4.13.0, "rhel": "9.2", "source": release}
        blocks_minor_update:
          description: Whether minor updates are blocked. Updates within a minor version are never blocked.
          type: bool
          sample: true
        reason:
          description: The reason of the operator's condition. Empty if nothing is blocked.
          type: str
          sample: ClusterBootImageSkewError
        message:
          description: The message of the operator's condition. Empty if nothing is blocked.
          type: str
          sample: Upgrades have been disabled because the cluster is using OCP boot image version 4.12.30, which is
            below the minimum required version 4.13.0. ...
        evaluated:
          description: Whether versions were compared.
          type: bool
          sample: true
        why:
          description: Why minor updates are blocked, not blocked, or not evaluated.
          type: str
          sample: the boot images are too old
        forecast:
          description: The same fields from C(blocks_minor_update) to C(why) for the configuration in C(determined),
            as evaluated by a release that enforces the skew limit.
          type: dict
          sample: {"blocks_minor_update": true, "reason": ClusterBootImageSkewError, "message": "...", "evaluated":
            true, "why": the boot images are too old}
        alert:
          description: The C(name) and C(text) of the alert that mode None raises. Empty if no alert is raised.
          type: dict
          sample: {}
        operator:
          description: The values of C(upgradeable), C(reason) and C(message) that the ClusterOperator reports. A
            degraded pool hides the skew reason there.
          type: dict
          sample: {"upgradeable": "False", "reason": DegradedPool, "message": One or more machine config pools are
            degraded}
        sentence:
          description: A one-line summary of whether boot images block a minor update.
          type: str
          sample: "boot images block no minor update: the boot images are recent enough"
    gate:
      description: Whether boot images permit the update to O(target_version). Empty without that option.
      type: dict
      contains:
        to:
          description: The target version.
          type: str
          sample: 4.23.1
        minor:
          description: Whether the target is a different minor version. Boot images can block only minor updates.
          type: bool
          sample: true
        blocked:
          description: Whether the update is blocked, by the operator or by O(skew_limit).
          type: bool
          sample: false
        later:
          description: Whether this update is permitted but leads to a release that will block the next one.
          type: bool
          sample: true
        known_failures:
          description: Known problems that prevent machines with the recorded boot image from joining a cluster of the
            target version although the operator accepts the image, each with C(symptom) and C(source).
          type: list
          elements: dict
          sample: []
        sentence:
          description: The result as a one-line message.
          type: str
          sample: boot images do not block the update to 4.22.1, but that release will block the next one. ...
    admin_acks:
      description: The administrator acknowledgements that concern boot images.
      type: list
      elements: dict
      contains:
        key:
          description: The key, for O(fieldops.openshift.boot_image_policy#module:admin_acks).
          type: str
          sample: ack-4.21-boot-image-opt-out-in-4.22
        required:
          description: Whether the cluster currently requires the acknowledgement.
          type: bool
          sample: true
        given:
          description: Whether the acknowledgement was given.
          type: bool
          sample: false
        message:
          description: The message of the cluster.
          type: str
          sample: This cluster is Azure or vSphere but lacks a boot image configuration. ...
        meaning:
          description: What the acknowledgement permits.
          type: str
          sample: 4.22 opts Azure and vSphere in to managed boot images; set machine_sets instead to decide for
            yourself.
proofs:
  description: The MachineSets and their proofs, sorted by name.
  type: list
  elements: dict
  returned: with O(gather=proofs)
  contains:
    name:
      description: The name of the MachineSet.
      type: str
      sample: site-x7k2p-worker-eu-central-1a
    replicas:
      description: The number of replicas.
      type: int
      sample: 3
    proved:
      description: Whether a machine created from the current template became ready.
      type: bool
      sample: true
    going_on:
      description: The running proof, in the same format as RV(fieldops.openshift.boot_image_proof#module:proof).
        Empty if there is none.
      type: dict
      sample: {}
    last:
      description: The last completed proof, in the same format as
        RV(fieldops.openshift.boot_image_proof#module:proof).
      type: dict
      sample: {"phase": recorded, "proved": true, "machine": site-x7k2p-worker-eu-central-1a-9xk2d, "restored": true}
    flaw:
      description: Why the record of a proof cannot be read. Empty if there is no problem.
      type: str
      sample: ""
actions:
  description: Always empty, because this module makes no changes.
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
