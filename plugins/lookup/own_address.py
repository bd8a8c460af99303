# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: own_address
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Return the address of the controller that other machines can reach
description:
  - For each given address, returns the source address that the controller uses to reach it. The route is read from
    the kernel. No packet is sent.
options:
  _terms:
    description: IP addresses of other machines.
    type: list
    elements: str
    required: true
"""

EXAMPLES = r"""
- name: Show the address of the controller for a node
  ansible.builtin.debug:
    msg: "{{ lookup('fieldops.openshift.own_address', '192.0.2.11') }}"
"""

RETURN = r"""
_raw:
  description: The addresses of the controller, one for each given address.
  type: list
  elements: str
"""

import typing as t

from ansible.errors import AnsibleLookupError
from ansible.plugins.lookup import LookupBase

from ansible_collections.fieldops.openshift.plugins.module_utils._net.own_address import own_address_towards
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class LookupModule(LookupBase):
    """The lookup as ansible-core finds it."""

    def run(self, terms: list[str], variables: dict[str, t.Any] | None = None, **kwargs: t.Any) -> list[str]:
        """Return the own address towards each of ``terms``."""
        self.set_options(var_options=variables, direct=kwargs)
        try:
            return [own_address_towards(str(term)) for term in terms]
        except FieldOpsError as error:
            raise AnsibleLookupError(str(error)) from error
