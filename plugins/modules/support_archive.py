#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: support_archive
short_description: Create one support archive of a site, from the API and the data of its nodes
version_added: 0.1.0
description:
  - Reads these objects from the API - ClusterVersion, ClusterOperators, MachineConfigPools, MachineConfigNodes,
    MachineConfigs without their files, PinnedImageSets, mirror rules, nodes, MachineSets, pods of the machine-config
    operator, guards of etcd, and the objects of this collection, such as policies, assignments and rollout journals.
    Events are read from the namespaces of this collection, of the cluster-version operator and the machine-config
    operator, and from the namespace of node events.
  - Adds the archives that M(fieldops.openshift.node_support_data) created on nodes and that were fetched to this
    machine. These archives are not trusted. Names are sanitized, sizes are limited, and only regular files are
    accepted.
  - Secret objects are never read. Secrets in other objects, and the credentials of the connection, are removed.
  - If the API is down or refuses a kind of object, only that part is missing. The same applies to a node without an
    archive. The C(manifest.json) file in the archive lists each part with its state, and RV(missing) lists the missing
    parts.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
attributes:
  check_mode:
    details: The API is not used in check mode.
  diff_mode:
    details: The difference is the path of the archive.
  idempotent:
    support: none
    details: Each run creates a new archive.
options:
  path:
    description:
      - The folder on this machine in which the archive is created, with the name C(fieldops-support-<time>.tar.gz).
        Only its owner can read it.
    type: path
    required: true
  hours:
    description: The time span, in hours until now, of the events to keep.
    type: int
    default: 24
  limit_mib:
    description: The maximum size of the data of each node in MiB before compression.
    type: int
    default: 64
  nodes:
    description: The names of all nodes that the archive covers.
    type: list
    elements: str
    default: []
  archives:
    description: The paths of the archives of the nodes on this machine, by node name.
    type: dict
    default: {}
  reports:
    description: More data about nodes, such as results of M(fieldops.openshift.node_info), by node name.
    type: dict
    default: {}
  forecasts:
    description: Space forecasts, such as results of M(fieldops.openshift.node_images) in check mode, by node name.
    type: dict
    default: {}
  reasons:
    description: The reasons for missing archives, by node name.
    type: dict
    default: {}
requirements:
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1; without it the API is not read
notes:
  - The required permissions are in C(extensions/rbac/support-reader.yml) of this collection. With fewer permissions,
    more parts are missing.
seealso:
  - module: fieldops.openshift.node_support_data
"""

EXAMPLES = r"""
- name: Create an archive of the API objects
  fieldops.openshift.support_archive:
    path: /home/technician
    hours: 48
  register: support

- name: Create an archive that includes the data of nodes
  fieldops.openshift.support_archive:
    path: /home/technician
    nodes: [master-0, worker-0]
    archives:
      master-0: /tmp/fetched/master-0.tar.gz
    reasons:
      worker-0: it does not respond
"""

RETURN = r"""
archive:
  description: The archive.
  type: dict
  returned: success
  contains:
    path:
      description: The path of the archive.
      type: str
      sample: /home/technician/fieldops-support-20261121T220107Z.tar.gz
    size:
      description: The size in bytes.
      type: int
      returned: not in check mode
      sample: 9437184
    parts:
      description: The number of requested parts.
      type: int
      returned: not in check mode
      sample: 251
missing:
  description: The parts that could not be collected, in the same format as
    RV(fieldops.openshift.node_support_data#module:missing).
  type: list
  elements: dict
  returned: success
  sample:
    - name: nodes/worker-0
      source: node worker-0
      state: away
      size: 0
      reason: it does not respond
actions:
  description: The API calls that changed something. This module does not make any.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible.module_utils.ansible_release import __version__

from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.own_versions import own_versions
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
        lambda this: support_archive(
            this.params,
            this.clock,
            lambda: cluster_client(this),
            own_versions(__version__),
            check_mode=this.check_mode,
        ),
    )


if __name__ == "__main__":
    main()
