# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""How inventories of the API add their hosts."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping

from ansible.inventory.group import to_safe_group_name
from ansible.plugins.inventory import BaseInventoryPlugin, Constructable
from ansible.utils.unsafe_proxy import wrap_var

if t.TYPE_CHECKING:
    from ansible.inventory.data import InventoryData


class ApiInventory(BaseInventoryPlugin, Constructable):
    """An inventory whose variables come from objects of the API."""

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
