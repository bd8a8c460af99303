# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
name: cluster_kubeconfig
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Read the kubeconfig of a cluster from its Secret on the hub
description:
  - Returns the content of a kubeconfig, for options and variables that accept one as a dictionary.
  - Hive stores the kubeconfig of a cluster in a Secret on the hub. The inventory
    P(fieldops.openshift.managed_clusters#inventory) names it, and this lookup reads it when it is needed. Use C(no_log)
    for tasks with the result.
notes:
  - The required RBAC permissions are in C(extensions/rbac/cluster-kubeconfigs.yml) of this collection.
extends_documentation_fragment:
  - fieldops.openshift._cluster_options
options:
  _terms:
    description: The C(namespace), C(name) and C(key) of Secrets, as in C(cluster_kubeconfig_secret).
    type: list
    elements: dict
    required: true
"""

EXAMPLES = r"""
- name: Create the credential of a cluster in AWX
  awx.awx.credential:
    name: "{{ inventory_hostname }} kubeconfig"
    organization: Default
    credential_type: fieldops.openshift kubeconfig
    inputs:
      kubeconfig: "{{ lookup('fieldops.openshift.cluster_kubeconfig', cluster_kubeconfig_secret) | to_json }}"
  no_log: true
"""

RETURN = r"""
_raw:
  description: The kubeconfigs.
  type: list
  elements: dict
"""

import typing as t

from ansible.errors import AnsibleLookupError
from ansible.plugins.lookup import LookupBase

from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.do.read_kubeconfig import read_kubeconfig
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.plugin_utils._api_client import api_client
from ansible_collections.fieldops.openshift.plugins.plugin_utils._permission_advice import permission_advice


class LookupModule(LookupBase):
    """The lookup as ansible-core finds it."""

    def run(
        self, terms: list[t.Any], variables: dict[str, t.Any] | None = None, **kwargs: t.Any
    ) -> list[dict[str, t.Any]]:
        """Return the kubeconfig of each of ``terms``."""
        self.set_options(var_options=variables, direct=kwargs)
        try:
            with api_client(self.get_option) as client:
                return [read_kubeconfig(client, term) for term in terms]
        except FieldOpsError as error:
            advice = permission_advice(DOCUMENTATION, error.seen)
            raise AnsibleLookupError(f"cluster_kubeconfig: {error}{advice}") from error
