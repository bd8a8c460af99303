#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: cluster_update
short_description: Manage the update of a cluster to a release by digest
version_added: 0.1.0
description:
  - Requests a release from the cluster version operator by digest and reports the progress of the update, including
    the operators and pools that remain.
  - C(force) is never set. The release signature is part of the bundle and is applied to the cluster first, so that no
    external signature store is needed.
  - The preconditions of the update are evaluated before the update is requested, by the rules of the cluster version
    operator. Each problem is reported with a recommended action.
  - The module can be interrupted and run again at any time. An update that has already been requested is not
    requested again, and temporary outages of the API are tolerated.
  - Before anything is written, the module checks with change management that change of the cluster is permitted. It
    checks again until the cluster starts the update, because a pending request can start at any time. If change is
    restricted, nothing is written, the module does not wait, and RV(ended) contains the time at which change is
    permitted again. An update that has started is followed without a check.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._guard_options
  - fieldops.openshift._update_request_options
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    details: Sends every write to the API server as a dry run.
options:
  state:
    description:
      - V(requested) requests the release.
      - V(withdrawn) withdraws a request that has not started. The cluster version operator retries a rejected release
        indefinitely, so a request that is not withdrawn could start unattended. An update that has
        started is never withdrawn.
    type: str
    choices: [requested, withdrawn]
    default: requested
  image:
    required: true
  signature_config_map:
    description:
      - The ConfigMap with the release signature, as returned in
        RV(fieldops.openshift.release_bundle_info#module:signature_config_map). Any other object is rejected.
    type: dict
  acknowledged_gates:
    description:
      - The keys of administrator acknowledgements, such as C(ack-4.21-kube-1.35-api-removals-in-4.22). The module
        sets them in the cluster, as required before an update to a new minor version.
    type: list
    elements: str
    default: []
  wait_for:
    description:
      - The goal to wait for with O(wait=true). V(accepted) is reached when the cluster version operator has started
        the update. V(completed) is reached when the update has completed and the pools that it requires are updated.
      - V(operators) is reached when all operators except C(machine-config), which waits for nodes, are at the
        release, and C(machine-config) has rendered the configuration of the release for each pool that the update
        requires. Nodes that still wait for an older configuration are ignored, and some nodes may already be updated.
        Use it at a site that rolls its nodes in its own maintenance window.
      - V(nodes) is reached when the update has completed and the machine-config operator reports all nodes of all
        pools as updated, including workers.
    type: str
    choices: [accepted, operators, completed, nodes]
    default: completed
  patience:
    description:
      - The time in seconds for which a rejection or failure must persist before the task fails. The cluster version
        operator retries by itself, and checks for new signatures only every two to four minutes.
      - For failures, the time starts after the last update of a node that the release waited for. Failures that do
        not prevent the goal in O(wait_for) are ignored.
    type: int
    default: 600
notes:
  - The required RBAC permissions are in C(extensions/rbac/cluster-update.yml) and
    C(extensions/rbac/change-management-reader.yml) of this collection.
seealso:
  - module: fieldops.openshift.cluster_update_info
  - module: fieldops.openshift.change_management_info
  - module: fieldops.openshift.machine_scaling_pause
"""

EXAMPLES = r"""
- name: Gather the content of the bundle
  fieldops.openshift.release_bundle_info:
    path: /mnt/disk/4.21.5
  register: found

- name: Update the cluster to the release
  fieldops.openshift.cluster_update:
    image: "{{ found.bundle.release }}"
    version: "{{ found.bundle.version }}"
    signature_config_map: "{{ found.signature_config_map }}"
    wait: true
    wait_timeout: 14400

- name: Update everything except the nodes
  fieldops.openshift.cluster_update:
    image: "{{ found.bundle.release }}"
    version: "{{ found.bundle.version }}"
    signature_config_map: "{{ found.signature_config_map }}"
    wait_for: operators
    wait: true
    wait_timeout: 7200
    guard:
      estimate: 5400
  register: update_asked

- name: End the play until change is permitted again
  ansible.builtin.meta: end_play
  when: update_asked.ended is not none

- name: Withdraw the request if the update has not started
  fieldops.openshift.cluster_update:
    state: withdrawn
    image: "{{ found.bundle.release }}"
    version: "{{ found.bundle.version }}"
"""

RETURN = r"""
release:
  description: The requested release, in the same format as RV(fieldops.openshift.cluster_update_info#module:release).
  type: dict
  returned: success
  sample: {image: 'quay.io/openshift-release-dev/ocp-release@sha256:9e2e4cf1...', version: 4.21.5}
current_version:
  description: The release of the last completed update.
  type: str
  returned: success
  sample: 4.21.3
operators_behind:
  description: The cluster operators that have not reached the release while the update is in progress.
  type: list
  elements: str
  returned: success
  sample: [machine-config]
pools:
  description: The node pools, in the same format as RV(fieldops.openshift.cluster_update_info#module:pools).
  type: list
  elements: dict
  returned: success
  sample: [{name: master, required: true, paused: false, updated: false, machines: 3}]
preconditions:
  description: >-
    The preconditions as evaluated before the update was requested, in the same format as
    RV(fieldops.openshift.cluster_update_info#module:preconditions).
  type: list
  elements: dict
  returned: success
  sample: [{code: required_pool_paused, blocking: false}]
permission:
  description: >-
    The change management decision, in the same format as RV(fieldops.openshift.rollout_next#module:permission). None
    if no decision was needed.
  type: dict
  returned: success
  sample:
    permitted: true
    resource: ClusterVersion version
    sentence: change of ClusterVersion version is permitted for 3h 10m; it may take 1h 30m
    next_permitted: ""
ended:
  description: >-
    Why the update was not started because change is restricted, in the same format as
    RV(fieldops.openshift.rollout_next#module:ended). None otherwise.
  type: dict
  returned: success
  sample: {outcome: restricted, reason: change is restricted, next_permitted: "2026-11-28T22:00:00Z"}
actions:
  description: The API calls that made changes, or that would be made in check mode.
  type: list
  elements: dict
  returned: success
  sample: [{"verb": patch, "kind": ClusterVersion, "namespace": null, "name": version, "dry_run": false}]
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample:
    sentence: 'updating to 4.21.5: 30 of 34 operators are updated; next machine-api, marketplace, monitoring and 1 more'
    done: false
    next_delay: 10.0
timeline:
  description: The progress messages observed while waiting, one entry for each change, in the same format as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample:
    - at: '2026-11-21T22:01:07Z'
      sentence: 'updating to 4.21.5: 25 of 34 operators are updated; next etcd, ingress, insights and 6 more'
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.guard import (
    GUARD_NEVER_NULL,
    GUARD_OPTION,
    ChangeGuard,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.update_step import (
    UPDATE_OPTIONS,
    update_step,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.update_withdrawal import (
    withdraw_update,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

GUARDED = ArgumentSpec(options={**UPDATE_OPTIONS, "guard": GUARD_OPTION}, never_null=GUARD_NEVER_NULL)
SPEC = CLUSTER_OPTIONS.merged(WAIT_OPTIONS, GUARDED)
WAITING = Waiting("it is at the release", on="the cluster")


def main() -> t.NoReturn:
    def step(this: ModuleRun) -> Step:
        client = cluster_client(this)
        if this.params["state"] == "withdrawn":
            return withdraw_update(client, this.params)
        return update_step(client, this.params, ChangeGuard.of(client, this.params["guard"]))

    run(SPEC, step, WAITING)


if __name__ == "__main__":
    main()
