#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: image_source
short_description: Manage the image source of a node, which serves images from staged bundles
version_added: 0.1.0
description:
  - Serves the images of all bundles that M(fieldops.openshift.node_bundle) has staged on the node that the task runs
    on, read-only and by digest, on the loopback address. CRI-O, podman, skopeo and rpm-ostree can pull every image by
    its original name, without a registry and without loading it first, even after the container storage was wiped.
  - The server is a systemd unit that is started by the first pull after each boot, before CRI-O and the kubelet need
    it. It runs without privileges. An image is served only while all its blobs are complete and verified.
  - A drop-in file in C(registries.conf.d) makes the image source the first mirror of each repository in the bundles,
    followed by the mirrors that the site has configured. The file is updated whenever the machine-config operator or
    another program changes those mirrors.
  - Run the module again after bundles were staged or removed, to update the list of repositories.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._host_options
options:
  state:
    description:
      - V(present) starts the image source and configures container tools to use it first. On a node without a staged
        bundle there is nothing to serve, and V(present) has the same effect as V(absent).
      - V(absent) removes the image source and its files. Container tools use the registries and mirrors of the site
        again.
    type: str
    choices: [present, absent]
    default: present
  port:
    description: The port on the loopback address.
    type: int
    default: 9700
  block_registries:
    description:
      - The registries of the bundle images that are blocked, so that images that are missing in the bundles, and
        images that are requested by tag, are not pulled from them. A pull from a blocked registry fails immediately
        instead of waiting for a network timeout. Mirrors of the site are not blocked.
      - V(unreachable) blocks the registries that the node cannot connect to while this module runs, through the
        cluster proxy if there is one. They stay blocked until the module runs again and can reach them.
      - V(always) blocks all of them, for a site that is offline. V(never) blocks none.
    type: str
    choices: [unreachable, always, never]
    default: unreachable
  other_machines:
    description:
      - Whether the node also serves other machines. Use this on control plane nodes only. Machines that join the
        cluster then pull their first images from there, as configured by M(fieldops.openshift.joining_machines).
      - Other machines are served with TLS 1.3 on all addresses of the node, by a separate systemd unit that also runs
        without privileges. Only machines in O(other_machines.networks) that present O(other_machines.password) with
        Basic authentication are served.
      - Without this option, the current configuration for other machines is kept.
    type: dict
    suboptions:
      state:
        description: V(absent) stops serving other machines and removes the key and the password.
        type: str
        choices: [present, absent]
        default: present
      credentials_file:
        description:
          - A file on the controller, written by M(fieldops.openshift.joining_machines), which provides the suboptions
            that are not set.
        type: path
      port:
        description: The port on the addresses of the node.
        type: int
        default: 9701
      networks:
        description: The networks and addresses of the machines that are served.
        type: list
        elements: str
      address:
        description: The address that other machines use, such as the virtual IP address of the API.
        type: str
      ca:
        description: The certificate of the authority that signed O(other_machines.certificate), as PEM text.
        type: str
      certificate:
        description: The certificate of the node for O(other_machines.address), as PEM text.
        type: str
      key:
        description: The private key of the certificate. It is stored in a file that only root can read.
        type: str
      password:
        description: The password that machines must present, 32 to 512 letters and digits. It is stored in the same
          file as the key.
        type: str
requirements:
  - python3, curl and systemd on the node, which all OpenShift nodes have
seealso:
  - module: fieldops.openshift.node_info
  - module: fieldops.openshift.joining_machines
  - module: fieldops.openshift.node_bundle
"""

EXAMPLES = r"""
- name: Serve the staged bundles on this node
  fieldops.openshift.image_source:
  become: true

- name: Serve the staged bundles on a node of an offline site
  fieldops.openshift.image_source:
    block_registries: always
  become: true

- name: Also serve machines that join the cluster
  fieldops.openshift.image_source:
    other_machines:
      credentials_file: /dev/shm/fieldops-joining/credentials
  become: true

- name: Remove the image source
  fieldops.openshift.image_source:
    state: absent
  become: true
"""

RETURN = r"""
blocked:
  description: The blocked registries.
  type: list
  elements: str
  returned: success
  sample: [quay.io]
files:
  description: The configuration files of container tools that were changed, or that would be changed in check mode.
  type: list
  elements: str
  returned: success
  sample:
    - /etc/containers/registries.d/zz-fieldops-image-source.yaml
    - /etc/hosts
    - /etc/containers/registries.conf.d/zz-fieldops-image-source.conf
repositories:
  description: The repositories of the served images.
  type: list
  elements: str
  returned: success
  sample: [quay.io/openshift-release-dev/ocp-release, quay.io/openshift-release-dev/ocp-v4.0-art-dev]
serves_other_machines:
  description: Whether other machines are served.
  type: bool
  returned: success
  sample: false
actions:
  description: The actions that were taken, or that would be taken in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - action: write
      path: /etc/containers/registries.conf.d/zz-fieldops-image-source.conf
    - action: run
      argv: [systemctl, reload, crio.service]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.source.image_source import ensure_source
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run

SPEC = ArgumentSpec(
    options={
        "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
        "port": {"type": "int", "default": 9700},
        "block_registries": {
            "type": "str",
            "choices": ["unreachable", "always", "never"],
            "default": "unreachable",
        },
        "other_machines": {
            "type": "dict",
            "options": {
                "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
                "credentials_file": {"type": "path"},
                "port": {"type": "int", "default": 9701},
                "networks": {"type": "list", "elements": "str"},
                "address": {"type": "str"},
                "ca": {"type": "str"},
                "certificate": {"type": "str"},
                "key": {"type": "str", "no_log": True},
                "password": {"type": "str", "no_log": True},
            },
        },
    }
).merged(HOST_OPTIONS)


def main() -> t.NoReturn:
    run(SPEC, lambda this: ensure_source(host_of(this), this.params, check_mode=this.check_mode))


if __name__ == "__main__":
    main()
