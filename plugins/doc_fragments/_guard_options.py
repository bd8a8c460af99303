# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the option in module_utils/_changes/do/guard.py."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  guard:
    description:
      - What decides whether the change may be begun now. By default the change management of the cluster.
      - The resource that is asked about is the one that the change concerns. Where the cluster has no MachineConfigPool
        for the nodes, its ClusterVersion answers for them.
      - Null is an error, here and for C(stanza), C(assignments) and C(policies). An empty variable must open no site.
    type: dict
    suboptions:
      stanza:
        description:
          - A change management stanza that decides in place of what the cluster keeps, for every resource that
            C(assignments) do not name. An override in the cluster is in force over it all the same.
        type: dict
      assignments:
        description:
          - Change management stanzas by C(kind.name), or C(kind.namespace.name) on a hub, in place of what the cluster
            keeps for these resources.
        type: dict
      policies:
        description:
          - Change management policies by name, each C(spec) with C(ready) or the content of C(spec) alone. They go
            before policies of the same name in the cluster.
        type: dict
      governed:
        description:
          - Whether the site is governed. Then a resource that nothing is assigned to is closed, not open. A site can
            also be marked so in the cluster, see O(fieldops.openshift.change_policy#module:governed).
        type: bool
        default: false
      allow_missing:
        description:
          - Whether C(assignments) may name resources that the cluster does not have. Otherwise it is an error, because
            what is misspelt would govern nothing.
        type: bool
        default: false
      estimate:
        description:
          - How many seconds the change takes, where no earlier one tells. Change must be permitted for at least that
            long, else nothing is begun. Where no window is ever that long it is an error.
        type: int
        default: 0
      clock_limit:
        description:
          - By how many seconds the clock of the controller and that of the API server may differ. Beyond that nothing
            is permitted.
        type: int
        default: 30
"""
