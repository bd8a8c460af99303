#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: os_image_info
short_description: Gather information about the OS images of a host
version_added: 0.1.0
description:
  - Returns the booted, staged and rollback deployments of the host that the task runs on, the deployment that the
    next reboot boots, and the age of the booted image. The format is the same for bootc and rpm-ostree.
  - On a host that is not image-based the module returns this information and does not fail, so it can be used for all
    hosts.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes.info
  - fieldops.openshift._host_options
options:
  backend:
    description: The program to query. V(auto) detects it like M(fieldops.openshift.os_image).
    type: str
    choices: [auto, bootc, rpm_ostree]
    default: auto
  details:
    description:
      - Whether to return details of the image and its environment. This requires additional commands and a search for
        changes in C(/etc).
    type: bool
    default: true
  digest:
    description:
      - A digest to look up on the host, for RV(digests). The digest of a manifest list, as shown by registries for
        images for several architectures, is supported. No registry is contacted.
    type: str
requirements:
  - bootc or rpm-ostree on the host
seealso:
  - module: fieldops.openshift.os_image
"""

EXAMPLES = r"""
- name: Gather the OS images of the host
  fieldops.openshift.os_image_info:
  become: true
  register: found

- name: Stop unless the host has booted the image
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
  description: The error messages of the programs on a host that was not. None otherwise.
  type: str
  returned: success
  sample: neither bootc nor rpm-ostree reports a booted deployment
managed_by_operator:
  description: Whether the machine-config operator of OpenShift manages the host.
  type: bool
  returned: success
  sample: false
programs:
  description: The available programs.
  type: dict
  returned: success
  contains:
    bootc:
      description: Whether bootc is available.
      type: bool
      sample: true
    rpm_ostree:
      description: Whether rpm-ostree is available and knows a deployment.
      type: bool
      sample: true
versions:
  description: The versions of the programs. None for programs that are not available.
  type: dict
  returned: with details
  contains:
    bootc:
      description: The version of bootc.
      type: str
      sample: 1.16.9
    rpm_ostree:
      description: The version of rpm-ostree.
      type: str
      sample: "2026.5"
os_image:
  description: The deployments. None on a host that is not image-based.
  type: dict
  returned: success
  contains:
    backend:
      description: The program that provided the information and would make changes, V(bootc) or V(rpm_ostree).
      type: str
      sample: bootc
    booted:
      description: The deployment that is running.
      type: dict
      contains: &entry
        image:
          description: The name or path of the image. None for a plain OSTree commit.
          type: str
          sample: quay.io/example/os:9.6
        transport:
          description: The transport that the image was read from, such as V(registry) or V(containers-storage).
          type: str
          sample: registry
        signature:
          description: The signature policy of the image, or None.
          type: str
          sample: containerPolicy
        digest:
          description:
            - The digest of the image manifest. For an image for several architectures, the manifest of this
              architecture.
          type: str
          sample: sha256:6a27...
        named_digest:
          description: The digest in the image name, or None. It can be the digest of a manifest list.
          type: str
          sample: sha256:90c1...
        version:
          description: The version in the labels of the image.
          type: str
          sample: "9.6.20261101.0"
        timestamp:
          description: When the image was built, in UTC.
          type: str
          sample: "2026-11-01T12:00:00Z"
        architecture:
          description: The architecture, if the backend reports it.
          type: str
          sample: amd64
        incompatible:
          description: Whether packages are layered or overridden, so that only rpm-ostree can update the deployment.
          type: bool
          sample: false
        layered:
          description: The packages that were layered by name or file, if rpm-ostree reports them.
          type: list
          elements: str
          sample: []
        pinned:
          description: Whether the deployment is pinned.
          type: bool
          sample: false
        soft_reboot_capable:
          description: Whether a reboot to this deployment can keep the kernel, if the version of bootc reports it.
          type: bool
          sample: false
        download_only:
          description: Whether the deployment is staged but locked, if the version of bootc reports it.
          type: bool
          sample: false
        cached_update_digest:
          description: The digest of an available update that is not staged, or None.
          type: str
          sample: sha256:a0a0...
        stateroot:
          description: The stateroot of the deployment.
          type: str
          sample: default
        checksum:
          description: The OSTree commit of the deployment.
          type: str
          sample: 26836632adf6...
        storage:
          description: The storage of the deployment, V(ostree) or V(composefs).
          type: str
          sample: ostree
    staged:
      description: The deployment that becomes active at the next shutdown. None if there is none.
      type: dict
      contains: *entry
    rollback:
      description: The deployment that a rollback would boot. None if there is none.
      type: dict
      contains: *entry
    others:
      description: Additional deployments.
      type: list
      elements: dict
      sample: []
    rollback_queued:
      description: Whether the rollback deployment is queued for the next boot, unless an image is staged.
      type: bool
      sample: false
    next_boot:
      description: The deployment that the next reboot boots. One of V(booted), V(staged) and V(rollback).
      type: str
      sample: booted
    update_driver:
      description: Other programs that update the host, such as zincati.
      type: str
      sample: null
reboot_needed:
  description: Whether the next clean reboot boots a different deployment than the booted one.
  type: bool
  returned: when the host boots an image
  sample: false
soft_reboot_prepared:
  description: Whether the next reboot keeps the kernel and the boot ID.
  type: bool
  returned: when the host boots an image
  sample: false
reboot_marker:
  description: The content of C(/run/reboot-required), which makes kured reboot the host. None if the file does not
    exist.
  type: str
  returned: when the host boots an image
  sample: null
finalized:
  description:
    - Whether the queued rollback deployment is the image that was staged in this boot. A soft reboot that found no
      next root creates its deployment, and the host then needs a full reboot to boot it. No rollback was requested.
  type: bool
  returned: when the host boots an image
  sample: false
lost_staging:
  description: What happened to an image that M(fieldops.openshift.os_image) staged and that is not booted. None if
    there is no such image.
  type: dict
  returned: when the host boots an image
  sample: null
digests:
  description: For O(digest), the manifest that this host has and where.
  type: list
  elements: dict
  returned: when the host boots an image
  contains:
    digest:
      description: The digest that was looked up.
      type: str
      sample: sha256:90c1...
    manifest:
      description:
        - The digest of the manifest for this architecture. It equals C(digest) for an image of a single architecture.
          None if the host does not know it.
      type: str
      sample: sha256:6a27...
    booted:
      description: Whether the host is running it.
      type: bool
      sample: true
    next_boot:
      description: Whether the next reboot boots it.
      type: bool
      sample: true
age:
  description: The age of the booted image in seconds since it was built. None if unknown.
  type: int
  returned: when the host boots an image
  sample: 1728000
kernel_arguments:
  description: The kernel arguments.
  type: dict
  returned: with details, when the host boots an image
  contains:
    next_boot:
      description: All kernel arguments of the next boot. None if the programs of the host cannot set them.
      type: list
      elements: str
      sample: ["rw", "nosmt"]
    of_image:
      description: The kernel arguments that the image of the next boot sets.
      type: list
      elements: str
      sample: ["nosmt"]
bound_images:
  description: The logically bound images, in the same format as RV(fieldops.openshift.os_image#module:bound_images).
  type: dict
  returned: with details, when the host boots an image
  sample: {"wanted": [], "missing": []}
caveats:
  description: Details that are easily overlooked, in the same format as
    RV(fieldops.openshift.os_image#module:caveats).
  type: dict
  returned: with details, when the host boots an image
  sample: {"var_of_image": [], "etc_changes": ["M    ssh/sshd_config"], "etc_returns": false}
automatic_updates:
  description: The timers of automatic updates, each with the output of C(systemctl is-enabled).
  type: dict
  returned: with details, when the host boots an image
  sample: {"bootc-fetch-apply-updates.timer": "masked", "rpm-ostreed-automatic.timer": "not-found"}
health:
  description: The result of greenboot at the last boot. None on a host without greenboot.
  type: dict
  returned: when the host boots an image
  contains:
    verdict:
      description: V(green), V(red) or V(fallback). None while the checks are running.
      type: str
      sample: green
    said:
      description: The message of greenboot.
      type: str
      sample: Boot Status is GREEN - Health Check SUCCESS
actions:
  description: Always empty, because this module makes no changes.
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
