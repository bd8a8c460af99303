#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: boot_image_policy_info
short_description: Show who keeps boot images up to date, and whether they block an update
version_added: 0.1.0
description:
  - Shows what the MachineConfiguration C(cluster) says about boot images, what the operator made of it, who wrote it,
    and which acknowledgements the cluster asks for.
  - Computes the skew as the machine-config operator does, in its words, and with O(skew_limit) as the operator of a
    release to come would. It is a gate that can be asked long before an update is staged.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
options:
  skew_limit:
    description:
      - The oldest boot image that is let through, in place of the operator's own limit. The operator knows the limit of
        its own release only; give that of the next one here to foresee it.
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
      - The version that the cluster shall be updated to. RV(gate) then says whether boot images stand in the way.
    type: str
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/boot-image-policy.yml) of this collection.
seealso:
  - module: fieldops.openshift.boot_image_policy
  - module: fieldops.openshift.boot_image_info
"""

EXAMPLES = r"""
- name: See who keeps boot images up to date
  fieldops.openshift.boot_image_policy_info:
  register: site_boot_image_policy

- name: Ask as the next release would ask
  fieldops.openshift.boot_image_policy_info:
    skew_limit:
      ocp: 4.18.0
      rhel: "9.6"
    update_to: 4.23.1
  register: site_boot_image_policy

- name: Go on only if boot images are no obstacle to that update
  ansible.builtin.assert:
    that: not site_boot_image_policy.gate.blocked
    fail_msg: "{{ site_boot_image_policy.gate.sentence }}"
"""

RETURN = r"""
spec:
  description: What is configured, as RV(fieldops.openshift.boot_image_policy#module:spec).
  type: dict
  returned: success
  sample: {"machine_managers": null, "skew_enforcement": {}}
status:
  description: What the operator made of it, as RV(fieldops.openshift.boot_image_policy#module:status).
  type: dict
  returned: success
  sample: {"machine_managers": [], "skew_enforcement": {}, "observed_generation": 4, "current": true}
holds:
  description: What holds by kind of resource and where it comes from.
  type: dict
  returned: success
  sample: {"machine_sets": {"mode": All, "selector": {}, "origin": default}}
conditions:
  description: The conditions of the MachineConfiguration.
  type: list
  elements: dict
  returned: success
  sample: []
opted_in_at:
  description: When the cluster was opted in by a default, empty if it was not.
  type: str
  returned: success
  sample: ""
writers:
  description: Who owns something in C(managed_boot_images) and C(skew_enforcement), the latest first.
  type: dict
  returned: success
  sample: {"managed_boot_images": [], "skew_enforcement": []}
platform:
  description: The C(type) of the platform and what this release's operator does on it.
  type: dict
  returned: success
  sample: {"type": AWS, "manages_machine_sets": true, "manages_control_plane_machine_sets": true,
    "manages_by_default": true}
skew:
  description: The skew of the boot images.
  type: dict
  returned: success
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
      sample: Upgrades have been disabled because the cluster is using OCP boot image version 4.12.30, which is below
        the minimum required version 4.13.0. ...
    evaluated:
      description: Whether versions were compared at all.
      type: bool
      sample: true
    why:
      description: Why it is blocked, not blocked or not evaluated.
      type: str
      sample: the boot images are too old
    forecast:
      description: The same from C(blocks_minor_update) to C(why) for what is V(determined), as a release that enforces
        skew judges it.
      type: dict
      sample: {"blocks_minor_update": true, "reason": ClusterBootImageSkewError, "message": "...", "evaluated": true,
        "why": the boot images are too old}
    alert:
      description: The C(name) and the C(text) of the alert that mode None raises, empty if none is raised.
      type: dict
      sample: {}
    operator:
      description: What the ClusterOperator says itself, C(upgradeable), C(reason) and C(message). A degraded pool hides
        the reason of skew there.
      type: dict
      sample: {"upgradeable": "False", "reason": DegradedPool, "message": One or more machine config pools are degraded}
    sentence:
      description: Whether boot images block a minor update, in one line.
      type: str
      sample: "boot images block no minor update: the boot images are new enough"
gate:
  description: Whether the update to O(update_to) may begin as far as boot images go. Empty without that option.
  type: dict
  returned: success
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
      description: What is known to keep machines with the recorded boot image from joining a cluster of that version,
        although the operator takes it, each with C(symptom) and C(source).
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
  returned: success
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
      sample: 4.22 opts Azure and vSphere in to managed boot images; set machine_sets instead to decide for yourself.
actions:
  description: The calls that changed something. This module makes none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.do.policy_info import (
    POLICY_INFO_OPTIONS,
    read_policy,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = CLUSTER_OPTIONS.merged(ArgumentSpec(options=POLICY_INFO_OPTIONS))


def main() -> t.NoReturn:
    run(SPEC, lambda this: Result(objects=read_policy(cluster_client(this), this.params)))


if __name__ == "__main__":
    main()
