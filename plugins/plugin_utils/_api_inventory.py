# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""What inventories of the API have in common: their file, their client, and how hosts are added."""

from __future__ import annotations

import typing as t

from ansible.inventory.group import to_safe_group_name
from ansible.plugins.inventory import BaseInventoryPlugin, Constructable
from ansible.utils.unsafe_proxy import wrap_var

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun

if t.TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ansible.inventory.data import InventoryData

    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient


class ApiInventory(BaseInventoryPlugin, Constructable):
    """An inventory whose file ends with the name of the plugin."""

    def verify_file(self, path: str) -> bool:
        """Whether ``path`` is a file for this plugin."""
        name = self.NAME.rpartition(".")[2]
        return bool(super().verify_file(path)) and path.endswith((f"{name}.yml", f"{name}.yaml"))

    def client(self, **replaced: t.Any) -> ClusterClient:
        """Return a client with the connection options of the file; ``replaced`` has others by name."""
        params = {name: self.get_option(name) for name in CLUSTER_OPTIONS.options} | replaced
        return cluster_client(ModuleRun(params=params, check_mode=False, clock=SystemClock()))

    def add(self, inventory: InventoryData, name: str, groups: Iterable[str], variables: Mapping[str, t.Any]) -> None:
        """Add a host with its variables, to its groups and to those that the file constructs."""
        inventory.add_host(name)
        safe = {key: _never_templates(value) for key, value in variables.items()}
        for key, value in safe.items():
            inventory.set_variable(name, key, value)
        for group in groups:
            known = inventory.add_group(to_safe_group_name(group, force=True, silent=True))
            inventory.add_child(known, name)
        strict = self.get_option("strict")
        self._set_composite_vars(self.get_option("compose"), safe, name, strict=strict)
        self._add_host_to_composed_groups(self.get_option("groups"), safe, name, strict=strict)
        self._add_host_to_keyed_groups(self.get_option("keyed_groups"), safe, name, strict=strict)


def _never_templates(value: t.Any) -> t.Any:
    """Return ``value`` with every text that looks like a template marked as none, in all versions of Ansible."""
    if isinstance(value, dict):
        return {name: _never_templates(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_never_templates(each) for each in value]
    return wrap_var(value) if isinstance(value, str) and "{" in value else value
