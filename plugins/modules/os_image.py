#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: os_image
short_description: Manage the OS image that a host boots, with bootc or rpm-ostree
version_added: 0.1.0
description:
  - Downloads an OS image to the host that the task runs on, stages it for the next boot, discards a staged image, or
    queues a rollback. The module never reboots the host.
  - Hosts with bootc, with rpm-ostree or with both are supported alike. bootc is used if it knows the booted
    image. Otherwise, and if packages are layered, which bootc does not support, rpm-ostree is used.
  - After each command, the status of the host is read again. The result does not rely on exit codes or command
    output.
  - If a command fails after it has staged an image, or if logically bound images of a staged image are missing, the
    image is removed from the next boot.
  - Hosts that the machine-config operator of OpenShift manages are rejected, because the daemon would mark the node
    and the pool as degraded after the reboot. Use M(fieldops.openshift.machine_os_config) for these hosts.
  - The work runs as a job on the host. The job continues when the task, the session or the connection ends, and is
    resumed after a power failure when the module is run again.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._host_options
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    details: Reports the first command that would be run. With O(follow_tag), only the manifest is requested.
  idempotent:
    details: For bootc and rpm-ostree a rollback toggles between deployments. For this module it does not.
options:
  state:
    description:
      - V(staged) ensures that the next reboot boots O(image), unless it is already booted.
      - V(booted) is the same as V(staged), but the goal is reached only when O(image) is booted. The host must be
        rebooted by other means. If an image was staged before a reboot and is not booted afterwards, it is not staged
        again. Instead, the problem is reported with the messages of the journal.
      - V(downloaded) ensures that O(image) is on the host but that no reboot activates it. If O(image) is already
        staged for the next boot, the deployment is discarded. With bootc 1.1.6 or later, only layers that are missing
        on the host are downloaded, to the repository that deployments are created from. With older versions, with
        rpm-ostree, with composefs storage and with O(source=container_storage), the complete image is copied to the
        container storage.
      - V(rolled_back) ensures that the host boots its rollback deployment. O(image) is the image that it must be, and
        O(leave_digest) the image that it must not be. Repeating the rollback makes no further change.
      - V(unstaged) discards a staged image and a queued rollback. The next reboot boots the current deployment.
    type: str
    choices: [booted, staged, downloaded, rolled_back, unstaged]
    default: staged
  image:
    description:
      - The image including its registry, such as C(quay.io/os/image:9.6) or C(quay.io/os/image@sha256:...).
      - For an image that is not in a registry, specify its transport and an absolute path, such as C(oci:/srv/image)
        or C(dir:/srv/image). The host keeps that path as the name of its image.
      - Image names as printed by C(rpm-ostree status), such as C(ostree-unverified-registry:quay.io/os/image:9.6),
        are supported.
      - Names are normalized before they are compared. Images are the same if they have the same repository and
        digest, or the same tag if no digest is given.
      - Required for O(state=booted), O(state=staged) and O(state=downloaded).
    type: str
  digest:
    description:
      - The digest that the image must have. It becomes part of the image name, in addition to the tag.
      - The digest of a manifest list, as shown by registries for images for several architectures, is supported. The
        host is then compared with the manifest of its own architecture. RV(digests) contains both.
    type: str
  leave_digest:
    description:
      - With O(state=rolled_back), the image to roll back from. A host that has booted a different image is not
        changed.
      - The digest of a manifest list is supported, as for O(digest).
    type: str
  backend:
    description: The program to use. V(auto) detects it.
    type: str
    choices: [auto, bootc, rpm_ostree]
    default: auto
  follow_tag:
    description:
      - Whether to resolve the tag of O(image) again and to stage or download the result. By default, a host that has
        an image of this name is not changed, and no registry is contacted.
      - It has no effect if a digest is given.
    type: bool
    default: false
  source:
    description:
      - Where the content of O(image) is read from.
      - V(container_storage) is the storage of CRI-O and podman, to which O(state=downloaded) or
        M(fieldops.openshift.node_images) has copied the image. No registry is contacted. The host keeps the name of
        the image, with the container storage as its transport.
      - V(auto) uses an image that was downloaded to the repository of the host. In that case no registry is contacted
        if the digest of the image manifest is given, and only the manifest is requested for a tag or the digest of a
        manifest list. Otherwise, the container storage is used if it contains the image, unless a tag must be
        followed or a signature must be verified.
    type: str
    choices: [auto, registry, container_storage]
    default: auto
  mirror:
    description:
      - A repository that replaces the repository of O(image) during the pull, such as C(192.0.2.7:5000/os/image). The
        host keeps the name of the image.
      - The configuration exists in C(/etc/containers/registries.conf.d) only during the pull.
    type: str
  mirror_insecure:
    description: Whether O(mirror) may be accessed without TLS or with a certificate that cannot be verified.
    type: bool
    default: false
  enforce_signatures:
    description:
      - Whether the image must be verified by the signature policy of the host, now and in later updates. The policy
        must not accept all images.
    type: bool
    default: false
  soft_reboot:
    description:
      - Whether to prepare a reboot that keeps the kernel, if bootc and the image support it.
      - With V(required), an image that does not support it is discarded and the task fails.
      - A soft reboot does not change the boot ID of the host.
    type: str
    choices: [never, auto, required]
    default: never
  kernel_arguments:
    description:
      - Kernel arguments that the next boot must have on this host. They require rpm-ostree, or bootc 1.15.2 with ostree
        2026.1, which keep them in updates. bootc keeps them as those of the source V(fieldops).
      - Arguments that the image sets in C(kargs.d) are applied by bootc and are reported by
        M(fieldops.openshift.os_image_info).
    type: list
    elements: str
    default: []
  kernel_arguments_absent:
    description:
      - Kernel arguments that the next boot must not have. bootc removes only arguments that O(kernel_arguments) has
        set.
    type: list
    elements: str
    default: []
  registry_auth:
    description:
      - The content of an C(auth.json) file with credentials for the registry. During the pull, it is stored on the
        host as C(/run/ostree/auth.json), where it replaces an existing file temporarily.
    type: json
  automatic_updates:
    description:
      - How to handle C(bootc-fetch-apply-updates.timer) and C(rpm-ostreed-automatic.timer), which stage updates and
        reboot automatically. V(masked) masks the timers and records their state. V(restored) restores the recorded
        state.
    type: str
    choices: [untouched, masked, restored]
    default: untouched
  reboot_marker:
    description:
      - How to handle C(/run/reboot-required) after bootc has written it, which it does whenever it stages an image.
        kured reboots the host as soon as possible if this file exists.
    type: str
    choices: [removed, kept]
    default: removed
  details:
    description:
      - Whether to return RV(bound_images) and RV(caveats), which requires additional commands and a search for changes
        in C(/etc).
    type: bool
    default: true
requirements:
  - bootc or rpm-ostree on the host
  - skopeo on the host, and util-linux for O(state=downloaded)
seealso:
  - module: fieldops.openshift.os_image_info
  - module: fieldops.openshift.machine_os_config
  - module: fieldops.openshift.node_images
  - module: fieldops.openshift.node_reboot
"""

EXAMPLES = r"""
- name: Download the image, outside the maintenance window
  fieldops.openshift.os_image:
    image: quay.io/example/os:9.6
    digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    state: downloaded
    automatic_updates: masked
    wait: true
  become: true

- name: Stage the downloaded image, in the maintenance window
  fieldops.openshift.os_image:
    image: quay.io/example/os:9.6
    digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    wait: true
  become: true
  register: staged

- name: Stage the current image of a tag, with credentials that are not kept on the host
  fieldops.openshift.os_image:
    image: registry.example.com/os/image:stable
    follow_tag: true
    registry_auth: "{{ site_registry_auth }}"
    wait: true
  become: true

- name: Roll back from a faulty image
  fieldops.openshift.os_image:
    state: rolled_back
    leave_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    wait: true
  become: true
"""

RETURN = r"""
os_image:
  description: The deployments of the host, in the same format as
    RV(fieldops.openshift.os_image_info#module:os_image).
  type: dict
  returned: when no job runs
  sample:
    backend: bootc
    next_boot: staged
    rollback_queued: false
    booted: {"image": "quay.io/example/os:9.6", "digest": "sha256:0f1c..."}
    staged: {"image": "quay.io/example/os@sha256:6a27...", "digest": "sha256:6a27..."}
digests:
  description: >-
    For O(digest) and O(leave_digest), the manifest that this host has and where, in the same format as
    RV(fieldops.openshift.os_image_info#module:digests).
  type: list
  elements: dict
  returned: when no job runs
  sample: [{digest: 'sha256:90c1...', manifest: 'sha256:6a27...', booted: false, next_boot: true}]
reboot_needed:
  description: Whether the next clean reboot boots a different deployment than the booted one.
  type: bool
  returned: when no job runs
  sample: true
soft_reboot_prepared:
  description: Whether the next reboot keeps the kernel and the boot ID.
  type: bool
  returned: when no job runs
  sample: false
reboot_marker:
  description: The content of C(/run/reboot-required), or None.
  type: str
  returned: when no job runs
  sample: "bootc: Reboot required for image: sha256:6a27..."
finalized:
  description:
    - Whether the queued rollback deployment is the image that was staged in this boot. A soft reboot that found no
      next root creates its deployment, and the host then needs a full reboot to boot it. No rollback was requested.
  type: bool
  returned: when no job runs
  sample: false
lost_staging:
  description: What happened to an image that was staged before a reboot and is not booted. None if there is no such
    image.
  type: dict
  returned: when no job runs
  contains:
    digest:
      description: The digest of the image.
      type: str
      sample: sha256:6a27...
    staged_at:
      description: When it was staged, in UTC.
      type: str
      sample: "2026-11-21T22:01:07Z"
    fate:
      description:
        - V(not_finalized) if no deployment was created during shutdown. V(left_again) if there is a deployment and
          the host was rolled back from it.
      type: str
      sample: not_finalized
    journal:
      description: The journal of the units that finalize deployments, from the previous boot.
      type: str
      sample: ""
bound_images:
  description: The images that are logically bound to the OS image of the next boot.
  type: dict
  returned: with details, when nothing is left to be done
  contains:
    wanted:
      description: The names of the bound images. None on a host with composefs storage, where they cannot be
        determined.
      type: list
      elements: str
      sample: ["quay.io/example/agent:1"]
    missing:
      description: The bound images that are missing in the storage of bootc.
      type: list
      elements: str
      sample: []
caveats:
  description: Details that are easily overlooked.
  type: dict
  returned: with details, when nothing is left to be done
  contains:
    var_of_image:
      description: Files of the image below C(/var). They are copied to a host only during installation.
      type: list
      elements: str
      sample: ["/var/lib/agent"]
    etc_changes:
      description: The files in C(/etc) that differ from the booted image and are merged, in the format of ostree.
      type: list
      elements: str
      sample: ["M    ssh/sshd_config"]
    etc_returns:
      description: Whether the next boot restores an earlier C(/etc) instead of merging it, as a rollback does.
      type: bool
      sample: false
job:
  description: The running job.
  type: dict
  returned: while the job runs
  sample:
    id: os-image
    state: running
    unit: fieldops-os-image-77ab01cd.service
actions:
  description: The commands that made changes, or that would be run in check mode, with the reason for each.
  type: list
  elements: dict
  returned: success
  sample:
    - action: switch
      argv: ["bootc", "switch", "quay.io/example/os:9.6"]
      reason: another image is booted
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: 'quay.io/example/os:9.6 is staged; the next reboot boots it', done: true, next_delay: 5.0}
timeline:
  description: The progress messages observed while waiting, one entry for each change, in the same format as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T22:01:07Z', sentence: 'The image is being fetched and staged: another image is booted'}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.os_image_step import os_image_step
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.registry_secrets import (
    registry_secrets,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS

SPEC = ArgumentSpec(
    options={
        "state": {
            "type": "str",
            "choices": ["booted", "staged", "downloaded", "rolled_back", "unstaged"],
            "default": "staged",
        },
        "image": {"type": "str"},
        "digest": {"type": "str"},
        "leave_digest": {"type": "str"},
        "backend": {"type": "str", "choices": ["auto", "bootc", "rpm_ostree"], "default": "auto"},
        "follow_tag": {"type": "bool", "default": False},
        "source": {"type": "str", "choices": ["auto", "registry", "container_storage"], "default": "auto"},
        "mirror": {"type": "str"},
        "mirror_insecure": {"type": "bool", "default": False},
        "enforce_signatures": {"type": "bool", "default": False},
        "soft_reboot": {"type": "str", "choices": ["never", "auto", "required"], "default": "never"},
        "kernel_arguments": {"type": "list", "elements": "str", "default": []},
        "kernel_arguments_absent": {"type": "list", "elements": "str", "default": []},
        "registry_auth": {"type": "json", "no_log": True},
        "automatic_updates": {"type": "str", "choices": ["untouched", "masked", "restored"], "default": "untouched"},
        "reboot_marker": {"type": "str", "choices": ["removed", "kept"], "default": "removed"},
        "details": {"type": "bool", "default": True},
    },
    secrets_within=[registry_secrets],
).merged(HOST_OPTIONS, WAIT_OPTIONS)
HOST_MAY_REBOOT = True
WAITING = Waiting("the OS image is as requested", on="the host")


def main() -> t.NoReturn:
    run(SPEC, lambda this: os_image_step(host_of(this), this.params, check_mode=this.check_mode), WAITING)


if __name__ == "__main__":
    main()
