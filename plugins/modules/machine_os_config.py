#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: machine_os_config
short_description: Manage the OS image of a MachineConfigPool
version_added: 0.1.0
description:
  - On nodes that a machine-config daemon manages, an image that was switched manually is reported as an error. This
    module requests the image from the operator instead, which builds it if requested and rolls it out.
  - A base image by digest is set with a MachineConfig, and an image to build with a MachineOSConfig. If both are
    used, the image is built on that base.
  - The module records the requested images and the resulting images in the cluster, because neither the nodes nor the
    operator keep this history. A rollback is another rollout, of the previous image.
  - Configuration that an image cannot deliver to nodes is reported before anything is built.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    details: Sends every write to the API server as a dry run.
  diff_mode:
    details: Shows the previous and the new desired image of the pool.
options:
  pool:
    description:
      - The name of the MachineConfigPool.
    type: str
    required: true
  state:
    description:
      - V(present) configures the pool exactly as specified by the other options.
      - V(absent) restores the default image of the release, which opts the pool out.
      - V(rolled_back) restores the previous configuration. Repeating the rollback makes no further change.
    type: str
    choices: [present, absent, rolled_back]
    default: present
  os_image_url:
    description:
      - The base image by digest. By default, the image of the release is used.
    type: str
  push_spec:
    description:
      - The destination of the image to build, as C(registry/repository:tag). Setting it enables building for the
        pool.
      - Requires O(push_secret).
    type: str
  push_secret:
    description:
      - The name of the Secret with the push credentials, in the namespace C(openshift-machine-config-operator).
    type: str
  pull_secret:
    description:
      - The name of the Secret with the pull credentials for the base image. By default, the pull secret of the
        cluster is used.
    type: str
  containerfiles:
    description:
      - The content to build on top of the base image, at most four parts.
    type: list
    elements: dict
    default: []
    suboptions:
      architecture:
        description:
          - The architecture that the part applies to.
        type: str
        choices: [NoArch, AMD64, ARM64, PPC64LE, S390X]
        default: NoArch
      content:
        description:
          - The content of the part, which starts with C(FROM configs AS final), at most 4096 characters.
        type: str
        required: true
  accept_uncarried:
    description:
      - Whether to build even if RV(uncarried) contains configuration that will be missing on nodes.
    type: bool
    default: false
  rebuild:
    description:
      - An arbitrary word. If it differs from the last run, the image is built again, for example because a registry
        was unavailable or a package repository has changed.
    type: str
  take_over:
    description:
      - Whether to change or delete a MachineOSConfig that was created by others.
    type: bool
    default: false
  wait_for:
    description:
      - The goal of O(wait), which is also reported in C(done) of RV(progress). V(built) is reached when the image is
        available and set as the desired image. V(rolled_out) is reached when every node of the pool runs it.
    type: str
    choices: [built, rolled_out]
    default: built
requirements:
  - OpenShift >= 4.18.21
notes:
  - The required RBAC permissions are in C(extensions/rbac/image-mode.yml) of this collection.
  - Nodes receive the image as soon as it is available, which is a material change. Pause the pool with
    M(fieldops.openshift.machine_config_pool) first, or use the role C(apply_image_mode), which pauses the pool and
    checks that change is permitted.
seealso:
  - module: fieldops.openshift.machine_config_pool
  - module: fieldops.openshift.machine_config_pool_info
  - module: fieldops.openshift.cluster_health_info
"""

EXAMPLES = r"""
- name: Pause the pool until the maintenance window
  fieldops.openshift.machine_config_pool:
    name: worker
    paused: true
    reason: an OS image is built for it

- name: Build an image with an additional package
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

- name: Use an image that was built elsewhere
  fieldops.openshift.machine_os_config:
    pool: worker
    os_image_url: "registry.site.example/os/worker@sha256:0f1c..."

- name: Roll back to the previous image
  fieldops.openshift.machine_os_config:
    pool: worker
    state: rolled_back
    wait_for: rolled_out
    wait: true

- name: Restore the default image of the release
  fieldops.openshift.machine_os_config:
    pool: worker
    state: absent
"""

RETURN = r"""
machine_os_config:
  description: >-
    The desired OS image of the pool and its state, in the same format as
    RV(fieldops.openshift.machine_config_pool_info#module:os_images[].machine_os_config).
  type: dict
  returned: success
  sample: {pool: worker, image: 'registry.site.example/os/worker@sha256:0f1c...'}
build:
  description: >-
    The last requested build, in the same format as
    RV(fieldops.openshift.machine_config_pool_info#module:os_images[].build). Empty if no image is built.
  type: dict
  returned: success
  sample: {name: worker-8c4e1d6b1f9a0e7c5b3d2a1908f7e6d5, state: succeeded}
nodes:
  description: The nodes of the pool, in the same format as
    RV(fieldops.openshift.machine_config_pool_info#module:os_images[].nodes).
  type: list
  elements: dict
  returned: success
  sample: [{node: worker-0, image: 'registry.site.example/os/worker@sha256:0f1c...'}]
uncarried:
  description: >-
    Configuration that an image cannot deliver to nodes, because /var and the home directories belong to the host, in
    the same format as RV(fieldops.openshift.machine_config_pool_info#module:os_images[].uncarried).
  type: list
  elements: dict
  returned: success
  sample: [{kind: ssh_keys, subject: core, source: rendered-worker-5d8a..., lost: false}]
history:
  description: >-
    The desired OS images of the pool over time, oldest first, in the same format as
    RV(fieldops.openshift.machine_config_pool_info#module:os_images[].history).
  type: list
  elements: dict
  returned: success
  sample: [{revision: 1, at: '2026-11-21T20:01:07Z'}]
actions:
  description: The API calls that made changes, or that would be made in check mode.
  type: list
  elements: dict
  returned: success
  sample: [{"verb": apply, "kind": MachineOSConfig, "namespace": null, "name": worker, "dry_run": false}]
log:
  description: The last lines of the log of a failed build.
  type: dict
  returned: when a build failed
  sample: {"pod": build-worker-8c4e-x7k2p, "lines": ["error: No packages in transaction"], "missing": ""}
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample:
    sentence: 1 of 3 nodes of pool worker have registry.site.example/os/worker@sha256:0f1c...; worker-1 is Working
    done: false
    next_delay: 5.0
timeline:
  description: The progress messages observed while waiting, one entry for each change, in the same format as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T20:01:07Z', sentence: 'build worker-8c4e1d6b has been running since 2026-11-21T20:01:07Z'}]
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
