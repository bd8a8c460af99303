#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: os_image_info
short_description: Tell what a host is made of
version_added: 0.1.0
description:
  - Tells the booted, the staged and the rollback deployment of the host that the task runs on, which of them the next
    reboot boots, and how old the booted image is. Hosts with bootc and with rpm-ostree are told alike.
  - A host that boots no image is an answer and no error, so that this can be asked of all hosts.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._host_options
options:
  backend:
    description: Whose word to take. V(auto) finds out, as M(fieldops.openshift.os_image) does.
    type: str
    choices: [auto, bootc, rpm_ostree]
    default: auto
  details:
    description:
      - Whether to tell what lies in and beside the image, too. It takes a few more commands, and changes in C(/etc) are
        searched for.
    type: bool
    default: true
  digest:
    description:
      - A digest of which RV(digests) is to tell where the host has it. It may be that of a manifest list, which
        registries show of an image for several architectures. No registry is asked.
    type: str
requirements:
  - bootc or rpm-ostree on the host
seealso:
  - module: fieldops.openshift.os_image
"""

EXAMPLES = r"""
- name: See what the host is made of
  fieldops.openshift.os_image_info:
  become: true
  register: found

- name: Stop unless it booted the image
  ansible.builtin.assert:
    that: found.os_image.booted.digest == wanted_digest
    fail_msg: "{{ inventory_hostname }} booted {{ found.os_image.booted.image }}; {{ found.lost_staging }}"
"""

RETURN = r"""
image_based:
  description: Whether the host was booted from a deployment that bootc or rpm-ostree knows.
  type: bool
  returned: success
  sample: true
why_not:
  description: What the programs said on a host that was not, or nothing.
  type: str
  returned: success
  sample: neither bootc nor rpm-ostree knows of a booted deployment
managed_by_operator:
  description: Whether the machine-config operator of OpenShift manages the host.
  type: bool
  returned: success
  sample: false
programs:
  description: Which programs answer.
  type: dict
  returned: success
  contains:
    bootc:
      description: Whether bootc is there.
      type: bool
      sample: true
    rpm_ostree:
      description: Whether rpm-ostree is there and knows a deployment.
      type: bool
      sample: true
versions:
  description: The versions of the programs, or nothing where one is absent.
  type: dict
  returned: success
  contains:
    bootc:
      description: That of bootc.
      type: str
      sample: 1.16.9
    rpm_ostree:
      description: That of rpm-ostree.
      type: str
      sample: "2026.5"
os_image:
  description: The deployments, or nothing on a host that boots none.
  type: dict
  returned: success
  contains:
    backend:
      description: V(bootc) or V(rpm_ostree), whose word this is and who would change it.
      type: str
      sample: bootc
    booted:
      description: The deployment that the host runs.
      type: dict
      contains: &entry
        image:
          description: The name of the image, or its path, or nothing for a plain OSTree commit.
          type: str
          sample: quay.io/example/os:9.6
        transport:
          description: Where its content was read, such as V(registry) or V(containers-storage).
          type: str
          sample: registry
        signature:
          description: The policy on signatures that it keeps, or nothing.
          type: str
          sample: containerPolicy
        digest:
          description:
            - The digest of the image's manifest. Of an image for several architectures it is the manifest of this one.
          type: str
          sample: sha256:6a27...
        named_digest:
          description: The digest that the name carries, or nothing. It may be that of a manifest list.
          type: str
          sample: sha256:90c1...
        version:
          description: The version that the image says it has.
          type: str
          sample: "9.6.20261101.0"
        timestamp:
          description: When the image was built, in UTC.
          type: str
          sample: "2026-11-01T12:00:00Z"
        architecture:
          description: Its architecture, where the backend tells.
          type: str
          sample: amd64
        incompatible:
          description: Whether packages are layered or overridden, so that only rpm-ostree can update it.
          type: bool
          sample: false
        layered:
          description: The packages that were layered by name or file, where rpm-ostree tells.
          type: list
          elements: str
          sample: []
        pinned:
          description: Whether it is kept from removal.
          type: bool
          sample: false
        soft_reboot_capable:
          description: Whether a reboot to it can keep the kernel, where the version of bootc tells.
          type: bool
          sample: false
        download_only:
          description: Whether it is staged, but locked, where the version tells.
          type: bool
          sample: false
        cached_update_digest:
          description: The digest of an update that was seen and not staged, or nothing.
          type: str
          sample: sha256:a0a0...
        stateroot:
          description: Its stateroot.
          type: str
          sample: default
        checksum:
          description: Its OSTree commit.
          type: str
          sample: 26836632adf6...
        storage:
          description: V(ostree) or V(composefs).
          type: str
          sample: ostree
    staged:
      description: The deployment that waits for the next shutdown, or nothing.
      type: dict
      contains: *entry
    rollback:
      description: The deployment that a rollback would boot, or nothing.
      type: dict
      contains: *entry
    others:
      description: Further deployments.
      type: list
      elements: dict
      sample: []
    rollback_queued:
      description: Whether the next boot is the rollback deployment, unless one is staged.
      type: bool
      sample: false
    next_boot:
      description: V(booted), V(staged) or V(rollback).
      type: str
      sample: booted
    update_driver:
      description: Who else updates the host, such as zincati.
      type: str
      sample: null
reboot_needed:
  description: Whether the next clean reboot boots something else than what is booted now.
  type: bool
  returned: when the host boots an image
  sample: false
soft_reboot_prepared:
  description: Whether the next reboot keeps the kernel, and with it the boot ID.
  type: bool
  returned: when the host boots an image
  sample: false
reboot_marker:
  description: The content of C(/run/reboot-required), which kured takes for an order, or nothing.
  type: str
  returned: when the host boots an image
  sample: null
finalized:
  description:
    - Whether the rollback deployment that is queued is the image that was staged in this boot. A soft reboot that found
      no next root deploys it, and the host then waits for a whole reboot into it; no rollback was requested.
  type: bool
  returned: when the host boots an image
  sample: false
lost_staging:
  description: What became of an image that M(fieldops.openshift.os_image) staged and that is not booted, or nothing.
  type: dict
  returned: when the host boots an image
  sample: null
digests:
  description: Of O(digest), which manifest of it this host has, and where.
  type: list
  elements: dict
  returned: when the host boots an image
  contains:
    digest:
      description: The digest that was asked for.
      type: str
      sample: sha256:90c1...
    manifest:
      description:
        - The digest of the manifest for this architecture. It is the same one for an image of one architecture, and
          nothing where the host does not know it.
      type: str
      sample: sha256:6a27...
    booted:
      description: Whether the host runs it.
      type: bool
      sample: true
    next_boot:
      description: Whether the next reboot boots it.
      type: bool
      sample: true
age:
  description: How many seconds ago the booted image was built, or nothing.
  type: int
  returned: when the host boots an image
  sample: 1728000
kernel_arguments:
  description: Kernel arguments.
  type: dict
  returned: with details, when the host boots an image
  contains:
    next_boot:
      description: All of the next boot, where rpm-ostree tells them.
      type: list
      elements: str
      sample: ["rw", "nosmt"]
    of_image:
      description: Those that the image of the next boot asks for.
      type: list
      elements: str
      sample: ["nosmt"]
bound_images:
  description: As M(fieldops.openshift.os_image) returns them.
  type: dict
  returned: with details, when the host boots an image
  sample: {"wanted": [], "missing": []}
caveats:
  description: As M(fieldops.openshift.os_image) returns them.
  type: dict
  returned: with details, when the host boots an image
  sample: {"var_of_image": [], "etc_changes": ["M    ssh/sshd_config"], "etc_returns": false}
automatic_updates:
  description: The timers that update by themselves, each as C(systemctl is-enabled) tells it.
  type: dict
  returned: with details, when the host boots an image
  sample: {"bootc-fetch-apply-updates.timer": "masked", "rpm-ostreed-automatic.timer": "not-found"}
health:
  description: What greenboot found at the last boot, or nothing on a host without it.
  type: dict
  returned: with details, when the host boots an image
  contains:
    verdict:
      description: V(green), V(red) or V(fallback), or nothing while it has not ended.
      type: str
      sample: green
    said:
      description: Its own words.
      type: str
      sample: Boot Status is GREEN - Health Check SUCCESS
actions:
  description: The commands that changed something. This module runs none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.report import os_image_report
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = ArgumentSpec(
    options={
        "backend": {"type": "str", "choices": ["auto", "bootc", "rpm_ostree"], "default": "auto"},
        "details": {"type": "bool", "default": True},
        "digest": {"type": "str"},
    }
).merged(HOST_OPTIONS)
HOST_MAY_REBOOT = True


def main() -> t.NoReturn:
    run(SPEC, lambda this: Result(objects=os_image_report(host_of(this), this.params)))


if __name__ == "__main__":
    main()
