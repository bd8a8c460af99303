#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: joining_machines
short_description: Let machines that join a cluster find their images at its control plane
version_added: 0.1.0
description:
  - The first boot of every machine pulls images before it is a node, in an endless loop. On a site without a registry
    it finds them at the control-plane nodes, which serve their staged bundles with M(fieldops.openshift.image_source)
    and its option O(fieldops.openshift.image_source#module:other_machines).
  - Keeps an authority, a certificate and a password for that in the Secret C(image-source) of the namespace
    C(fieldops-openshift). The certificate is replaced by the first run after a year. Machines trust the authority,
    which may sign for the names and networks of this cluster alone.
  - Gives to every machine, by way of the machine-config operator, what it needs from its first boot on. That is the
    authority in the ConfigMap C(user-ca-bundle), the login in the C(pull-secret), both of the namespace
    C(openshift-config), and the ImageDigestMirrorSet C(fieldops-image-source) with an entry for each repository. What
    others keep there stays.
  - No node is drained or rebooted for it. What the machine-config operator would drain every node for is refused
    without O(allow_drain).
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._guard_options
attributes:
  check_mode:
    support: full
    details: The API server tries every write without keeping it.
  diff_mode:
    support: full
    details: Keys, the password and the pull secret are not shown.
  idempotent:
    support: full
options:
  state:
    description:
      - With V(present) machines that join find their images. Repositories are added and never taken away.
      - With V(absent) the cluster is as before, which drains every node where there is an ImageDigestMirrorSet. On the
        nodes the source is taken away with M(fieldops.openshift.image_source).
    type: str
    choices: [present, absent]
    default: present
  configure:
    description:
      - Whether machines are configured. With V(false) only the Secret is kept and O(credentials_path) written, so that
        the control plane serves before any machine is sent there.
    type: bool
    default: true
  images:
    description:
      - Names of images or repositories, such as RV(fieldops.openshift.image_source#module:repositories). Each of their
        repositories gets an entry.
    type: list
    elements: str
    default: []
  address:
    description:
      - The IPv4 address or name at which machines ask. By default the virtual IP of the API, where the cluster itself
        holds one, or the address of the only control-plane node.
      - It is needed where a load balancer of the site's own is in front of the API, which then has to forward O(port)
        to the control-plane nodes, too.
      - What was given stays until another one is given; an empty one means the default again.
    type: str
  port:
    description: The port on the control-plane nodes, by default that of the last run or V(9701).
    type: int
  networks:
    description:
      - The networks of the machines that may ask. By default those that the cluster's Infrastructure names, as it
        does on some platforms from OpenShift 4.16 on.
      - What was given stays until others are given; an empty list means the default again.
    type: list
    elements: str
  trust:
    description:
      - How machines come to trust the authority. With V(user_ca_bundle), the default, by the ConfigMap of this name,
        for which nodes restart CRI-O. With V(machine_config) by MachineConfigs with a file below
        C(/etc/containers/certs.d), which is trusted for this one registry alone, and for which nodes reboot unless
        the node disruption policy of the cluster says otherwise.
      - What was given stays until another one is given.
    type: str
    choices: [user_ca_bundle, machine_config]
  mirror_source_policy:
    description:
      - Whether machines may ask an image's own registry when the control plane does not have it. By default that of the
        ImageDigestMirrorSet where there is one, else V(NeverContactSource), as suits a site without a registry.
    type: str
    choices: [NeverContactSource, AllowContactingSource]
  allow_drain:
    description:
      - Permit what the machine-config operator drains every node for, one after another. That is another policy or
        address of repositories that have an entry, and V(absent).
    type: bool
    default: false
  credentials_path:
    description:
      - A file on the controller to which all that a control-plane node needs is written, readable for this user alone.
        Remove it when the nodes have it. In check mode it is written only if the Secret needs no change.
    type: path
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
  - openssl on the controller
notes:
  - Change management is asked before a machine is configured. While change is restricted the result says what waits.
  - A machine is given a configuration as soon as the first machine of its pool has it. One can join when its pool is
    ready in RV(pools).
  - Where the API has addresses of IPv6 alone its internal name is asked, since mirrors cannot have such an address.
seealso:
  - module: fieldops.openshift.cluster_health_info
  - module: fieldops.openshift.image_source
"""

EXAMPLES = r"""
- name: Keep what the control plane serves others with
  fieldops.openshift.joining_machines:
    configure: false
    credentials_path: /dev/shm/fieldops-joining/credentials

- name: Serve from the control-plane nodes
  fieldops.openshift.image_source:
    other_machines:
      credentials_file: /dev/shm/fieldops-joining/credentials
  delegate_to: "{{ node }}"
  become: true
  loop: [master-0, master-1, master-2]
  loop_control:
    loop_var: node
  register: served

- name: Send machines there
  fieldops.openshift.joining_machines:
    images: "{{ served.results | map(attribute='repositories') | flatten | unique }}"

- name: Prepare a site whose load balancer forwards port 9701 as well
  fieldops.openshift.joining_machines:
    images: [quay.io/openshift-release-dev/ocp-release, quay.io/openshift-release-dev/ocp-v4.0-art-dev]
    address: api-int.site.example
    networks: [192.0.2.0/24]
"""

RETURN = r"""
prepared:
  description: Whether there is a Secret with what the control plane serves.
  type: bool
  returned: success
  sample: true
problem:
  description: Why this user cannot see it, or nothing.
  type: str
  returned: success
  sample: ""
control_plane:
  description: The nodes of the control plane with their C(name) and C(addresses).
  type: list
  elements: dict
  returned: success
  sample: [{name: master-0, addresses: [192.0.2.10]}]
site:
  description: >-
    How machines are served, empty where the site is not prepared, as
    RV(fieldops.openshift.cluster_health_info#module:joining_machines.site).
  type: dict
  returned: success
  sample: {address: 192.0.2.5, port: 9701, registry: '192.0.2.5:9701'}
pools:
  description: >-
    The pools of machines, and what the configuration lacks that a machine is given which joins now, as
    RV(fieldops.openshift.cluster_health_info#module:joining_machines.pools).
  type: list
  elements: dict
  returned: success
  sample: [{name: worker, ready: false}]
permission:
  description: The answer of change management, nothing where it was not asked.
  type: dict
  returned: success
  sample: {permitted: true, resource: ClusterVersion version, sentence: change is permitted, next_permitted: ""}
waiting:
  description: The objects that are written once change is permitted.
  type: list
  elements: str
  returned: success
  sample: []
actions:
  description: The calls that changed something, or in check mode would have.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: create, kind: ImageDigestMirrorSet, namespace: null, name: fieldops-image-source, dry_run: false}
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.guard import (
    GUARD_NEVER_NULL,
    GUARD_OPTION,
    ChangeGuard,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.joining_machines import (
    JOINING_OPTIONS,
    ensure_joining,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

GUARDED = ArgumentSpec(options={**JOINING_OPTIONS, "guard": GUARD_OPTION}, never_null=GUARD_NEVER_NULL)
SPEC = CLUSTER_OPTIONS.merged(GUARDED)


def main() -> t.NoReturn:
    def work(this: ModuleRun) -> Result:
        client = cluster_client(this)
        return ensure_joining(client, Host(this.clock), this.params, ChangeGuard.of(client, this.params["guard"]))

    run(SPEC, work)


if __name__ == "__main__":
    main()
