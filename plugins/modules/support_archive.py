#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: support_archive
short_description: Make one archive for the support of a site, of its objects and of what its nodes have collected
version_added: 0.1.0
description:
  - Reads from the API the ClusterVersion, the ClusterOperators, the MachineConfigPools, MachineConfigNodes,
    MachineConfigs without their files, PinnedImageSets, rules about mirrors, nodes and MachineSets, and what this
    collection keeps in the cluster, such as policies, assignments and the journals of rollouts. Events are read of the
    namespaces of this collection, of the operators for versions and machine configurations, and of nodes.
  - Puts it side by side with the archives that M(fieldops.openshift.node_support_data) has made on nodes and that were
    fetched to this machine. These are read as input of strangers. Names are made safe, sizes are bounded, and nothing
    but regular files is taken over.
  - Secrets are never read. What looks like one elsewhere is taken out, and so are the credentials in use.
  - An API that is away, or that refuses a kind of object, costs that part alone. So does a node of which there is
    nothing. The C(manifest.json) of the archive names each part with its state, and RV(missing) those that could not
    be had.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
attributes:
  check_mode:
    support: full
    details: Nothing is asked of the API then.
  diff_mode:
    support: full
    details: It names the archive.
  idempotent:
    support: none
    details: Each run makes an archive of its own.
options:
  path:
    description:
      - The folder on this machine in which the archive is made, as C(fieldops-support-<time>.tar.gz). Its owner alone
        can read it.
    type: path
    required: true
  hours:
    description: Of how many hours until now to keep events.
    type: int
    default: 24
  limit_mib:
    description: How many MiB to take over from each node at most, before compression.
    type: int
    default: 64
  nodes:
    description: The names of all nodes of which there is to be something.
    type: list
    elements: str
    default: []
  archives:
    description: Where the archives of nodes are on this machine, by the name of the node.
    type: dict
    default: {}
  reports:
    description: What else is known of nodes, such as results of M(fieldops.openshift.node_info), by their names.
    type: dict
    default: {}
  forecasts:
    description: Whether images fit on nodes, such as results of M(fieldops.openshift.node_images) in check mode.
    type: dict
    default: {}
  reasons:
    description: Why there is no archive of a node, by the name of the node.
    type: dict
    default: {}
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1; without it nothing is read from the API
notes:
  - The rights that it needs are in C(extensions/rbac/support-reader.yml) of this collection. With fewer of them it
    reads less.
seealso:
  - module: fieldops.openshift.node_support_data
"""

EXAMPLES = r"""
- name: Make an archive of what the API tells
  fieldops.openshift.support_archive:
    path: /home/technician
    hours: 48
  register: support

- name: Add what was fetched from nodes
  fieldops.openshift.support_archive:
    path: /home/technician
    nodes: [master-0, worker-0]
    archives:
      master-0: /tmp/fetched/master-0.tar.gz
    reasons:
      worker-0: it does not answer
"""

RETURN = r"""
archive:
  description: The archive.
  type: dict
  returned: success
  contains:
    path:
      description: Where it lies.
      type: str
      sample: /home/technician/fieldops-support-20261121T220107Z.tar.gz
    size:
      description: Its bytes.
      type: int
      returned: not in check mode
      sample: 9437184
    parts:
      description: How many parts were asked for.
      type: int
      returned: not in check mode
      sample: 251
missing:
  description: The parts that could not be had, as RV(fieldops.openshift.node_support_data#module:missing).
  type: list
  elements: dict
  returned: success
  sample:
    - name: nodes/worker-0
      source: node worker-0
      state: away
      size: 0
      reason: it does not answer
actions:
  description: The API calls that changed something. This module makes none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.support_archive import support_archive

OPTIONS: dict[str, dict[str, t.Any]] = {
    "path": {"type": "path", "required": True},
    "hours": {"type": "int", "default": 24},
    "limit_mib": {"type": "int", "default": 64},
    "nodes": {"type": "list", "elements": "str", "default": []},
    "archives": {"type": "dict", "default": {}},
    "reports": {"type": "dict", "default": {}},
    "forecasts": {"type": "dict", "default": {}},
    "reasons": {"type": "dict", "default": {}},
}
SPEC = CLUSTER_OPTIONS.merged(ArgumentSpec(options=OPTIONS))


def main() -> t.NoReturn:
    run(
        SPEC,
        lambda this: support_archive(this.params, this.clock, lambda: cluster_client(this), check_mode=this.check_mode),
    )


if __name__ == "__main__":
    main()
