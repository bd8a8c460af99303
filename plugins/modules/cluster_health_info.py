#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: cluster_health_info
short_description: Check cluster health, optionally waiting until it is healthy and settled
version_added: 0.1.0
description:
  - With O(gather=health) reads the release, the cluster operators, the machine config pools and the nodes of an
    OpenShift cluster and judges them. Every doubt is a finding that says what was seen and what to do about it.
  - A cluster is healthy when nothing is at fault, and settled when it is healthy and nothing is under way either.
  - With O(wait=true) it waits until the cluster is settled. The API may be away meanwhile, as it is while the only
    control plane node reboots.
  - On a cluster without OpenShift's API it judges the nodes alone.
  - With O(gather=joining_machines) returns what M(fieldops.openshift.joining_machines) keeps, without its secrets, and
    for each MachineConfigPool whether the configuration of a machine that joins now has it.
  - With O(gather=helper_pods) returns every run of M(fieldops.openshift.helper_pods) or of the connection
    P(fieldops.openshift.node_pod#connection) whose namespace is still there, with its pods.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
options:
  gather:
    description:
      - What to return. Only what is named is asked for. O(wait) and the options below are about V(health) alone.
    type: list
    elements: str
    choices: [health, joining_machines, helper_pods]
    default: [health]
  checks:
    description:
      - What to look at besides version, operators, pools and nodes. Each check costs requests and rights of its own.
      - V(etcd) finds members that are missing or degraded. V(certificates) finds those of the machine-config operator
        that run out. V(signing_requests) finds kubelets that wait for a certificate. V(clocks) finds nodes whose clock
        is off.
      - V(budgets) finds disruption budgets that never let a pod go. V(pull_policy) finds pods that ask a registry each
        time they start. V(removed_apis) finds users of versions of the API that go away. V(pinned_image_sets) finds why
        PinnedImageSets would be of no use for O(target_version), where they are the O(pin_method). V(space) asks each
        kubelet for its free space. V(alerts) asks the monitoring, for which a token is needed.
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
      - Findings that the site lives with. They are returned all the same, but count neither as faults nor as under way.
      - An entry is a code, for all findings of that code, or a code, a colon and the name of the object, with its
        namespace and a slash before it where it has one. The name may hold the wildcards C(*), C(?) and C([]).
    type: list
    elements: str
    default: []
  target_version:
    description:
      - The release that an update is to go to. Versions of the API that it no longer has are faults then.
    type: str
    default: ""
  pin_method:
    description:
      - How the site keeps images on nodes, see the role P(fieldops.openshift.pin_images#role).
    type: str
    choices: [node, pinned_image_set]
    default: node
  certificate_days:
    description:
      - How many days a certificate that has not been renewed in time has to last at least.
    type: int
    default: 30
  free_percent:
    description:
      - How many percent of a node's file systems have to be free. A kubelet begins to remove images below 15.
    type: int
    default: 15
  clock_limit:
    description:
      - By how many seconds the clock of a node may differ from that of the API server.
    type: int
    default: 5
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/cluster-health-reader.yml) of this collection, those of the
    further checks in C(extensions/rbac/cluster-health-checks.yml), those for O(gather=joining_machines) in
    C(extensions/rbac/joining-machines.yml), and those for O(gather=helper_pods) in C(extensions/rbac/node-pod.yml).
seealso:
  - module: fieldops.openshift.helper_pods
  - module: fieldops.openshift.joining_machines
"""

EXAMPLES = r"""
- name: See how the cluster is
  fieldops.openshift.cluster_health_info:
    kubeconfig: /home/technician/site.kubeconfig
  register: site

- name: Stop here unless nothing is at fault
  ansible.builtin.assert:
    that: site.healthy
    fail_msg: "{{ site.progress.sentence }}"

- name: Look before an update whether anything would hold it up
  fieldops.openshift.cluster_health_info:
    checks: [etcd, certificates, signing_requests, clocks, budgets, pull_policy, removed_apis, space, alerts]
    target_version: 4.22.1
    allowed:
      - pull_always:shop/*
      - budget_impossible:legacy/db
  register: site

- name: Wait up to an hour until the cluster has come to rest
  fieldops.openshift.cluster_health_info:
    wait: true
    wait_timeout: 3600

- name: Wait until a machine can join without a registry
  fieldops.openshift.cluster_health_info:
    gather: [joining_machines]
  register: site
  until: site.joining_machines.pools | rejectattr('ready') | length == 0
  retries: 60
  delay: 10

- name: See whether any way into nodes is open
  fieldops.openshift.cluster_health_info:
    gather: [helper_pods]
  register: site
  failed_when: site.helper_pods | length > 0
"""

RETURN = r"""
healthy:
  description: Whether no finding is a fault, but for those that are allowed.
  type: bool
  returned: with O(gather=health)
  sample: true
settled:
  description: Whether the cluster is healthy and nothing is under way.
  type: bool
  returned: with O(gather=health)
  sample: false
findings:
  description: Every doubt, faults first, then what is under way, then what is merely worth knowing.
  type: list
  elements: dict
  returned: with O(gather=health)
  contains:
    code:
      description: What kind of doubt it is, for programs and for O(allowed).
      type: str
      sample: operator_progressing
    allowed:
      description: Whether the site allows it.
      type: bool
      sample: false
    severity:
      description: One of V(fault), V(unsettled) and V(notice).
      type: str
      sample: unsettled
    kind:
      description: The kind of the object in doubt.
      type: str
      sample: ClusterOperator
    namespace:
      description: The namespace of that object, empty where it has none.
      type: str
      sample: ""
    name:
      description: The name of the object in doubt.
      type: str
      sample: etcd
    seen:
      description: What was seen of it.
      type: str
      sample: "is progressing: NodeInstallerProgressing: 1 node is at revision 7"
    advice:
      description: What to do about it.
      type: str
      sample: Wait for it to end.
idle_allowances:
  description: The entries of O(allowed) that matched no finding. They may be old, or misspelt.
  type: list
  elements: str
  returned: with O(gather=health)
  sample: []
cluster_version:
  description: The release, or nothing where the cluster has no ClusterVersion.
  type: dict
  returned: with O(gather=health)
  contains:
    cluster_id:
      description: The identity of the cluster.
      type: str
      sample: 6f9d2a1c-5b0e-4c53-9d43-0a2f6f3c1b7e
    channel:
      description: The update channel.
      type: str
      sample: stable-4.20
    current_version:
      description: The release that was last reached completely.
      type: str
      sample: 4.20.1
    desired_version:
      description: The release that the cluster is at or goes to.
      type: str
      sample: 4.20.2
    desired_image:
      description: The image of that release.
      type: str
      sample: "quay.io/openshift-release-dev/ocp-release@sha256:9e2e4cf1..."
    history:
      description: The updates so far, newest first.
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
          description: When the update began.
          type: str
          sample: "2026-11-14T22:04:51Z"
        completed:
          description: When it was complete; empty until then.
          type: str
          sample: "2026-11-14T23:31:07Z"
        verified:
          description: Whether the signature of the release was verified.
          type: bool
          sample: true
cluster_operators:
  description: The cluster operators with the conditions that each has to report.
  type: list
  elements: dict
  returned: with O(gather=health)
  contains:
    name:
      description: The name of the operator.
      type: str
      sample: etcd
    version:
      description: The release that the operator is at.
      type: str
      sample: 4.20.1
    settled:
      description: Whether it is available, not progressing and not degraded.
      type: bool
      sample: true
    available:
      description: The condition of this name. The conditions RV(cluster_operators[].progressing),
        RV(cluster_operators[].degraded) and RV(cluster_operators[].upgradeable) have the same form.
      type: dict
      contains:
        status:
          description: V(True), V(False) or V(Unknown).
          type: str
          sample: "True"
        reason:
          description: The reason in one word.
          type: str
          sample: AsExpected
        message:
          description: The reason in a sentence.
          type: str
          sample: EtcdMembersAvailable - 3 members are available
        last_transition:
          description: When the status last changed.
          type: str
          sample: "2026-11-14T23:12:40Z"
    progressing:
      description: Whether the operator is rolling something out.
      type: dict
    degraded:
      description: Whether the operator fails to keep its operand as it should be.
      type: dict
    upgradeable:
      description: Whether the operator allows an update to the next minor version.
      type: dict
machine_config_pools:
  description: The pools of nodes.
  type: list
  elements: dict
  returned: with O(gather=health)
  contains:
    name:
      description: The name of the pool.
      type: str
      sample: worker
    paused:
      description: Whether the pool is kept from updating.
      type: bool
      sample: false
    updated:
      description: Whether all nodes have the desired configuration.
      type: bool
      sample: true
    updating:
      description: Whether some nodes are still to get the desired configuration.
      type: bool
      sample: false
    degraded:
      description: Whether the pool cannot go on.
      type: bool
      sample: false
    degraded_reason:
      description: Why it cannot.
      type: str
      sample: ""
    machines:
      description: The number of nodes.
      type: int
      sample: 3
    updated_machines:
      description: How many of them have the desired configuration.
      type: int
      sample: 3
    ready_machines:
      description: How many of those are ready.
      type: int
      sample: 3
    unavailable_machines:
      description: How many are out of service.
      type: int
      sample: 0
    degraded_machines:
      description: How many cannot go on.
      type: int
      sample: 0
    current_config:
      description: The rendered configuration that the pool has reached.
      type: str
      sample: rendered-worker-4f1c8e
    desired_config:
      description: The rendered configuration that the pool is to reach.
      type: str
      sample: rendered-worker-4f1c8e
    updated_since:
      description: When its last node was updated; empty while one is not.
      type: str
      sample: "2026-11-14T23:12:40Z"
    required:
      description: Whether no update of the cluster ends without the pool.
      type: bool
      sample: false
    held_by:
      description: The rollout that keeps the pool paused; empty where none does.
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
      description: Its addresses in the cluster.
      type: list
      elements: str
      sample: [192.0.2.11]
    roles:
      description: The roles of the node.
      type: list
      elements: str
      sample: [worker]
    zone:
      description: The zone that the node stands in, if any.
      type: str
      sample: hall-2
    created:
      description: When the node joined.
      type: str
      sample: "2026-01-02T03:04:05Z"
    is_bootc_managed:
      description: Whether bootc-operator decides on the OS image of the node.
      type: bool
      sample: false
    ready:
      description: Whether the kubelet reports that it can run pods.
      type: bool
      sample: true
    ready_reason:
      description: What the kubelet says about that.
      type: str
      sample: kubelet is posting ready status
    schedulable:
      description: Whether new pods may be placed on it; not so while it is cordoned.
      type: bool
      sample: true
    pressures:
      description: The adverse conditions that hold.
      type: list
      elements: str
      sample: []
    updated:
      description: Whether its machine-config daemon has brought it to the desired configuration and image.
      type: bool
      sample: true
    boot_id:
      description: The identity of the present boot. A soft reboot keeps it.
      type: str
      sample: 1f6a3d0e-8a1c-4a53-bb7e-1de1a2f0c9d4
    kubelet_version:
      description: The version of the kubelet.
      type: str
      sample: v1.33.5
    os_image:
      description: The operating system as the kubelet reports it.
      type: str
      sample: Red Hat Enterprise Linux CoreOS 9.6.20251015-0 (Plow)
    current_config:
      description: The rendered configuration that it has.
      type: str
      sample: rendered-worker-4f1c8e
    desired_config:
      description: The rendered configuration that it is to get.
      type: str
      sample: rendered-worker-4f1c8e
    current_image:
      description: The OS image that it has, where the image is managed apart from the configuration.
      type: str
      sample: ""
    desired_image:
      description: The OS image that it is to get, where the image is managed apart from the configuration.
      type: str
      sample: ""
    daemon_state:
      description: The state that the machine-config daemon reports.
      type: str
      sample: Done
    daemon_reason:
      description: Why the daemon cannot go on, where it cannot.
      type: str
      sample: ""
joining_machines:
  description: Whether machines that join find their images at the control plane.
  type: dict
  returned: with O(gather=joining_machines)
  contains:
    prepared:
      description: Whether there is a Secret with what the control plane serves.
      type: bool
      sample: true
    problem:
      description: Why this user cannot see it, or nothing.
      type: str
      sample: ""
    control_plane:
      description: The nodes of the control plane with their C(name) and C(addresses).
      type: list
      elements: dict
      sample: [{name: master-0, addresses: [192.0.2.10]}]
    site:
      description: How machines are served, empty where the site is not prepared.
      type: dict
      contains:
        address:
          description: Where they ask.
          type: str
          sample: 192.0.2.5
        port:
          description: The port there.
          type: int
          sample: 9701
        registry:
          description: Both, as mirrors begin.
          type: str
          sample: "192.0.2.5:9701"
        networks:
          description: Who may ask.
          type: list
          elements: str
          sample: [192.0.2.0/24]
        trust:
          description: How machines come to trust the authority.
          type: str
          sample: user_ca_bundle
        ca:
          description: Its certificate.
          type: str
          sample: "-----BEGIN CERTIFICATE-----..."
        ca_expires:
          description: Until when that is valid.
          type: str
          sample: "2046-11-19T20:00:00Z"
        certificate_names:
          description: The addresses and names that the control plane proves.
          type: list
          elements: str
          sample: [192.0.2.5, 192.0.2.10, api-int.site.example]
        certificate_expires:
          description: Until when it does.
          type: str
          sample: "2029-11-23T20:00:00Z"
        mirror_source_policy:
          description: Whether other registries may be asked, empty where there is no ImageDigestMirrorSet.
          type: str
          sample: NeverContactSource
        repositories:
          description: The repositories that have an entry.
          type: list
          elements: str
          sample: [quay.io/openshift-release-dev/ocp-release]
    pools:
      description: The pools of machines, and what the configuration lacks that a machine is given which joins now.
      type: list
      elements: dict
      contains:
        name:
          description: The MachineConfigPool.
          type: str
          sample: worker
        ready:
          description: Whether a machine that joins finds its images.
          type: bool
          sample: false
        lacks:
          description: The C(mirrors), or the C(ca). The pull secret is not looked at.
          type: list
          elements: str
          sample: [mirrors]
helper_pods:
  description: The runs that have helper pods.
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
      description: When it counts as left behind, in UTC.
      type: str
      sample: "2026-11-22T02:00:00Z"
    abandoned:
      description: Whether that is so.
      type: bool
      sample: false
    pods:
      description: Its pods, each with C(node), C(pod) and C(phase).
      type: list
      elements: dict
      sample: [{"node": "worker-0", "pod": "node-worker-0", "phase": "Running"}]
actions:
  description: The calls that changed something. This module makes none.
  type: list
  elements: dict
  returned: success
  sample: []
progress:
  description: Where things stand.
  type: dict
  returned: success
  contains:
    sentence:
      description: In one line.
      type: str
      sample: "healthy and settled: 5 of 5 nodes ready, 33 of 33 operators available, version 4.20.1"
    done:
      description: Whether the goal is reached, such as a settled cluster. Always so without O(gather=health).
      type: bool
      sample: true
    next_delay:
      description: Suggested delay in seconds before checking again.
      type: float
      sample: 10.0
timeline:
  description: What was seen while it waited, one entry for each change.
  type: list
  elements: dict
  returned: always
  contains:
    at:
      description: The instant, in UTC.
      type: str
      sample: "2026-11-21T22:01:07Z"
    sentence:
      description: Where things stood.
      type: str
      sample: "1 change under way: MachineConfigPool worker is updating: 1 of 2 nodes are done"
"""

import typing as t
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.reach import list_helper_pods
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
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

READERS = {
    "joining_machines": lambda client, _params: joining_report(client),
    "helper_pods": lambda client, _params: list_helper_pods(client),
}
SPEC = CLUSTER_OPTIONS.merged(WAIT_OPTIONS, gather_option(["health", *READERS]), ArgumentSpec(options=HEALTH_OPTIONS))
WAITING = Waiting("it is healthy and settled", on="the cluster")


def main() -> t.NoReturn:
    def look(this: ModuleRun) -> Step:
        client, nothing = cluster_client(this), Step("the health of the cluster was not asked for", done=True)
        step = read_health(client, this.params) if "health" in this.params["gather"] else nothing
        return replace(step, objects={**step.objects, **by_subject(READERS, client, this.params)})

    run(SPEC, look, WAITING)


if __name__ == "__main__":
    main()
