#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: machine_os_config_info
short_description: Tell which OS image each pool is to have and how far its nodes are
version_added: 0.1.0
description:
  - Tells for each machine config pool which OS image it is asked to have, where its build stands, with the log of one
    that failed, which nodes run it, and what the pool had before.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
options:
  pools:
    description:
      - Only these pools. By default all.
    type: list
    elements: str
    default: []
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
  - OpenShift >= 4.18.21
notes:
  - The rights that it needs are in C(extensions/rbac/image-mode.yml) of this collection.
seealso:
  - module: fieldops.openshift.machine_os_config
"""

EXAMPLES = r"""
- name: See which images the pools have
  fieldops.openshift.machine_os_config_info:
  register: images

- name: Name the files and keys that no image carries
  ansible.builtin.debug:
    msg: "{{ item.kind }} {{ item.subject }} of {{ item.source }}"
  loop: "{{ images.pools | map(attribute='uncarried') | flatten }}"
"""

RETURN = r"""
pools:
  description: One entry for each pool.
  type: list
  elements: dict
  returned: success
  contains:
    sentence:
      description: Where the pool stands, in one line.
      type: str
      sample: 3 of 3 nodes of pool worker have registry.site.example/os/worker@sha256:0f1c...
    rolled_out:
      description: Whether every node of the pool runs what it is asked to run.
      type: bool
      sample: true
    log:
      description: The last lines of a build that failed.
      type: dict
      returned: when the last build failed
      sample: {"pod": build-worker-8c4e-x7k2p, "lines": ["error: No packages in transaction"], "missing": ""}
    machine_os_config:
      description: What the pool is to have and where that stands.
      type: dict
      returned: success
      contains:
        pool:
          description: The name of the pool.
          type: str
          sample: worker
        image:
          description: The image by digest that its nodes are to run, empty until it is known.
          type: str
          sample: "registry.site.example/os/worker@sha256:0f1c..."
        digest:
          description: The digest of that image.
          type: str
          sample: "sha256:0f1c..."
        stream:
          description: The stream of the release's OS images that the pool asks for, empty for the cluster's own. It
            counts where no MachineConfig names an image.
          type: str
          sample: rhel-10
        built:
          description: Whether the image is there and the pool is asked to take it.
          type: bool
          sample: true
        paused:
          description: Whether the pool is paused, so that no node takes it.
          type: bool
          sample: false
        wanted:
          description: The revision of the history that is asked for, as in RV(pools[].history).
          type: dict
          sample: {"revision": 2, "image": "registry.site.example/os/worker@sha256:0f1c..."}
        previous:
          description: The revision that a rollback would go back to, empty if there is none.
          type: dict
          sample: {"revision": 1, "image": "registry.site.example/os/worker@sha256:77ab..."}
        rolled_back:
          description: Whether the last thing that was asked for was a rollback.
          type: bool
          sample: false
        image_as_before:
          description:
            - Whether a rollback came to the very image that was known from before. It did not where the operator had to
              build it again.
          type: bool
          sample: false
    build:
      description: The build that was asked for last, empty if nothing is built.
      type: dict
      returned: success
      contains:
        name:
          description: The MachineOSBuild.
          type: str
          sample: worker-8c4e1d6b1f9a0e7c5b3d2a1908f7e6d5
        state:
          description: V(new), V(prepared), V(building), V(succeeded), V(failed) or V(interrupted).
          type: str
          sample: succeeded
        reason:
          description: What the operator says to that.
          type: str
          sample: Build Ready
        image:
          description: The image by digest that came of it.
          type: str
          sample: "registry.site.example/os/worker@sha256:0f1c..."
        config:
          description: The rendered MachineConfig that went into it.
          type: str
          sample: rendered-worker-5d8a...
        started:
          description: When it began, in UTC.
          type: str
          sample: "2026-11-21T20:01:07Z"
        ended:
          description: When it ended, in UTC.
          type: str
          sample: "2026-11-21T20:13:44Z"
    nodes:
      description: The nodes of the pool.
      type: list
      elements: dict
      returned: success
      contains:
        node:
          description: The name of the node.
          type: str
          sample: worker-0
        image:
          description: The built image that it runs, empty for one that was not built in the cluster.
          type: str
          sample: "registry.site.example/os/worker@sha256:0f1c..."
        desired_image:
          description: The one that it is asked to run.
          type: str
          sample: "registry.site.example/os/worker@sha256:0f1c..."
        state:
          description: The word of its machine-config daemon.
          type: str
          sample: Done
        reason:
          description: What the daemon says to that.
          type: str
          sample: ""
        done:
          description: Whether it has arrived and is ready.
          type: bool
          sample: true
    uncarried:
      description: What an image cannot carry to the nodes, because /var and the home directories are the host's own.
      type: list
      elements: dict
      returned: success
      contains:
        kind:
          description: V(file), V(directory), V(link), V(ssh_keys) or V(password).
          type: str
          sample: ssh_keys
        subject:
          description: The path or the user.
          type: str
          sample: core
        source:
          description: The MachineConfig or the part of the Containerfile that has it.
          type: str
          sample: rendered-worker-5d8a...
        lost:
          description:
            - Whether it will not be on the nodes. Otherwise the machine-config daemon writes it there itself, and
              only a host that boots the image without a daemon lacks it.
          type: bool
          sample: false
    history:
      description: What the pool was asked to have, oldest first, with the image that came of it.
      type: list
      elements: dict
      returned: success
      contains:
        revision:
          description: Its number.
          type: int
          sample: 1
        at:
          description: When it was asked for, in UTC.
          type: str
          sample: "2026-11-21T20:01:07Z"
        image:
          description: The image by digest that came of it, empty if none did.
          type: str
          sample: "registry.site.example/os/worker@sha256:77ab..."
        is_release:
          description: Whether it is the release's own image.
          type: bool
          sample: false
        os_image_url:
          description: The base image that was asked for, empty for the release's own.
          type: str
          sample: ""
        build:
          description: The build that was ordered, none where nothing was.
          type: dict
          sample: {"push_spec": "registry.site.example/os/worker:latest", "parts": []}
actions:
  description: The calls that changed something. This module makes none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.machine_os_config import read_pool_images
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = CLUSTER_OPTIONS.merged(ArgumentSpec(options={"pools": {"type": "list", "elements": "str", "default": []}}))


def main() -> t.NoReturn:
    run(SPEC, lambda this: Result(objects={"pools": read_pool_images(cluster_client(this), this.params["pools"])}))


if __name__ == "__main__":
    main()
