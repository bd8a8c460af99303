#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: joining_machines
short_description: Configure new machines to pull their images from the control plane
version_added: 0.1.0
description:
  - Before a new machine becomes a node, its first boot pulls images in an endless loop. At a site without a registry,
    it can pull them from the control plane nodes, which serve their staged bundles with
    M(fieldops.openshift.image_source) and its option O(fieldops.openshift.image_source#module:other_machines).
  - Maintains a certificate authority, a certificate and a password in the Secret C(image-source) in the namespace
    C(fieldops-openshift). The certificate is renewed by the first run after one year. Machines trust the authority,
    which can sign only for the names and networks of this cluster.
  - Configures all machines through the machine-config operator from their first boot. The authority is added to the
    ConfigMap C(user-ca-bundle) and the credentials to the C(pull-secret), both in the namespace C(openshift-config).
    The ImageDigestMirrorSet C(fieldops-image-source) contains an entry for each repository. Existing content of these
    objects is kept.
  - The change does not drain or reboot nodes. A change for which the machine-config operator would drain every node
    is refused unless O(allow_drain) is set.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._guard_options
attributes:
  check_mode:
    details: Sends every write to the API server as a dry run.
  diff_mode:
    details: Keys, the password and the pull secret are not shown.
options:
  state:
    description:
      - V(present) configures new machines. Repositories are added and never removed.
      - V(absent) removes the configuration, which drains every node if an ImageDigestMirrorSet exists. Use
        M(fieldops.openshift.image_source) to remove the image source from the nodes.
    type: str
    choices: [present, absent]
    default: present
  configure:
    description:
      - Whether to configure machines. With V(false), only the Secret is maintained and O(credentials_path) written,
        so that the control plane can serve images before any machine is configured.
    type: bool
    default: true
  images:
    description:
      - The names of images or repositories, for example RV(fieldops.openshift.image_source#module:repositories). Each
        of their repositories gets an entry.
    type: list
    elements: str
    default: []
  address:
    description:
      - The IPv4 address or name that machines connect to. The default is the virtual IP address of the API if the
        cluster manages one, or the address of the only control plane node.
      - Required if the API is behind a load balancer of the site. The load balancer must also forward O(port) to the
        control plane nodes.
      - The value is kept until a different one is given. An empty value restores the default.
    type: str
  port:
    description: The port on the control plane nodes. The default is the port of the last run, or V(9701).
    type: int
  networks:
    description:
      - The networks of the machines that may connect. The default is the networks in the Infrastructure object of the
        cluster, which some platforms provide since OpenShift 4.16.
      - The value is kept until a different one is given. An empty list restores the default.
    type: list
    elements: str
  trust:
    description:
      - How machines are configured to trust the authority. V(user_ca_bundle), the default, uses the ConfigMap of that
        name, and nodes restart CRI-O. V(machine_config) uses MachineConfigs with a file in
        C(/etc/containers/certs.d), which applies to this registry only. Nodes reboot for it, unless the node
        disruption policy of the cluster specifies otherwise.
      - The value is kept until a different one is given.
    type: str
    choices: [user_ca_bundle, machine_config]
  mirror_source_policy:
    description:
      - Whether machines may contact the original registry of an image if the control plane does not have it. The
        default is the policy of the existing ImageDigestMirrorSet, or V(NeverContactSource), which suits a site
        without a registry.
    type: str
    choices: [NeverContactSource, AllowContactingSource]
  allow_drain:
    description:
      - Whether to permit changes for which the machine-config operator drains every node, one after another. These
        are a different policy or address for repositories that already have an entry, and V(absent).
    type: bool
    default: false
  credentials_path:
    description:
      - A file on the controller to which the credentials for control plane nodes are written, readable only by the
        current user. Remove it after the nodes have been configured. In check mode, it is written only if the Secret
        needs no change.
    type: path
requirements:
  - openssl on the controller
notes:
  - The required RBAC permissions are in C(extensions/rbac/joining-machines.yml) and
    C(extensions/rbac/change-management-reader.yml) of this collection.
  - Change management is queried before machines are configured. While change is restricted, the result lists the
    pending objects.
  - New machines receive a configuration after the first machine of their pool has it. A machine can join when its
    pool is ready in RV(pools).
  - If the API has only IPv6 addresses, its internal name is used, because mirrors do not support IPv6 addresses.
seealso:
  - module: fieldops.openshift.cluster_health_info
  - module: fieldops.openshift.image_source
"""

EXAMPLES = r"""
- name: Create the credentials of the control plane
  fieldops.openshift.joining_machines:
    configure: false
    credentials_path: /dev/shm/fieldops-joining/credentials

- name: Serve images from the control plane nodes
  fieldops.openshift.image_source:
    other_machines:
      credentials_file: /dev/shm/fieldops-joining/credentials
  delegate_to: "{{ node }}"
  become: true
  loop: [master-0, master-1, master-2]
  loop_control:
    loop_var: node
  register: served

- name: Configure new machines
  fieldops.openshift.joining_machines:
    images: "{{ served.results | map(attribute='repositories') | flatten | unique }}"

- name: Prepare a site whose load balancer also forwards port 9701
  fieldops.openshift.joining_machines:
    images: [quay.io/openshift-release-dev/ocp-release, quay.io/openshift-release-dev/ocp-v4.0-art-dev]
    address: api-int.site.example
    networks: [192.0.2.0/24]
"""

RETURN = r"""
prepared:
  description: Whether the Secret that configures the image sources of the control plane exists.
  type: bool
  returned: success
  sample: true
problem:
  description: Why the current user cannot read that Secret. Empty if the Secret is readable.
  type: str
  returned: success
  sample: ""
control_plane:
  description: The control plane nodes with their C(name) and C(addresses).
  type: list
  elements: dict
  returned: success
  sample: [{name: master-0, addresses: [192.0.2.10]}]
site:
  description: >-
    How images are served to new machines, in the same format as
    RV(fieldops.openshift.cluster_health_info#module:joining_machines.site). Empty if the site is not prepared.
  type: dict
  returned: success
  sample: {address: 192.0.2.5, port: 9701, registry: '192.0.2.5:9701'}
pools:
  description: >-
    The MachineConfigPools, and what the configuration of their new machines lacks, in the same format as
    RV(fieldops.openshift.cluster_health_info#module:joining_machines.pools).
  type: list
  elements: dict
  returned: success
  sample: [{name: worker, ready: false}]
permission:
  description: The change management decision. None if change management was not queried.
  type: dict
  returned: success
  sample: {permitted: true, resource: ClusterVersion version, sentence: change is permitted, next_permitted: ""}
waiting:
  description: The objects that will be written when change is permitted.
  type: list
  elements: str
  returned: success
  sample: []
actions:
  description: The API calls that made changes, or that would be made in check mode.
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
