# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: managed_clusters
short_description: Inventory of the clusters of a hub, grouped by state, release, window, ring and hardware
version_added: 0.1.0
author: fieldops.openshift contributors (@fieldops)
description:
  - Adds every cluster of a hub as a host. A cluster is described by its ManagedCluster, ClusterDeployment,
    AgentClusterInstall and ClusterInstance. Kinds that the hub does not serve are skipped.
  - The group C(managed_clusters) contains all clusters, and C(blocked) those with an entry in C(cluster_blocks). The
    groups C(state_*), C(version_*), C(platform_*), C(window_*), C(ring_*) and C(hardware_*) contain the clusters with
    this value. Characters that are not valid in group names are replaced by underscores.
  - Host variables start with C(cluster_). C(cluster_state) is C(available), C(unavailable), C(hibernating),
    C(importing), C(installing), C(install_failed) or C(deleting). C(cluster_blocks) lists what prevents an update.
  - No credential is read. C(cluster_kubeconfig_secret) names the Secret on the hub that contains the kubeconfig of the
    cluster, for the lookup P(fieldops.openshift.cluster_kubeconfig#lookup). The inventory can therefore be cached.
  - The name of the inventory file must end with C(managed_clusters.yml) or C(managed_clusters.yaml).
  - The variable C(site_kubeconfig) is not used, because it is that of a site and not of the hub.
notes:
  - The required RBAC permissions are in C(extensions/rbac/managed-clusters.yml) of this collection.
extends_documentation_fragment:
  - fieldops.openshift._cluster_options
  - constructed
  - inventory_cache
options:
  plugin:
    description:
      - The name of the plugin, V(fieldops.openshift.managed_clusters).
    type: str
    required: true
    choices: [fieldops.openshift.managed_clusters]
  label_selector:
    description:
      - A label selector that ManagedClusters must match, such as V(cluster.open-cluster-management.io/clusterset=edge).
        Clusters without a ManagedCluster are then left out.
    type: str
    default: ""
  window_label:
    description:
      - The label of a ManagedCluster with the name of its maintenance window.
    type: str
    default: fieldops.openshift/window
  ring_label:
    description:
      - The label of a ManagedCluster with the name of its ring, such as C(canary).
    type: str
    default: fieldops.openshift/ring
  hardware_label:
    description:
      - The label of a ManagedCluster with its hardware.
    type: str
    default: fieldops.openshift/hardware
"""

EXAMPLES = r"""
# fleet.managed_clusters.yml: the clusters of one cluster set, cached for ten minutes
plugin: fieldops.openshift.managed_clusters
kubeconfig: /home/technician/hub.kubeconfig
label_selector: cluster.open-cluster-management.io/clusterset=edge
cache: true
cache_plugin: ansible.builtin.jsonfile
cache_connection: /home/technician/.cache/fleet
cache_timeout: 600
keyed_groups:
  - key: cluster_labels['region']
    prefix: region
"""

import typing as t

from ansible.errors import AnsibleParserError
from ansible.plugins.inventory import Cacheable

from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.do.read_hub import read_hub
from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.plan.clusters import LabelKeys, cluster_hosts
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.plugin_utils._api_client import api_client
from ansible_collections.fieldops.openshift.plugins.plugin_utils._api_inventory import ApiInventory
from ansible_collections.fieldops.openshift.plugins.plugin_utils._permission_advice import permission_advice

if t.TYPE_CHECKING:
    from ansible.inventory.data import InventoryData
    from ansible.parsing.dataloader import DataLoader

    Host = t.Mapping[str, t.Any]

SUFFIXES = ("managed_clusters.yml", "managed_clusters.yaml")


class InventoryModule(ApiInventory, Cacheable):
    """Reads the objects of a hub, and adds its clusters to the inventory."""

    NAME = "fieldops.openshift.managed_clusters"

    def verify_file(self, path: str) -> bool:
        """Whether ``path`` is a file for this plugin."""
        return bool(super().verify_file(path)) and path.endswith(SUFFIXES)

    def parse(self, inventory: InventoryData, loader: DataLoader, path: str, cache: bool = True) -> None:
        """Add the hosts that the file at ``path`` asks for, from the cache if it is used and has them."""
        super().parse(inventory, loader, path, cache)
        self._read_config_data(path)
        self.load_cache_plugin()
        for host in self._kept_hosts(self.get_cache_key(path), cache):
            self.add(inventory, host["name"], host["groups"], host["variables"])

    def _kept_hosts(self, key: str, cache: bool) -> list[Host]:
        """Return the hosts as plain data. ``cache`` is false if the user asks for new ones."""
        is_used = self.get_option("cache")
        if is_used and cache and key in self._cache:
            return list(self._cache[key])
        hosts = self._read_hosts()
        if is_used:
            self._cache[key] = hosts
        return hosts

    def _read_hosts(self) -> list[Host]:
        keys = LabelKeys(*(self.get_option(f"{name}_label") for name in ("window", "ring", "hardware")))
        try:
            with api_client(self.get_option) as client:
                found = cluster_hosts(read_hub(client, self.get_option("label_selector")), keys)
        except FieldOpsError as error:
            raise AnsibleParserError(f"{error}{permission_advice(DOCUMENTATION, error.seen)}") from error
        return [{"name": one.name, "groups": [*one.groups], "variables": dict(one.variables)} for one in found]
