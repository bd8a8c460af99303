#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: image_source
short_description: Let a node serve pulls of container images from its staged bundles
version_added: 0.1.0
description:
  - Serves the images of all bundles that M(fieldops.openshift.node_bundle) has staged on the node that the task runs
    on, read-only and by digest, on its loopback address. CRI-O, podman, skopeo and rpm-ostree find every image under
    its own name, without a registry, without loading it first, and also after the container storage was wiped.
  - The server is a unit of systemd that starts on the first pull after each boot, before CRI-O and the kubelet need it.
    It has no rights of its own. An image is served only while each of its blobs is complete and proved.
  - A drop-in of C(registries.conf.d) makes the source the first mirror of each repository of the bundles. The mirrors
    that the site has for a repository follow. They are joined again whenever the machine-config operator or another
    program changes them.
  - Run it again after bundles were staged or removed, so that the repositories are those of the bundles.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._host_options
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
  idempotent:
    support: full
options:
  state:
    description:
      - With V(present) the source answers, and container tools ask it first. On a node without a staged bundle there
        is nothing to serve, and V(present) means the same as V(absent).
      - With V(absent) it is gone with its files, and container tools ask the registries and mirrors of the site.
    type: str
    choices: [present, absent]
    default: present
  port:
    description: The port on the loopback address.
    type: int
    default: 9700
  block_registries:
    description:
      - Which registries of the bundles' images are not asked any more, neither for images that no bundle has nor by
        tag. What cannot be had is then refused at once; otherwise each attempt waits for the network until it times
        out. Mirrors that the site has are asked in any case.
      - With V(unreachable) those to which the node gets no connection while this module runs, through the proxy of the
        cluster where it has one. They stay blocked until the module finds them reachable.
      - With V(always) all of them, for a site that is offline; with V(never) none.
    type: str
    choices: [unreachable, always, never]
    default: unreachable
  other_machines:
    description:
      - Whether the node serves machines other than itself as well, which only control-plane nodes should do. A machine
        that joins the cluster then finds its first images there, as M(fieldops.openshift.joining_machines) lets it.
      - They are served by TLS 1.3 on all addresses of the node, by a unit of its own that has no rights either, and to
        those alone who are in O(other_machines.networks) and know O(other_machines.password), which they give as the
        password of Basic authentication.
      - Without this option the node goes on as it is.
    type: dict
    suboptions:
      state:
        description: With V(absent) only the node itself is served, and key and password are gone.
        type: str
        choices: [present, absent]
        default: present
      credentials_file:
        description:
          - A file on the controller, written by M(fieldops.openshift.joining_machines), from which all other suboptions
            are taken that are not given.
        type: path
      port:
        description: The port on the addresses of the node.
        type: int
        default: 9701
      networks:
        description: The networks, and addresses, of the machines that are served.
        type: list
        elements: str
      address:
        description: The address at which other machines ask, such as the virtual IP of the API.
        type: str
      ca:
        description: The certificate, as PEM text, of the authority that signed O(other_machines.certificate).
        type: str
      certificate:
        description: The certificate, as PEM text, with which the node proves that it is O(other_machines.address).
        type: str
      key:
        description: Its private key. It is kept in a file that only root may read.
        type: str
      password:
        description: What machines have to know, 32 to 512 letters and digits. It is kept in the same file.
        type: str
requirements:
  - python3, curl and systemd on the node, which every OpenShift node has
seealso:
  - module: fieldops.openshift.node_info
  - module: fieldops.openshift.joining_machines
  - module: fieldops.openshift.node_bundle
"""

EXAMPLES = r"""
- name: Serve what is staged on this node
  fieldops.openshift.image_source:
  become: true

- name: Serve it on a node of a site that has no link at all
  fieldops.openshift.image_source:
    block_registries: always
  become: true

- name: Serve it to machines that join the cluster, too
  fieldops.openshift.image_source:
    other_machines:
      credentials_file: /dev/shm/fieldops-joining/credentials
  become: true

- name: Take the source away
  fieldops.openshift.image_source:
    state: absent
  become: true
"""

RETURN = r"""
blocked:
  description: The registries that are not asked any more.
  type: list
  elements: str
  returned: success
  sample: [quay.io]
files:
  description: Files that container tools read and that were changed, or would be in check mode.
  type: list
  elements: str
  returned: success
  sample:
    - /etc/containers/registries.d/zz-fieldops-image-source.yaml
    - /etc/hosts
    - /etc/containers/registries.conf.d/zz-fieldops-image-source.conf
repositories:
  description: The repositories of the images that are served.
  type: list
  elements: str
  returned: success
  sample: [quay.io/openshift-release-dev/ocp-release, quay.io/openshift-release-dev/ocp-v4.0-art-dev]
serves_other_machines:
  description: Whether machines other than the node itself are served.
  type: bool
  returned: success
  sample: false
actions:
  description: What was done, or would be in check mode.
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
