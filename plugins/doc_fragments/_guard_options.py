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
      - Settings that determine whether the change may start now. By default, the change management of the cluster is
        used.
      - The decision is made for the resource that the change concerns. If the cluster has no MachineConfigPool for
        the nodes, the decision for its ClusterVersion is used.
      - Null is rejected, for this option and for C(stanza), C(assignments) and C(policies), so that an empty variable
        never permits change.
    type: dict
    suboptions:
      stanza:
        description:
          - A change management stanza to use instead of the assignments in the cluster, for all resources that are
            not listed in C(assignments). Overrides in the cluster still apply.
        type: dict
      assignments:
        description:
          - Change management stanzas by C(kind.name), or by C(kind.namespace.name) on a hub cluster, to use for these
            resources instead of the assignments in the cluster.
        type: dict
      policies:
        description:
          - Change management policies by name, each as C(spec) with C(ready) or as the content of C(spec). They take
            precedence over policies of the same name in the cluster.
        type: dict
      governed:
        description:
          - Whether the site is governed. On a governed site, change of resources without an assignment is restricted.
            A site can also be marked as governed in the cluster, see
            O(fieldops.openshift.change_policy#module:governed).
        type: bool
        default: false
      allow_missing:
        description:
          - Whether C(assignments) may list resources that do not exist in the cluster. By default this is an error,
            because a misspelled name would have no effect.
        type: bool
        default: false
      estimate:
        description:
          - The duration of the change in seconds, if it is not known from an earlier change. Change must be permitted
            for at least that long, otherwise nothing is started. If no maintenance window is that long, the module
            fails.
        type: int
        default: 0
      clock_limit:
        description:
          - The maximum difference in seconds between the clocks of the controller and of the API server. If it is
            exceeded, change is not permitted.
        type: int
        default: 30
"""
