#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: os_image
short_description: Decide which OS image a host boots, with bootc or rpm-ostree
version_added: 0.1.0
description:
  - Brings the OS image that is asked for onto the host that the task runs on, stages it for the next boot, discards
    what is staged, or queues a rollback. It never reboots the host.
  - Hosts with bootc, with rpm-ostree and with both are treated alike. bootc is used where it knows the booted image,
    rpm-ostree otherwise, and where packages are layered, which bootc could not carry over.
  - After each command the host's status is read again. Success is never concluded from an exit status or a printed
    line.
  - A command that fails may have staged all the same, and an image may be staged whose bound images are missing. Both
    are taken out of the next boot again.
  - A host that the machine-config operator of OpenShift manages is refused, because its daemon would mark node and pool
    degraded after the reboot. Such hosts get their image by M(fieldops.openshift.machine_os_config).
  - The work is a job on the host. It outlives the task, the session and a lost connection, and goes on when the module
    is run again after a power cut.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._host_options
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    support: full
    details: Says with which command it would begin. With O(follow_tag) only the manifest is asked for.
  diff_mode:
    support: full
  idempotent:
    support: full
    details: A rollback is a toggle for bootc and rpm-ostree, not for this module.
options:
  state:
    description:
      - With V(staged) the next reboot boots O(image), or it is booted already.
      - V(booted) is the same, and in addition the goal is reached only when O(image) is booted. Somebody else must
        reboot the host. An image that was staged before and that a reboot did not bring is not staged again but
        reported, with what the journal says.
      - With V(downloaded) O(image) lies on the host and no reboot activates it. A deployment of it that is staged and
        armed is discarded. With bootc 1.1.6 and newer only those layers are fetched that the host does not have, into
        the repository from which deployments are made. With older versions, with rpm-ostree, with composefs as storage
        and with O(source=container_storage) the whole image is copied into the container storage.
      - With V(rolled_back) the host boots, or will boot, its rollback deployment. O(image) says which image that must
        be, O(leave_digest) which one it must not be. Asked for twice, this changes nothing the second time.
      - With V(unstaged) nothing is staged and no rollback is queued. The next reboot boots what is booted now.
    type: str
    choices: [booted, staged, downloaded, rolled_back, unstaged]
    default: staged
  image:
    description:
      - The image, with its registry, such as C(quay.io/os/image:9.6) or C(quay.io/os/image@sha256:...).
      - An image elsewhere is written with its transport and an absolute path, such as C(oci:/srv/image) or
        C(dir:/srv/image). The host then keeps that path as the name of its image.
      - What C(rpm-ostree status) shows, such as C(ostree-unverified-registry:quay.io/os/image:9.6), is understood too.
      - Names are compared after they are normalised. The same repository with the same digest is the same image, and
        so is the same tag where no digest is given.
      - Required for O(state=booted), O(state=staged) and O(state=downloaded).
    type: str
  digest:
    description:
      - The digest that the image must have. It becomes a part of the name of the image, beside the tag.
      - It may be the digest of a manifest list, which registries show of an image for several architectures. The host
        is compared with the manifest of its own architecture then; RV(digests) shows both.
    type: str
  leave_digest:
    description:
      - With O(state=rolled_back), the image to get away from. A host that has booted anything else is left alone.
      - It may be the digest of a manifest list, as O(digest).
    type: str
  backend:
    description: Which program to use. V(auto) finds out.
    type: str
    choices: [auto, bootc, rpm_ostree]
    default: auto
  follow_tag:
    description:
      - Whether to look up anew what the tag of O(image) names, and to stage or download that. Without it a host with
        an image of this name is left alone, and no registry is asked.
      - It has no effect with a digest.
    type: bool
    default: false
  source:
    description:
      - Where the content of O(image) is read.
      - V(container_storage) is the storage in which CRI-O and podman keep images, into which O(state=downloaded) brings
        it, or M(fieldops.openshift.node_images) from a bundle. No registry is asked. The host keeps the image's own
        name, with that storage as its transport.
      - V(auto) takes what was downloaded into the repository of the host. No registry is asked for an image by the
        digest of its manifest then; for one by a tag, or by the digest of a list, it is asked for the manifest alone.
        Where nothing lies there it takes the container storage if that has the image, and if neither a tag is to be
        followed nor a signature to be verified.
    type: str
    choices: [auto, registry, container_storage]
    default: auto
  mirror:
    description:
      - A repository, such as C(192.0.2.7:5000/os/image), that stands in for that of O(image) while it is pulled. The
        host keeps the image's own name.
      - The rule lies in C(/etc/containers/registries.conf.d) only meanwhile.
    type: str
  mirror_insecure:
    description: Whether O(mirror) may be asked without TLS, or with a certificate that cannot be verified.
    type: bool
    default: false
  enforce_signatures:
    description:
      - Whether the host's policy on signatures must verify the image, now and at later updates. The policy must not
        accept everything.
    type: bool
    default: false
  soft_reboot:
    description:
      - Whether to prepare a reboot that keeps the kernel, where bootc can and the image allows it.
      - With V(required) an image that does not allow it is discarded again and the task fails.
      - After a soft reboot the host has the same boot ID as before.
    type: str
    choices: [never, auto, required]
    default: never
  kernel_arguments:
    description:
      - Kernel arguments that the next boot must have on this host. They take rpm-ostree, which keeps them over updates.
        What the image itself asks for in C(kargs.d) is bootc's matter, and reported by
        M(fieldops.openshift.os_image_info).
    type: list
    elements: str
    default: []
  kernel_arguments_absent:
    description: Kernel arguments that the next boot must not have.
    type: list
    elements: str
    default: []
  registry_auth:
    description:
      - The content of an C(auth.json) with the credentials for the registry. It lies on the host only during the pull,
        as C(/run/ostree/auth.json), in place of one that may be there.
    type: json
  automatic_updates:
    description:
      - What becomes of C(bootc-fetch-apply-updates.timer) and C(rpm-ostreed-automatic.timer), which stage and reboot by
        themselves. V(masked) masks them and remembers how they were, V(restored) brings that back.
    type: str
    choices: [untouched, masked, restored]
    default: untouched
  reboot_marker:
    description:
      - What becomes of C(/run/reboot-required) when bootc has written it, which it does whenever it stages. kured takes
        it for an order and reboots the host as soon as it may.
    type: str
    choices: [removed, kept]
    default: removed
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
- name: Outside the window, only bring the image onto the host
  fieldops.openshift.os_image:
    image: quay.io/example/os:9.6
    digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    state: downloaded
    automatic_updates: masked
    wait: true
  become: true

- name: In the window, stage it from there
  fieldops.openshift.os_image:
    image: quay.io/example/os:9.6
    digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    wait: true
  become: true
  register: staged

- name: Take what the tag names today, with credentials that do not stay on the host
  fieldops.openshift.os_image:
    image: registry.example.com/os/image:stable
    follow_tag: true
    registry_auth: "{{ site_registry_auth }}"
    wait: true
  become: true

- name: Go back from an image that turned out bad
  fieldops.openshift.os_image:
    state: rolled_back
    leave_digest: sha256:6a27f17afcd2a65a0ba8ee3e3a7d4a6f2f6cbf3f2c8e4a1d7b9c0e5f3a1b2c3d
    wait: true
  become: true
"""

RETURN = r"""
os_image:
  description: The deployments of the host, as M(fieldops.openshift.os_image_info) returns them.
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
    Of O(digest) and O(leave_digest), which manifest of it this host has, and where, as
    RV(fieldops.openshift.os_image_info#module:digests).
  type: list
  elements: dict
  returned: when no job runs
  sample: [{digest: 'sha256:90c1...', manifest: 'sha256:6a27...', booted: false, next_boot: true}]
reboot_needed:
  description: Whether the next clean reboot boots something else than what is booted now.
  type: bool
  returned: when no job runs
  sample: true
soft_reboot_prepared:
  description: Whether the next reboot keeps the kernel, and with it the boot ID.
  type: bool
  returned: when no job runs
  sample: false
reboot_marker:
  description: The content of C(/run/reboot-required), or nothing.
  type: str
  returned: when no job runs
  sample: "bootc: Reboot required for image: sha256:6a27..."
finalized:
  description:
    - Whether the rollback deployment that is queued is the image that was staged in this boot. A soft reboot that found
      no next root deploys it, and the host then waits for a whole reboot into it; no rollback was requested.
  type: bool
  returned: when no job runs
  sample: false
lost_staging:
  description: What became of an image that was staged before a reboot and is not booted, or nothing.
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
        - V(not_finalized) when the shutdown made no deployment of it, V(left_again) when there is one and the host went
          back from it.
      type: str
      sample: not_finalized
    journal:
      description: What the units that finalize deployments wrote in the boot before.
      type: str
      sample: ""
bound_images:
  description: The images that the next boot's OS image binds logically.
  type: dict
  returned: when nothing is left to be done
  contains:
    wanted:
      description: Their names. Nothing on a host that stores its deployments with composefs, where nobody can tell.
      type: list
      elements: str
      sample: ["quay.io/example/agent:1"]
    missing:
      description: Those that bootc's storage does not have.
      type: list
      elements: str
      sample: []
caveats:
  description: What a person may overlook.
  type: dict
  returned: when nothing is left to be done
  contains:
    var_of_image:
      description: Files that the image has below C(/var). They reach a host only when it is installed.
      type: list
      elements: str
      sample: ["/var/lib/agent"]
    etc_changes:
      description: What was changed in C(/etc) against the booted image and is merged, as ostree prints it.
      type: list
      elements: str
      sample: ["M    ssh/sshd_config"]
    etc_returns:
      description: Whether the next boot brings back an earlier C(/etc) instead of merging, as a rollback does.
      type: bool
      sample: false
job:
  description: The job, while it runs.
  type: dict
  returned: while the job runs
  sample:
    id: os-image
    state: running
    unit: fieldops-os-image-77ab01cd.service
actions:
  description: The commands that changed something, or would in check mode, with the reason for each.
  type: list
  elements: dict
  returned: success
  sample:
    - action: switch
      argv: ["bootc", "switch", "quay.io/example/os:9.6"]
      reason: another image is booted
progress:
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: 'quay.io/example/os:9.6 is staged; the next reboot boots it', done: true, next_delay: 5.0}
timeline:
  description: What was seen while it waited, one entry for each change, as
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
    },
    secrets_within=[registry_secrets],
).merged(HOST_OPTIONS, WAIT_OPTIONS)
HOST_MAY_REBOOT = True
WAITING = Waiting("the OS image is as asked for", on="the host")


def main() -> t.NoReturn:
    run(SPEC, lambda this: os_image_step(host_of(this), this.params, check_mode=this.check_mode), WAITING)


if __name__ == "__main__":
    main()
