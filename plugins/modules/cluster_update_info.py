#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: cluster_update_info
short_description: Gather information about a cluster update, its preconditions and paused machine scaling
version_added: 0.1.0
description:
  - O(gather=update) evaluates an update as M(fieldops.openshift.cluster_update) does before it requests the release.
    Nothing is changed. It requires O(image), and the other options of a request apply to it only.
  - O(gather=machine_scaling) returns the ClusterAutoscalers, MachineAutoscalers, MachineHealthChecks and
    NodeHealthChecks, which of them M(fieldops.openshift.machine_scaling_pause) has paused, since when, and the values
    that will be restored.
  - O(gather=readiness) returns the releases for which every node is ready, as recorded by
    M(fieldops.openshift.release_readiness). It is empty on a cluster without a record.
  - O(gather=accepted_bundles) returns the bundles recorded by M(fieldops.openshift.accepted_bundle), and the releases
    that new bundles are compared with.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._update_request_options
options:
  gather:
    description: The information to return. Only the listed subsets are queried.
    type: list
    elements: str
    choices: [update, machine_scaling, readiness, accepted_bundles]
    default: [update]
  image:
    default: ""
notes:
  - The required RBAC permissions are in C(extensions/rbac/cluster-update-reader.yml) of this collection, and for
    O(gather=accepted_bundles) in C(extensions/rbac/accepted-bundles.yml).
seealso:
  - module: fieldops.openshift.accepted_bundle
  - module: fieldops.openshift.cluster_update
  - module: fieldops.openshift.machine_scaling_pause
  - module: fieldops.openshift.release_readiness
"""

EXAMPLES = r"""
- name: Gather the preconditions of an update to the release in a bundle
  fieldops.openshift.cluster_update_info:
    image: "{{ found.bundle.release }}"
    version: "{{ found.bundle.version }}"
  register: prospect

- name: Gather the readiness of nodes and the paused machine scaling
  fieldops.openshift.cluster_update_info:
    gather: [readiness, machine_scaling]
  register: site_found

- name: Show the releases that all nodes are ready for
  ansible.builtin.debug:
    msg: "{{ site_found.readiness | selectattr('ready') | map(attribute='version') }}"
"""

RETURN = r"""
release:
  description: The requested release.
  type: dict
  returned: with O(gather=update)
  contains:
    image:
      description: The release image.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-release@sha256:9e2e4cf1..."
    version:
      description: The version, if known.
      type: str
      sample: 4.21.5
    state:
      description:
        - The state of the update. V(none) if it has not been requested, V(requested) until the cluster version
          operator responds, V(refused) if the operator rejects it, V(partial) while it is in progress, V(failing)
          while it is in progress with a failure, V(completed), or V(superseded) if a different release was requested
          before it was complete.
      type: str
      sample: partial
    trouble:
      description: The problem reported by the cluster version operator.
      type: str
      sample: ""
    waits_for_nodes:
      description: Whether everything is updated except what depends on the nodes of the pools that the update
        requires.
      type: bool
      sample: false
    rendered:
      description:
        - Whether the goal V(operators) of M(fieldops.openshift.cluster_update) is reached, so that nodes that are
          updated now receive the configuration of the release.
      type: bool
      sample: false
    started:
      description: When the update started.
      type: str
      sample: "2026-11-21T22:04:51Z"
    completed:
      description: When the update completed. Empty until then.
      type: str
      sample: ""
    verified:
      description: Whether the release signature was verified.
      type: bool
      sample: true
current_version:
  description: The release of the last completed update.
  type: str
  returned: with O(gather=update)
  sample: 4.21.3
operators_behind:
  description: The cluster operators that have not reached the release while the update is in progress.
  type: list
  elements: str
  returned: with O(gather=update)
  sample: [machine-config]
pools:
  description: The node pools.
  type: list
  elements: dict
  returned: with O(gather=update)
  contains:
    name:
      description: The name of the pool.
      type: str
      sample: master
    required:
      description: Whether the update cannot complete without this pool.
      type: bool
      sample: true
    paused:
      description: Whether updates of the pool are paused.
      type: bool
      sample: false
    updated:
      description: Whether all nodes have the current configuration of the pool.
      type: bool
      sample: false
    machines:
      description: The number of nodes.
      type: int
      sample: 3
    updated_machines:
      description: The number of nodes with that configuration.
      type: int
      sample: 1
    degraded_reason:
      description: Why the pool is degraded. Empty if it is not.
      type: str
      sample: ""
preconditions:
  description: The preconditions, which block the update or should be considered before it, as evaluated before it was
    requested.
  type: list
  elements: dict
  returned: with O(gather=update)
  contains:
    code:
      description:
        - One of V(not_installed), V(another_update), V(version_unknown), V(rollback), V(too_far), V(admin_ack),
          V(not_upgradeable), V(not_evaluated), V(risk), V(missing_images), V(signature), V(pool_degraded),
          V(required_pool_paused) and V(pool_paused).
      type: str
      sample: required_pool_paused
    blocking:
      description: Whether the problem prevents the release from being requested.
      type: bool
      sample: false
    seen:
      description: The observed state.
      type: str
      sample: pool master is paused, and the update is waiting for it
    advice:
      description: The recommended action.
      type: str
      sample: Everything else is updated in the meantime. Unpause the pool when its nodes may be rebooted.
blocked:
  description: Whether any precondition blocks the update.
  type: bool
  returned: with O(gather=update)
  sample: false
admin_gates:
  description: The administrator acknowledgements that are missing and required before the next minor version.
  type: list
  elements: dict
  returned: with O(gather=update)
  contains:
    key:
      description: The key to acknowledge.
      type: str
      sample: ack-4.21-kube-1.35-api-removals-in-4.22
    description:
      description: The description from the release.
      type: str
      sample: Kubernetes 1.35 removes APIs which may need consideration.
sentence:
  description: The state of the update as a one-line message.
  type: str
  returned: with O(gather=update)
  sample: the cluster is at 4.21.3, and 4.21.5 has not been requested
machine_scaling:
  description: The autoscalers and health checks, and which of them are paused.
  type: dict
  returned: with O(gather=machine_scaling)
  contains:
    paused:
      description: Whether this collection has paused any of the objects.
      type: bool
      sample: false
    objects:
      description: All objects of these kinds, in the same format as
        RV(fieldops.openshift.machine_scaling_pause#module:objects).
      type: list
      elements: dict
      sample:
        - kind: MachineHealthCheck
          namespace: openshift-machine-api
          name: workers
          paused: false
          by: ""
          since: ""
          reason: ""
          fields: []
readiness:
  description: The recorded releases, most recently checked first.
  type: list
  elements: dict
  returned: with O(gather=readiness)
  contains:
    digest:
      description: The digest of the release image.
      type: str
      sample: "sha256:0f1c..."
    version:
      description: The version of the release.
      type: str
      sample: 4.21.4
    checked:
      description: When the record last changed.
      type: str
      sample: "2026-11-28T20:14:00Z"
    ready:
      description: Whether all nodes are ready.
      type: bool
      sample: true
    sentence:
      description: A human-readable summary of the nodes that are not ready and the reasons.
      type: str
      sample: "4 of 5 nodes are ready for 4.21.4; worker-2: the node does not have the bundle"
    nodes:
      description: >-
        The nodes, each with C(name), C(ready), C(conditions), and the size of the staged bundle as C(staged_bytes),
        since the time C(staged) of the clock of the node.
      type: list
      elements: dict
      sample: []
accepted_bundles:
  description: The bundles that the cluster has accepted.
  type: dict
  returned: with O(gather=accepted_bundles)
  contains:
    bundles:
      description: The accepted bundles, oldest first.
      type: list
      elements: dict
      contains:
        index_digest:
          description: The digest of the bundle index.
          type: str
          sample: "sha256:3f2a1b0c..."
        version:
          description: The version of the release.
          type: str
          sample: 4.20.1
        architecture:
          description: The architecture of the images.
          type: str
          sample: x86_64
        serial:
          description: The serial of the bundle, or null.
          type: int
          sample: 1795298467
        built:
          description: When the bundle was built, or null.
          type: str
          sample: "2026-11-21T22:01:07Z"
        accepted:
          description: When the cluster accepted the bundle.
          type: str
          sample: "2026-11-28T20:14:00Z"
        by:
          description: The user who accepted the bundle, as authenticated by the API server.
          type: str
          sample: system:serviceaccount:site:automation
        older:
          description: Whether the bundle was older than the cluster and was allowed explicitly.
          type: bool
          sample: false
    running:
      description: The releases that new bundles are compared with.
      type: dict
      contains:
        completed:
          description: The newest completed release of the cluster. Empty if unknown.
          type: str
          sample: 4.20.1
        desired:
          description: The desired release of the cluster.
          type: str
          sample: 4.20.1
actions:
  description: Always empty, because this module makes no changes.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.do.accepted_bundles import read_accepted
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.machine_automation import (
    read_automation,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.release_readiness import (
    read_readiness,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.update_step import (
    REQUEST_OPTIONS,
    look_at_update,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.gathering import gather_option, gathered
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run

READERS = {
    "update": look_at_update,
    "machine_scaling": lambda client, _params: read_automation(client),
    "readiness": lambda client, _params: [one.as_result() for one in read_readiness(client)],
    "accepted_bundles": lambda client, _params: read_accepted(client),
}
OPTIONS = {**REQUEST_OPTIONS, "image": {"type": "str", "default": ""}}
SPEC = CLUSTER_OPTIONS.merged(gather_option(READERS), ArgumentSpec(options=OPTIONS))


def main() -> t.NoReturn:
    run(SPEC, lambda this: gathered(READERS, cluster_client(this), this.params))


if __name__ == "__main__":
    main()
