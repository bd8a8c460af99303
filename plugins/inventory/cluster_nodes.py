# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: cluster_nodes
short_description: Inventory of cluster nodes, grouped by pool, role, zone and pending change
version_added: 0.1.0
author: fieldops.openshift contributors (@fieldops)
description:
  - Adds every node of the cluster as a host, with the name of its Node object.
  - The group C(nodes) contains all nodes. The groups C(pool_*), C(role_*) and C(zone_*) contain the nodes of a pool,
    role or zone. C(pending_change) contains nodes with a pending or running change. C(not_ready) and C(unschedulable)
    contain nodes in that state. Characters that are not valid in group names are replaced by underscores.
  - A change of a node is pending if its machine-config daemon has not applied the desired configuration and image, or
    if the desired configuration of its pool differs from the configuration of the node.
  - Host variables start with C(node_), for example C(node_pool), C(node_zone), C(node_addresses) and
    C(node_os_image). With O(connection_options), hosts also get the API options of the connection plugin
    P(fieldops.openshift.node_pod#connection).
  - The name of the inventory file must end with C(cluster_nodes.yml) or C(cluster_nodes.yaml).
  - If the extra variable C(site_kubeconfig) is set, it replaces O(kubeconfig), as in the playbooks of this collection.
notes:
  - The required RBAC permissions are in C(extensions/rbac/cluster-nodes.yml) of this collection.
extends_documentation_fragment:
  - fieldops.openshift._cluster_options
  - constructed
options:
  plugin:
    description:
      - The name of the plugin, V(fieldops.openshift.cluster_nodes).
    type: str
    required: true
    choices: [fieldops.openshift.cluster_nodes]
  label_selector:
    description:
      - A label selector that nodes must match, such as V(node-role.kubernetes.io/worker).
    type: str
    default: ""
  address_types:
    description:
      - The address types of a node that are used for its C(ansible_host), preferred type first. With an empty list,
        C(ansible_host) is not set, and nodes are reached by their names.
    type: list
    elements: str
    default: [InternalIP, Hostname]
  connection:
    description:
      - The connection plugin for the nodes. By default, it is determined by other variables.
    type: str
    default: ""
  connection_options:
    description:
      - Whether to pass O(kubeconfig), if it is a path, and O(context) of this inventory to the connection plugin
        P(fieldops.openshift.node_pod#connection).
    type: bool
    default: true
  required:
    description:
      - Whether it is an error if the cluster cannot be queried. With V(false), a warning is shown and the inventory
        contains no nodes, so that playbooks that do not need them can run.
    type: bool
    default: true
"""

EXAMPLES = r"""
# site.cluster_nodes.yml: workers without ssh, and further groups. With the first line alone nodes are reached by ssh,
# with the kubeconfig of the environment.
plugin: fieldops.openshift.cluster_nodes
kubeconfig: /home/technician/site.kubeconfig
label_selector: node-role.kubernetes.io/worker
connection: fieldops.openshift.node_pod
groups:
  gpu: "'nvidia.com/gpu.present' in node_labels"
keyed_groups:
  - key: node_architecture
    prefix: arch
"""

import typing as t
from pathlib import Path

from ansible.errors import AnsibleParserError

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import KIND_NOT_SERVED
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import MACHINE_CONFIG_POOL, NODE
from ansible_collections.fieldops.openshift.plugins.plugin_utils._api_client import api_client
from ansible_collections.fieldops.openshift.plugins.plugin_utils._api_inventory import ApiInventory
from ansible_collections.fieldops.openshift.plugins.plugin_utils._node_hosts import NodeHost, hosts_of
from ansible_collections.fieldops.openshift.plugins.plugin_utils._permission_advice import permission_advice

if t.TYPE_CHECKING:
    from ansible.inventory.data import InventoryData
    from ansible.parsing.dataloader import DataLoader


SUFFIXES = ("cluster_nodes.yml", "cluster_nodes.yaml")
SITE_KUBECONFIG = "site_kubeconfig"
"""The variable that names the cluster of playbooks. Nodes of another cluster would be changed in its place."""


class InventoryModule(ApiInventory):
    """Reads nodes and pools, and adds them to the inventory."""

    NAME = "fieldops.openshift.cluster_nodes"

    def verify_file(self, path: str) -> bool:
        """Whether ``path`` is a file for this plugin."""
        return bool(super().verify_file(path)) and path.endswith(SUFFIXES)

    def parse(self, inventory: InventoryData, loader: DataLoader, path: str, cache: bool = True) -> None:
        """Add the hosts that the file at ``path`` asks for; nothing is cached, since a rollout changes it all."""
        super().parse(inventory, loader, path, cache)
        self._read_config_data(path)
        try:
            hosts = self._read_hosts()
        except FieldOpsError as error:
            seen = f"{error}{permission_advice(DOCUMENTATION, error.seen)}"
            if self.get_option("required"):
                raise AnsibleParserError(seen) from error
            self.display.warning(f"The inventory contains no nodes. {seen}")
            hosts = []
        for host in hosts:
            self.add(inventory, host.name, host.groups, {**host.variables, **self._connection_variables()})

    def _read_hosts(self) -> list[NodeHost]:
        with api_client(self.get_option, kubeconfig=self._kubeconfig()) as client:
            nodes = client.list_objects(NODE, labels=self.get_option("label_selector"))
            return hosts_of(nodes, _pools(client), self.get_option("address_types"))

    def _kubeconfig(self) -> t.Any:
        return (self._vars or {}).get(SITE_KUBECONFIG) or self.get_option("kubeconfig")

    def _connection_variables(self) -> dict[str, str]:
        found = {"ansible_connection": self.get_option("connection")}
        kubeconfig = self._kubeconfig()
        if self.get_option("connection_options") and isinstance(kubeconfig, str):
            found.update(
                ansible_node_pod_kubeconfig=str(Path(kubeconfig).expanduser()),
                ansible_node_pod_context=self.get_option("context"),
            )
        return {name: value for name, value in found.items() if value}


def _pools(client: ClusterClient) -> list[dict[str, t.Any]]:
    """Return the pools, none where the cluster has no machine-config operator."""
    try:
        return client.list_objects(MACHINE_CONFIG_POOL)
    except ApiError as error:
        if error.answer.reason == KIND_NOT_SERVED:
            return []
        raise
