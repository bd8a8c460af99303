#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: machine_os_config
short_description: Give the nodes of a pool an OS image the way the cluster supports it
version_added: 0.1.0
description:
  - On nodes that a machine-config daemon keeps, an image that is switched to by hand is a fault. This module orders the
    image from the operator instead, which builds it if asked to, and rolls it out.
  - An image by digest becomes the base of the pool by a MachineConfig; one that is to be built, by a MachineOSConfig.
    Both together build on that base.
  - It keeps in the cluster what was asked for before and which image came of it, because neither the nodes nor the
    operator do. A rollback is another roll forward, to that.
  - What the image cannot carry to the nodes is named before anything is built.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    support: full
    details: The server tries what would be applied.
  diff_mode:
    support: full
    details: Shows what the pool was and is asked to have.
  idempotent:
    support: full
options:
  pool:
    description:
      - The machine config pool.
    type: str
    required: true
  state:
    description:
      - With V(present) the pool is asked to have exactly what the other options say.
      - With V(absent) it is asked to have the release's own image, which opts it out.
      - With V(rolled_back) it is asked to have what it had before. Asked for twice, that changes nothing the second
        time; it is no toggle.
    type: str
    choices: [present, absent, rolled_back]
    default: present
  os_image_url:
    description:
      - The base image, by digest. By default the release's own.
    type: str
  push_spec:
    description:
      - Where an image that is to be built goes, as C(registry/repository:tag). With it the pool is built for.
      - Needs O(push_secret).
    type: str
  push_secret:
    description:
      - The name of the secret to push with, in namespace C(openshift-machine-config-operator).
    type: str
  pull_secret:
    description:
      - The name of the secret to pull the base image with. By default the cluster's own.
    type: str
  containerfiles:
    description:
      - What to build on top of the base image, at most four parts.
    type: list
    elements: dict
    default: []
    suboptions:
      architecture:
        description:
          - The architecture that the part is for.
        type: str
        choices: [NoArch, AMD64, ARM64, PPC64LE, S390X]
        default: NoArch
      content:
        description:
          - The part of a Containerfile, which begins with C(FROM configs AS final), of at most 4096 characters.
        type: str
        required: true
  accept_uncarried:
    description:
      - Whether to build although RV(uncarried) has something that will be lost.
    type: bool
    default: false
  rebuild:
    description:
      - Any word. When it is another one than last time, what was built is built once more, for example because the
        registry was away or a repository has moved on.
    type: str
  take_over:
    description:
      - Whether to change or delete a MachineOSConfig that somebody else created.
    type: bool
    default: false
  wait_for:
    description:
      - What O(wait) waits for, and what C(done) of RV(progress) tells. V(built) is an image that is there and asked
        for, V(rolled_out) that every node of the pool runs it.
    type: str
    choices: [built, rolled_out]
    default: built
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
  - OpenShift >= 4.18.21
notes:
  - The rights that it needs are in C(extensions/rbac/image-mode.yml) of this collection.
  - Nodes take the image as soon as it is there, which is a material change. Pause the pool with
    M(fieldops.openshift.machine_config_pool) before, or use the role C(apply_image_mode), which does both and asks
    whether change is permitted.
seealso:
  - module: fieldops.openshift.machine_config_pool
  - module: fieldops.openshift.machine_config_pool_info
  - module: fieldops.openshift.cluster_health_info
"""

EXAMPLES = r"""
- name: Let no node take what is built until the window
  fieldops.openshift.machine_config_pool:
    name: worker
    paused: true
    reason: an OS image is built for it

- name: Build an image with one more package
  fieldops.openshift.machine_os_config:
    pool: worker
    push_spec: registry.site.example/os/worker:latest
    push_secret: os-image-push
    containerfiles:
      - content: |
          FROM configs AS final
          RUN rpm-ostree install tcpdump && ostree container commit
    wait: true
    wait_timeout: 3600

- name: Give the pool an image that was built elsewhere
  fieldops.openshift.machine_os_config:
    pool: worker
    os_image_url: "registry.site.example/os/worker@sha256:0f1c..."

- name: Go back to what the pool had before
  fieldops.openshift.machine_os_config:
    pool: worker
    state: rolled_back
    wait_for: rolled_out
    wait: true

- name: Opt out
  fieldops.openshift.machine_os_config:
    pool: worker
    state: absent
"""

RETURN = r"""
machine_os_config:
  description: >-
    What the pool is to have and where that stands, as
    RV(fieldops.openshift.machine_config_pool_info#module:os_images[].machine_os_config).
  type: dict
  returned: success
  sample: {pool: worker, image: 'registry.site.example/os/worker@sha256:0f1c...'}
build:
  description: >-
    The build that was asked for last, empty if nothing is built, as
    RV(fieldops.openshift.machine_config_pool_info#module:os_images[].build).
  type: dict
  returned: success
  sample: {name: worker-8c4e1d6b1f9a0e7c5b3d2a1908f7e6d5, state: succeeded}
nodes:
  description: The nodes of the pool, as RV(fieldops.openshift.machine_config_pool_info#module:os_images[].nodes).
  type: list
  elements: dict
  returned: success
  sample: [{node: worker-0, image: 'registry.site.example/os/worker@sha256:0f1c...'}]
uncarried:
  description: >-
    What an image cannot carry to the nodes, because /var and the home directories are the host's own, as
    RV(fieldops.openshift.machine_config_pool_info#module:os_images[].uncarried).
  type: list
  elements: dict
  returned: success
  sample: [{kind: ssh_keys, subject: core, source: rendered-worker-5d8a..., lost: false}]
history:
  description: >-
    What the pool was asked to have, oldest first, with the image that came of it, as
    RV(fieldops.openshift.machine_config_pool_info#module:os_images[].history).
  type: list
  elements: dict
  returned: success
  sample: [{revision: 1, at: '2026-11-21T20:01:07Z'}]
actions:
  description: The calls that changed something, or would in check mode.
  type: list
  elements: dict
  returned: success
  sample: [{"verb": apply, "kind": MachineOSConfig, "namespace": null, "name": worker, "dry_run": false}]
log:
  description: The last lines of the build that failed.
  type: dict
  returned: when a build failed
  sample: {"pod": build-worker-8c4e-x7k2p, "lines": ["error: No packages in transaction"], "missing": ""}
progress:
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample:
    sentence: 1 of 3 nodes of pool worker have registry.site.example/os/worker@sha256:0f1c...; worker-1 is Working
    done: false
    next_delay: 5.0
timeline:
  description: What was seen while it waited, one entry for each change, as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T20:01:07Z', sentence: 'build worker-8c4e1d6b is running since 2026-11-21T20:01:07Z'}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.machine_os_config import (
    OS_CONFIG_OPTIONS,
    machine_os_config_step,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS

SPEC = CLUSTER_OPTIONS.merged(
    WAIT_OPTIONS, ArgumentSpec(options=OS_CONFIG_OPTIONS, required_together=[("push_spec", "push_secret")])
)
WAITING = Waiting("the pool has its OS image", on="the cluster")


def main() -> t.NoReturn:
    run(SPEC, lambda this: machine_os_config_step(cluster_client(this), this.params), WAITING)


if __name__ == "__main__":
    main()
