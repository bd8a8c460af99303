#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: cluster_update_info
short_description: Gather what stands in the way of a release, how far the cluster is on its way, and what is held
version_added: 0.1.0
description:
  - With O(gather=update) judges an update as M(fieldops.openshift.cluster_update) does before it asks for the release,
    and changes nothing.
  - With O(gather=machine_scaling) returns ClusterAutoscalers, MachineAutoscalers, MachineHealthChecks and
    NodeHealthChecks, which of them M(fieldops.openshift.machine_scaling_pause) holds, since when, and what they will be
    again.
  - With O(gather=readiness) returns for which releases every node is ready, as M(fieldops.openshift.release_readiness)
    has recorded it. A cluster without a record has none.
  - With O(gather=accepted_bundles) returns what M(fieldops.openshift.accepted_bundle) has recorded, and which release
    a bundle is compared with.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
options:
  gather:
    description: What to return. Only what is named is asked for.
    type: list
    elements: str
    choices: [update, machine_scaling, readiness, accepted_bundles]
    default: [update]
  image:
    description:
      - The release image as C(repository@sha256:...), as in
        RV(fieldops.openshift.release_bundle_info#module:bundle.release).
      - It has to bear the name under which the nodes hold, pin and mirror it.
      - Required for O(gather=update), which alone takes this and the options below.
    type: str
    default: ""
  version:
    description:
      - The version of that release. The cluster refuses it where the image is of another version.
      - Without it the rules for new minor versions are left to the cluster version operator, unless the cluster knows
        the image.
    type: str
    default: ""
  nodes_without_images:
    description:
      - The names of nodes on which images of the release are not pinned. If there are any the release is not asked for.
    type: list
    elements: str
    default: []
  accepted_risks:
    description:
      - The names of risks that the update service holds against this update and that the site accepts.
    type: list
    elements: str
    default: []
  replace_running_update:
    description:
      - Whether to leave another update that has not ended for this one.
    type: bool
    default: false
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/cluster-update-reader.yml) of this collection, for
    O(gather=accepted_bundles) in C(extensions/rbac/accepted-bundles.yml).
seealso:
  - module: fieldops.openshift.accepted_bundle
  - module: fieldops.openshift.cluster_update
  - module: fieldops.openshift.machine_scaling_pause
  - module: fieldops.openshift.release_readiness
"""

EXAMPLES = r"""
- name: See what stands in the way of the release in a bundle
  fieldops.openshift.cluster_update_info:
    image: "{{ found.bundle.release }}"
    version: "{{ found.bundle.version }}"
  register: prospect

- name: See for which releases the nodes are ready, and what is held since the last update
  fieldops.openshift.cluster_update_info:
    gather: [readiness, machine_scaling]
  register: site_found

- name: Show the releases that every node is ready for
  ansible.builtin.debug:
    msg: "{{ site_found.readiness | selectattr('ready') | map(attribute='version') }}"
"""

RETURN = r"""
release:
  description: The release that is asked about.
  type: dict
  returned: with O(gather=update)
  contains:
    image:
      description: Its image.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-release@sha256:9e2e4cf1..."
    version:
      description: Its version, as far as it is known.
      type: str
      sample: 4.21.5
    state:
      description:
        - V(none) when nobody asked for it, V(requested) until the cluster version operator has answered, V(refused),
          V(partial) while it is on its way, V(failing) while it is and something is wrong, V(completed), or
          V(superseded) when somebody asked for another one before it was complete.
      type: str
      sample: partial
    trouble:
      description: What the cluster version operator says against it.
      type: str
      sample: ""
    waits_for_nodes:
      description: Whether all is done but what needs the nodes of the pools that the update requires.
      type: bool
      sample: false
    rendered:
      description:
        - Whether goal V(operators) of M(fieldops.openshift.cluster_update) is reached, so that nodes that are taken now
          get the configuration of the release.
      type: bool
      sample: false
    started:
      description: When the update began.
      type: str
      sample: "2026-11-21T22:04:51Z"
    completed:
      description: When it was complete. Empty until then.
      type: str
      sample: ""
    verified:
      description: Whether the signature of the release was verified.
      type: bool
      sample: true
current_version:
  description: The release that was last reached completely.
  type: str
  returned: with O(gather=update)
  sample: 4.21.3
operators_behind:
  description: The cluster operators that are not at the release yet, while the update is on its way.
  type: list
  elements: str
  returned: with O(gather=update)
  sample: [machine-config]
pools:
  description: The pools of nodes.
  type: list
  elements: dict
  returned: with O(gather=update)
  contains:
    name:
      description: The name of the pool.
      type: str
      sample: master
    required:
      description: Whether the update is complete only when this pool is.
      type: bool
      sample: true
    paused:
      description: Whether the pool is kept from updating.
      type: bool
      sample: false
    updated:
      description: Whether all nodes have the configuration that the pool has now.
      type: bool
      sample: false
    machines:
      description: The number of nodes.
      type: int
      sample: 3
    updated_machines:
      description: How many of them have it.
      type: int
      sample: 1
    degraded_reason:
      description: Why the pool cannot go on, where it cannot.
      type: str
      sample: ""
preconditions:
  description: What stands in the way of the update or is worth knowing before it, as judged before it was asked for.
  type: list
  elements: dict
  returned: with O(gather=update)
  contains:
    code:
      description:
        - One of V(not_installed), V(another_update), V(version_unknown), V(rollback), V(too_far), V(admin_ack),
          V(not_upgradeable), V(risk), V(missing_images), V(signature), V(pool_degraded), V(required_pool_paused) and
          V(pool_paused).
      type: str
      sample: required_pool_paused
    blocking:
      description: Whether the release is not asked for because of it.
      type: bool
      sample: false
    seen:
      description: What was seen.
      type: str
      sample: pool master is paused, and the update waits for it
    advice:
      description: What to do about it.
      type: str
      sample: Everything else is updated meanwhile; unpause the pool when its nodes may be rebooted.
blocked:
  description: Whether any of the preconditions is blocking.
  type: bool
  returned: with O(gather=update)
  sample: false
admin_gates:
  description: The changes that nobody has acknowledged and that have to be before the next minor version.
  type: list
  elements: dict
  returned: with O(gather=update)
  contains:
    key:
      description: What is acknowledged.
      type: str
      sample: ack-4.21-kube-1.35-api-removals-in-4.22
    description:
      description: What the release says about it.
      type: str
      sample: Kubernetes 1.35 removes APIs which may need consideration.
sentence:
  description: Where the update stands, in one line.
  type: str
  returned: with O(gather=update)
  sample: the cluster is at 4.21.3, and 4.21.5 has not been asked for
machine_scaling:
  description: What adds, removes or replaces machines by itself, and what of it is held.
  type: dict
  returned: with O(gather=machine_scaling)
  contains:
    paused:
      description: Whether any of the objects is held by this collection.
      type: bool
      sample: false
    objects:
      description: All objects of these kinds, in the form of
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
  description: The recorded releases, the last checked first.
  type: list
  elements: dict
  returned: with O(gather=readiness)
  contains:
    digest:
      description: The digest of the release image.
      type: str
      sample: "sha256:0f1c..."
    version:
      description: Its version.
      type: str
      sample: 4.21.4
    checked:
      description: When something of it changed last.
      type: str
      sample: "2026-11-28T20:14:00Z"
    ready:
      description: Whether every node is.
      type: bool
      sample: true
    sentence:
      description: Which nodes are not ready and why, for a person.
      type: str
      sample: "4 of 5 nodes are ready for 4.21.4; worker-2: the node does not know the bundle"
    nodes:
      description: Each node with its C(name), whether it is C(ready), and its C(conditions).
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
          description: The digest of its index.
          type: str
          sample: "sha256:3f2a1b0c..."
        version:
          description: The version of its release.
          type: str
          sample: 4.20.1
        architecture:
          description: The architecture of its images.
          type: str
          sample: x86_64
        serial:
          description: Its serial, or null.
          type: int
          sample: 1795298467
        built:
          description: When it was built, or null.
          type: str
          sample: "2026-11-21T22:01:07Z"
        accepted:
          description: When the cluster accepted it.
          type: str
          sample: "2026-11-28T20:14:00Z"
        by:
          description: The user that had it accepted, as the API knows it.
          type: str
          sample: system:serviceaccount:site:automation
        older:
          description: Whether it was older than the cluster and explicitly allowed.
          type: bool
          sample: false
    running:
      description: The releases that a bundle is compared with.
      type: dict
      contains:
        completed:
          description: The newest release that the cluster has reached completely, empty where that is not known.
          type: str
          sample: 4.20.1
        desired:
          description: The release that the cluster is on its way to, or has reached.
          type: str
          sample: 4.20.1
actions:
  description: The calls that changed something. This module makes none.
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
