#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: cluster_update
short_description: Take the cluster to a release by digest, and say how far it is
version_added: 0.1.0
description:
  - Asks the cluster version operator for a release by its digest, and follows the update in sentences that name the
    operators and pools that are left.
  - C(force) is never set. The signature of the release travels in the bundle and is brought into the cluster first, so
    that nobody has to be asked outside.
  - What would stand in the way is judged before anything is asked for, by the rules of the cluster version operator.
    Each reason comes with what to do about it.
  - Every call may be the first or the last. What has been asked for already is not asked for again, and the API may be
    away for a while.
  - Asks change management for the cluster as a whole before anything is written, and as long as the cluster has not
    begun, for a request that is left standing may begin at any moment. Where change is restricted nothing is written,
    nothing is waited for, and RV(ended) says when it is permitted again. An update that has begun is followed without
    asking.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._guard_options
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    support: full
    details: The server tries what would be written.
  diff_mode:
    support: full
  idempotent:
    support: full
options:
  state:
    description:
      - With V(requested) the cluster is asked for the release.
      - With V(withdrawn) a request that has not been begun is taken back. The cluster version operator tries a refused
        release again and again; left standing it may begin when nobody is there. An update that has begun is never
        left half way.
    type: str
    choices: [requested, withdrawn]
    default: requested
  image:
    description:
      - The release image as C(repository@sha256:...), as in
        RV(fieldops.openshift.release_bundle_info#module:bundle.release).
      - It has to bear the name under which the nodes hold, pin and mirror it.
    type: str
    required: true
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
  signature_config_map:
    description:
      - The ConfigMap with the signature of the release, as
        RV(fieldops.openshift.release_bundle_info#module:signature_config_map). Anything else is refused.
    type: dict
  acknowledged_gates:
    description:
      - The keys of changes that an administrator has dealt with, such as C(ack-4.21-kube-1.35-api-removals-in-4.22).
        They are acknowledged for the cluster, as needs to be done before a new minor version.
    type: list
    elements: str
    default: []
  wait_for:
    description:
      - What is waited for with O(wait=true). V(accepted) is reached when the cluster version operator has begun,
        V(completed) when it has ended and the pools that the update requires are updated.
      - V(operators) is reached when all operators but C(machine-config) are at the release, which waits for nodes,
        and has rendered the configuration of the release for each pool that the update requires. Nodes that wait for an
        older configuration do not count; those of the release may be through already. A site that rolls its nodes in a
        window of their own goes on with them then.
      - V(nodes) is reached when it has ended and the machine-config operator counts all nodes of all pools as updated,
        those of workers too.
    type: str
    choices: [accepted, operators, completed, nodes]
    default: completed
  patience:
    description:
      - For how many seconds a refusal or a failure has to stand until the task gives up. The cluster version operator
        tries again by itself, and looks for new signatures every two to four minutes only.
      - A failure counts from the update of the last node that the release waited for. One that leaves O(wait_for)
        reached does not count.
    type: int
    default: 600
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/cluster-update.yml) and
    C(extensions/rbac/change-management-reader.yml) of this collection.
seealso:
  - module: fieldops.openshift.cluster_update_info
  - module: fieldops.openshift.change_management_info
  - module: fieldops.openshift.machine_scaling_pause
"""

EXAMPLES = r"""
- name: Read the bundle
  fieldops.openshift.release_bundle_info:
    path: /mnt/disk/4.21.5
  register: found

- name: Take the cluster to its release
  fieldops.openshift.cluster_update:
    image: "{{ found.bundle.release }}"
    version: "{{ found.bundle.version }}"
    signature_config_map: "{{ found.signature_config_map }}"
    wait: true
    wait_timeout: 14400

- name: Bring all to the release but what needs the nodes
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

- name: End here until change is permitted again
  ansible.builtin.meta: end_play
  when: update_asked.ended is not none

- name: Take the request back if the cluster has not begun
  fieldops.openshift.cluster_update:
    state: withdrawn
    image: "{{ found.bundle.release }}"
    version: "{{ found.bundle.version }}"
"""

RETURN = r"""
release:
  description: The release that is asked about, as RV(fieldops.openshift.cluster_update_info#module:release).
  type: dict
  returned: success
  sample: {image: 'quay.io/openshift-release-dev/ocp-release@sha256:9e2e4cf1...', version: 4.21.5}
current_version:
  description: The release that was last reached completely.
  type: str
  returned: success
  sample: 4.21.3
operators_behind:
  description: The cluster operators that are not at the release yet, while the update is on its way.
  type: list
  elements: str
  returned: success
  sample: [machine-config]
pools:
  description: The pools of nodes, as RV(fieldops.openshift.cluster_update_info#module:pools).
  type: list
  elements: dict
  returned: success
  sample: [{name: master, required: true, paused: false, updated: false, machines: 3}]
preconditions:
  description: >-
    What stands in the way of the update or is worth knowing before it, as judged before it was asked for, as
    RV(fieldops.openshift.cluster_update_info#module:preconditions).
  type: list
  elements: dict
  returned: success
  sample: [{code: required_pool_paused, blocking: false}]
permission:
  description: >-
    The answer of change management, see RV(fieldops.openshift.rollout_next#module:permission). None where none was
    needed.
  type: dict
  returned: success
  sample:
    permitted: true
    resource: ClusterVersion version
    sentence: change of ClusterVersion version is permitted for 3h 10m; it may take 1h 30m
    next_permitted: ""
ended:
  description: >-
    Why the release is not begun where change is restricted, see RV(fieldops.openshift.rollout_next#module:ended). None
    elsewhere.
  type: dict
  returned: success
  sample: {outcome: restricted, reason: change is restricted, next_permitted: "2026-11-28T22:00:00Z"}
actions:
  description: The calls that changed something, or would in check mode.
  type: list
  elements: dict
  returned: success
  sample: [{"verb": patch, "kind": ClusterVersion, "namespace": null, "name": version, "dry_run": false}]
progress:
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample:
    sentence: 'goes to 4.21.5: 30 of 34 operators are there; next machine-api, marketplace, monitoring and 1 more'
    done: false
    next_delay: 10.0
timeline:
  description: What was seen while it waited, one entry for each change, as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample:
    - at: '2026-11-21T22:01:07Z'
      sentence: 'goes to 4.21.5: 25 of 34 operators are there; next etcd, ingress, insights and 6 more'
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
