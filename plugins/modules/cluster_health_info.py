#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: cluster_health_info
short_description: Check cluster health, optionally waiting until the cluster is healthy and stable
version_added: 0.1.0
description:
  - O(gather=health) evaluates the release, the cluster operators, the MachineConfigPools and the nodes of an
    OpenShift cluster. Every problem is returned as a finding with the observed state and a recommended action.
  - A cluster is healthy if there are no faults. It is settled if it is healthy and no change is in progress.
  - With O(wait=true), the module waits until the cluster is settled. It tolerates an unavailable API, for example
    while the only control plane node reboots.
  - On a cluster without the OpenShift API, only nodes are evaluated.
  - With O(archive), the cluster is that of a support archive, as it was when the archive was created.
  - O(gather=joining_machines) returns the configuration that M(fieldops.openshift.joining_machines) manages, without
    its secrets, and whether the configuration of each MachineConfigPool provides it to new machines.
  - O(gather=helper_pods) returns every run of M(fieldops.openshift.helper_pods) or of the connection plugin
    P(fieldops.openshift.node_pod#connection) whose namespace still exists, with its pods.
  - O(gather=access) returns the user of the credentials, the permissions that this user lacks of O(manifests), and how
    much the clocks of this machine and of the API server differ.
  - O(gather=footprint) returns the platform, the capabilities and the images of all pods of the cluster.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
options:
  gather:
    description:
      - The information to return. Only the listed subsets are queried. O(wait) and the options below apply to
        V(health) only, except O(manifests).
    type: list
    elements: str
    choices: [health, access, joining_machines, helper_pods, footprint]
    default: [health]
  checks:
    description:
      - Additional checks besides version, operators, pools and nodes. Each check requires additional requests and
        permissions.
      - V(etcd) finds missing or degraded members. V(certificates) finds certificates of the machine-config operator
        that are about to expire. V(signing_requests) finds kubelets that wait for a certificate. V(clocks) finds
        nodes with an inaccurate clock.
      - V(budgets) finds disruption budgets that never permit an eviction. V(pull_policy) finds pods that contact a
        registry at each start. V(removed_apis) finds clients of API versions that are going to be removed.
        V(pinned_image_sets) finds why PinnedImageSets would have no effect for O(target_version), if they are the
        O(pin_method). V(space) queries the free space of each kubelet. V(alerts) queries the cluster monitoring,
        which requires a token.
    type: list
    elements: str
    choices:
      - etcd
      - certificates
      - signing_requests
      - clocks
      - budgets
      - pull_policy
      - removed_apis
      - pinned_image_sets
      - space
      - alerts
    default: []
  allowed:
    description:
      - Findings that the site accepts. They are still returned, but they affect neither RV(healthy) nor RV(settled).
      - An entry is a code, which applies to all findings of that code, or a code, a colon and the name of the object,
        preceded by its namespace and a slash if it has one. The name can contain the wildcards C(*), C(?) and C([]).
    type: list
    elements: str
    default: []
  broken_before:
    description:
      - A time in UTC, for example when a node was started. Faults and changes in progress of the cluster version,
        operators and nodes that had lasted for at least five minutes by then are still returned, but they affect
        neither RV(healthy) nor RV(settled). Those of the machine-config operator always count.
    type: str
    default: ""
  target_version:
    description:
      - The target release of a planned update. Use of API versions that it has removed is reported as a fault.
    type: str
    default: ""
  pin_method:
    description:
      - How the site pins images on nodes, see the role P(fieldops.openshift.pin_images#role).
    type: str
    choices: [node, pinned_image_set]
    default: node
  certificate_days:
    description:
      - The minimum remaining validity, in days, of certificates that have not been renewed in time.
    type: int
    default: 30
  keep_free_percent:
    description:
      - The minimum free space on the file systems of a node, in percent. A kubelet starts to remove images below 15.
    type: int
    default: 15
  clock_limit:
    description:
      - The maximum difference in seconds between the clock of a node and the clock of the API server.
    type: int
    default: 5
  archive:
    description:
      - A support archive of M(fieldops.openshift.support_archive), whose health is evaluated without O(checks) and
        without a connection.
    type: path
    default: ""
  manifests:
    description:
      - Objects of kind C(ClusterRole), C(Role) or C(List) with the permissions that O(gather=access) requires, for
        example the files in C(extensions/rbac). Other kinds are ignored. The roles need not exist in the cluster.
    type: list
    elements: dict
    default: []
notes:
  - The required RBAC permissions are in C(extensions/rbac/cluster-health-reader.yml) of this collection, those for
    O(checks) and O(gather=footprint) in C(extensions/rbac/cluster-health-checks.yml), those for
    O(gather=joining_machines) in C(extensions/rbac/joining-machines.yml), and those for O(gather=helper_pods) in
    C(extensions/rbac/node-pod.yml). O(gather=access) is available to every user.
seealso:
  - module: fieldops.openshift.helper_pods
  - module: fieldops.openshift.joining_machines
  - module: fieldops.openshift.support_archive
"""

EXAMPLES = r"""
- name: Check the health of the cluster
  fieldops.openshift.cluster_health_info:
    kubeconfig: /home/technician/site.kubeconfig
  register: site

- name: Stop if the cluster has faults
  ansible.builtin.assert:
    that: site.healthy
    fail_msg: "{{ site.progress.sentence }}"

- name: Check the cluster before an update
  fieldops.openshift.cluster_health_info:
    checks: [etcd, certificates, signing_requests, clocks, budgets, pull_policy, removed_apis, space, alerts]
    target_version: 4.22.1
    allowed:
      - pull_always:shop/*
      - budget_impossible:legacy/db
  register: site

- name: Wait up to one hour until the cluster is settled
  fieldops.openshift.cluster_health_info:
    wait: true
    wait_timeout: 3600

- name: Wait until machines can join without a registry
  fieldops.openshift.cluster_health_info:
    gather: [joining_machines]
  register: site
  until: site.joining_machines.pools | rejectattr('ready') | length == 0
  retries: 60
  delay: 10

- name: Fail if helper pods are left on the cluster
  fieldops.openshift.cluster_health_info:
    gather: [helper_pods]
  register: site
  failed_when: site.helper_pods | length > 0

- name: Check whether the user can roll nodes
  fieldops.openshift.cluster_health_info:
    gather: [access]
    manifests: ["{{ lookup('ansible.builtin.file', 'extensions/rbac/rollout.yml') | from_yaml }}"]
  register: site_found

- name: Show the missing permissions
  ansible.builtin.debug:
    msg: "{{ site_found.access.denied }}"
"""

RETURN = r"""
healthy:
  description: Whether there are no faults, except allowed findings.
  type: bool
  returned: with O(gather=health)
  sample: true
settled:
  description: Whether the cluster is healthy and no change is in progress.
  type: bool
  returned: with O(gather=health)
  sample: false
findings:
  description: All findings. Faults come first, then changes in progress, then notices.
  type: list
  elements: dict
  returned: with O(gather=health)
  contains:
    code:
      description: The machine-readable code of the finding, for use in O(allowed).
      type: str
      sample: operator_progressing
    allowed:
      description: Whether the finding is in O(allowed).
      type: bool
      sample: false
    broken_before:
      description: Whether the finding had lasted for some minutes at the time in O(broken_before).
      type: bool
      sample: false
    since:
      description: When the finding began, in UTC. Empty if unknown.
      type: str
      sample: "2026-11-21T22:31:07Z"
    severity:
      description: One of V(fault), V(unsettled) and V(notice).
      type: str
      sample: unsettled
    kind:
      description: The kind of the affected object.
      type: str
      sample: ClusterOperator
    namespace:
      description: The namespace of the affected object. Empty if it has none.
      type: str
      sample: ""
    name:
      description: The name of the affected object.
      type: str
      sample: etcd
    seen:
      description: The observed state.
      type: str
      sample: "is progressing: NodeInstallerProgressing: 1 node is at revision 7"
    advice:
      description: The recommended action.
      type: str
      sample: Wait for it to end.
idle_allowances:
  description: The entries of O(allowed) that match no finding. They may be outdated or misspelled.
  type: list
  elements: str
  returned: with O(gather=health)
  sample: []
cluster_version:
  description: The cluster version. None if the cluster has no ClusterVersion.
  type: dict
  returned: with O(gather=health)
  contains:
    cluster_id:
      description: The ID of the cluster.
      type: str
      sample: 6f9d2a1c-5b0e-4c53-9d43-0a2f6f3c1b7e
    channel:
      description: The update channel.
      type: str
      sample: stable-4.20
    current_version:
      description: The release of the last completed update.
      type: str
      sample: 4.20.1
    desired_version:
      description: The current release of the cluster, or the target release during an update.
      type: str
      sample: 4.20.2
    desired_image:
      description: The image of that release.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-release@sha256:9e2e4cf1..."
    left_behind:
      description: The release images in RV(cluster_version.history) that no node needs any more. Empty until the last
        update has completed, and while a pool is degraded or not updated.
      type: list
      elements: str
      sample: ["quay.io/openshift-release-dev/ocp-release@sha256:51a0c4d3..."]
    history:
      description: The update history, newest first.
      type: list
      elements: dict
      contains:
        state:
          description: V(Completed) or V(Partial).
          type: str
          sample: Completed
        version:
          description: The release.
          type: str
          sample: 4.20.1
        image:
          description: The image of the release.
          type: str
          sample: "quay.io/openshift-release-dev/ocp-release@sha256:9e2e4cf1..."
        started:
          description: When the update started.
          type: str
          sample: "2026-11-14T22:04:51Z"
        completed:
          description: When the update completed. Empty until then.
          type: str
          sample: "2026-11-14T23:31:07Z"
        verified:
          description: Whether the release signature was verified.
          type: bool
          sample: true
cluster_operators:
  description: The cluster operators, with their conditions.
  type: list
  elements: dict
  returned: with O(gather=health)
  contains:
    name:
      description: The name of the operator.
      type: str
      sample: etcd
    version:
      description: The release that the operator reports.
      type: str
      sample: 4.20.1
    settled:
      description: Whether it is available, not progressing and not degraded.
      type: bool
      sample: true
    available:
      description: The condition C(Available). The conditions RV(cluster_operators[].progressing),
        RV(cluster_operators[].degraded) and RV(cluster_operators[].upgradeable) have the same format.
      type: dict
      contains:
        status:
          description: V(True), V(False) or V(Unknown).
          type: str
          sample: "True"
        reason:
          description: The machine-readable reason.
          type: str
          sample: AsExpected
        message:
          description: The human-readable reason.
          type: str
          sample: EtcdMembersAvailable - 3 members are available
        last_transition:
          description: When the status last changed.
          type: str
          sample: "2026-11-14T23:12:40Z"
    progressing:
      description: Whether the operator is rolling out a change.
      type: dict
    degraded:
      description: Whether the operator cannot keep its operand in the desired state.
      type: dict
    upgradeable:
      description: Whether the operator allows an update to the next minor version.
      type: dict
machine_config_pools:
  description: The MachineConfigPools.
  type: list
  elements: dict
  returned: with O(gather=health)
  contains:
    name:
      description: The name of the pool.
      type: str
      sample: worker
    paused:
      description: Whether updates of the pool are paused.
      type: bool
      sample: false
    updated:
      description: Whether all nodes have the desired configuration.
      type: bool
      sample: true
    updating:
      description: Whether nodes are still being updated to the desired configuration.
      type: bool
      sample: false
    degraded:
      description: Whether the pool cannot proceed.
      type: bool
      sample: false
    degraded_reason:
      description: Why the pool is degraded.
      type: str
      sample: ""
    machines:
      description: The number of nodes.
      type: int
      sample: 3
    updated_machines:
      description: The number of nodes with the desired configuration.
      type: int
      sample: 3
    ready_machines:
      description: The number of updated nodes that are ready.
      type: int
      sample: 3
    unavailable_machines:
      description: The number of unavailable nodes.
      type: int
      sample: 0
    degraded_machines:
      description: The number of degraded nodes.
      type: int
      sample: 0
    current_config:
      description: The current rendered configuration of the pool.
      type: str
      sample: rendered-worker-4f1c8e
    desired_config:
      description: The desired rendered configuration of the pool.
      type: str
      sample: rendered-worker-4f1c8e
    updated_since:
      description: When the last node of the pool was updated. Empty while a node is not updated.
      type: str
      sample: "2026-11-14T23:12:40Z"
    required:
      description: Whether a cluster update cannot complete without the pool.
      type: bool
      sample: false
    held_by:
      description: The rollout that keeps the pool paused. Empty if there is none.
      type: str
      sample: ""
nodes:
  description: The nodes.
  type: list
  elements: dict
  returned: with O(gather=health)
  contains:
    name:
      description: The name of the node.
      type: str
      sample: worker-1
    addresses:
      description: The addresses of the node in the cluster.
      type: list
      elements: str
      sample: [192.0.2.11]
    roles:
      description: The roles of the node.
      type: list
      elements: str
      sample: [worker]
    zone:
      description: The zone of the node, if any.
      type: str
      sample: hall-2
    created:
      description: When the node joined the cluster.
      type: str
      sample: "2026-01-02T03:04:05Z"
    is_bootc_managed:
      description: Whether bootc-operator manages the OS image of the node.
      type: bool
      sample: false
    ready:
      description: Whether the kubelet reports the node as ready.
      type: bool
      sample: true
    ready_reason:
      description: The kubelet's explanation of the ready condition.
      type: str
      sample: kubelet is posting ready status
    schedulable:
      description: Whether new pods can be scheduled on the node. False while it is cordoned.
      type: bool
      sample: true
    pressures:
      description: The pressure conditions that are true.
      type: list
      elements: str
      sample: []
    updated:
      description: Whether the machine-config daemon has applied the desired configuration and image.
      type: bool
      sample: true
    boot_id:
      description: The ID of the current boot. A soft reboot does not change it.
      type: str
      sample: 1f6a3d0e-8a1c-4a53-bb7e-1de1a2f0c9d4
    kubelet_version:
      description: The version of the kubelet.
      type: str
      sample: v1.33.5
    os_image:
      description: The operating system as the kubelet reports it.
      type: str
      sample: The operating system, as reported by the kubelet.
    current_config:
      description: The current rendered configuration of the node.
      type: str
      sample: rendered-worker-4f1c8e
    desired_config:
      description: The desired rendered configuration of the node.
      type: str
      sample: rendered-worker-4f1c8e
    current_image:
      description: The current OS image, if it is managed separately from the configuration.
      type: str
      sample: ""
    desired_image:
      description: The desired OS image, if it is managed separately from the configuration.
      type: str
      sample: ""
    daemon_state:
      description: The state reported by the machine-config daemon.
      type: str
      sample: Done
    daemon_reason:
      description: The reason reported by the daemon if it cannot proceed.
      type: str
      sample: ""
footprint:
  description: Properties of the cluster that decide which images of a release it needs. See
    O(fieldops.openshift.release_bundle_info#module:site).
  type: dict
  returned: with O(gather=footprint)
  contains:
    platform:
      description: The platform type.
      type: str
      sample: BareMetal
    enabled_capabilities:
      description: The enabled capabilities.
      type: list
      elements: str
      sample: [Console, MachineAPI]
    known_capabilities:
      description: The capabilities that the release of the cluster knows.
      type: list
      elements: str
      sample: [Console, Insights, MachineAPI]
    used_images:
      description: The images of all pods, including completed ones.
      type: list
      elements: str
      sample: ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."]
    images_by_node:
      description: The same by the name of the node.
      type: dict
      sample: {master-0: ["quay.io/openshift-release-dev/ocp-v4.0-art-dev@sha256:0f1c..."]}
access:
  description: The access of the user of the credentials.
  type: dict
  returned: with O(gather=access)
  contains:
    server:
      description: The URL of the API server.
      type: str
      sample: https://api.site.example:6443
    user:
      description: The user that the API server has recognized.
      type: str
      sample: system:serviceaccount:fieldops-openshift:technician
    groups:
      description: The groups of the user.
      type: list
      elements: str
      sample: [system:authenticated]
    denied:
      description: The permissions of O(manifests) that the user does not have. C(role) is the role that grants it.
      type: list
      elements: dict
      sample:
        - verb: patch
          resource: machineconfigpools.machineconfiguration.openshift.io
          name: ""
          namespace: ""
          role: fieldops-openshift-rollout
    clock_difference:
      description: >-
        The seconds by which the clock of the API server is ahead of the clock of this machine. Negative if it is
        behind. Differences below one second cannot be detected.
      type: int
      sample: 0
    sufficient:
      description: Whether the user has all permissions, and the clocks differ by at most 30 seconds, the
        default limit of change management.
      type: bool
      sample: true
    sentence:
      description: The result as a one-line message.
      type: str
      sample: technician does not have all permissions of fieldops-openshift-rollout
joining_machines:
  description: Whether new machines can pull their images from the control plane.
  type: dict
  returned: with O(gather=joining_machines)
  contains:
    prepared:
      description: Whether the Secret that configures the image sources of the control plane exists.
      type: bool
      sample: true
    problem:
      description: Why the current user cannot read that Secret. Empty if the Secret is readable.
      type: str
      sample: ""
    control_plane:
      description: The control plane nodes with their C(name) and C(addresses).
      type: list
      elements: dict
      sample: [{name: master-0, addresses: [192.0.2.10]}]
    site:
      description: How images are served to new machines. Empty if the site is not prepared.
      type: dict
      contains:
        address:
          description: The address of the image source.
          type: str
          sample: 192.0.2.5
        port:
          description: The port of the image source.
          type: int
          sample: 9701
        registry:
          description: The address and port, as used in mirror entries.
          type: str
          sample: "192.0.2.5:9701"
        networks:
          description: The networks that may access the image source.
          type: list
          elements: str
          sample: [192.0.2.0/24]
        trust:
          description: How machines are configured to trust the certificate authority.
          type: str
          sample: user_ca_bundle
        ca:
          description: The certificate of the authority.
          type: str
          sample: "-----BEGIN CERTIFICATE-----..."
        ca_expires:
          description: When the certificate of the authority expires.
          type: str
          sample: "2046-11-19T20:00:00Z"
        certificate_names:
          description: The addresses and names in the certificates of the control plane.
          type: list
          elements: str
          sample: [192.0.2.5, 192.0.2.10, api-int.site.example]
        certificate_expires:
          description: When the certificates of the control plane expire.
          type: str
          sample: "2029-11-23T20:00:00Z"
        mirror_source_policy:
          description: The policy for pulling from the original registry. Empty if there is no ImageDigestMirrorSet.
          type: str
          sample: NeverContactSource
        repositories:
          description: The repositories with a mirror entry.
          type: list
          elements: str
          sample: [quay.io/openshift-release-dev/ocp-release]
    pools:
      description: The MachineConfigPools, and what the configuration of their new machines lacks.
      type: list
      elements: dict
      contains:
        name:
          description: The name of the MachineConfigPool.
          type: str
          sample: worker
        ready:
          description: Whether new machines can pull their images.
          type: bool
          sample: false
        lacks:
          description: What is missing, C(mirrors) or C(ca). The pull secret is not checked.
          type: list
          elements: str
          sample: [mirrors]
helper_pods:
  description: The runs with helper pods.
  returned: with O(gather=helper_pods)
  type: list
  elements: dict
  contains:
    run:
      description: The name of the run.
      type: str
      sample: staging-0412
    namespace:
      description: Its namespace.
      type: str
      sample: fieldops-reach-staging-0412
    expires:
      description: When the run is considered abandoned, in UTC.
      type: str
      sample: "2026-11-22T02:00:00Z"
    abandoned:
      description: Whether the run is considered abandoned.
      type: bool
      sample: false
    pods:
      description: The pods of the run, each with C(node), C(pod) and C(phase).
      type: list
      elements: dict
      sample: [{"node": "worker-0", "pod": "node-worker-0", "phase": "Running"}]
actions:
  description: Always empty, because this module makes no changes.
  type: list
  elements: dict
  returned: success
  sample: []
progress:
  description: The current progress.
  type: dict
  returned: success
  contains:
    sentence:
      description: The progress as a one-line message.
      type: str
      sample: "healthy and settled: 5 of 5 nodes ready, 33 of 33 operators available, version 4.20.1"
    done:
      description: Whether the goal is reached, for example that the cluster is settled. Always true without
        O(gather=health).
      type: bool
      sample: true
    next_delay:
      description: Suggested delay in seconds before checking again.
      type: float
      sample: 10.0
timeline:
  description: The progress messages observed while waiting, one entry for each change.
  type: list
  elements: dict
  returned: always
  contains:
    at:
      description: The time of the message, in UTC.
      type: str
      sample: "2026-11-21T22:01:07Z"
    sentence:
      description: The progress message.
      type: str
      sample: "1 change in progress: MachineConfigPool worker is updating: 1 of 2 nodes are done"
"""

import typing as t
from dataclasses import replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.asker import who_asks
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.reach import list_helper_pods
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.read_access import access_report
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.read_footprint import (
    footprint_report,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.read_health import (
    HEALTH_OPTIONS,
    read_health,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.joining_machines import (
    joining_report,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.gathering import by_subject, gather_option
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.archived_site import read_archived_site
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

READERS = {
    "access": lambda client, params: access_report(client, params["manifests"], who_asks(client).clock),
    "joining_machines": lambda client, _params: joining_report(client),
    "helper_pods": lambda client, _params: list_helper_pods(client),
    "footprint": lambda client, _params: footprint_report(client),
}
OPTIONS = {
    **HEALTH_OPTIONS,
    "archive": {"type": "path", "default": ""},
    "manifests": {"type": "list", "elements": "dict", "default": []},
}
SPEC = CLUSTER_OPTIONS.merged(WAIT_OPTIONS, gather_option(["health", *READERS]), ArgumentSpec(options=OPTIONS))
WAITING = Waiting("it is healthy and settled", on="the cluster")


def main() -> t.NoReturn:
    def look(this: ModuleRun) -> Step:
        if this.params["archive"]:
            archived = read_archived_site(Path(this.params["archive"])).client(this.clock)
            return read_health(archived, {**this.params, "checks": []})
        client, nothing = cluster_client(this), Step("the health of the cluster was not requested", done=True)
        step = read_health(client, this.params) if "health" in this.params["gather"] else nothing
        return replace(step, objects={**step.objects, **by_subject(READERS, client, this.params)})

    run(SPEC, look, WAITING)


if __name__ == "__main__":
    main()
