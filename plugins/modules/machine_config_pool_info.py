#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: machine_config_pool_info
short_description: Tell how far the pools of the machine-config operator are, and who paused them
version_added: 0.1.0
description:
  - Reads the pools and their nodes. A pool of which some nodes have the new configuration and others wait is in a
    normal state, for as long as you like.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
options:
  names:
    description:
      - The names of the pools; all without any.
    type: list
    elements: str
    default: []
  certificate_days:
    description:
      - Certificates that machine-config daemons bring to nodes are named in RV(certificates_at_risk) when they end
        within this number of days.
    type: int
    default: 30
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/rollout.yml) of this collection.
"""

EXAMPLES = r"""
- name: See how far the pools are
  fieldops.openshift.machine_config_pool_info:
  register: site_pools

- name: Name the pools that somebody keeps paused
  ansible.builtin.debug:
    msg: "{{ site_pools.pools | selectattr('paused') | map(attribute='sentence') }}"
"""

RETURN = r"""
pools:
  description: The pools, those first without which no update of the cluster ends.
  type: list
  elements: dict
  returned: success
  contains:
    name:
      description: The name of the pool.
      type: str
      sample: worker
    standing:
      description: >-
        V(updated), V(rolling) while daemons are at work, V(half_updated) or V(pending) while the rest waits, which is
        normal for a paused pool, or V(degraded).
      type: str
      sample: half_updated
    target:
      description: The rendered configuration that its nodes are to have.
      type: str
      sample: rendered-worker-4f1c8e
    image:
      description: The image that was built for the pool and that its nodes are to have too, empty without image mode.
      type: str
    paused:
      description: Whether the machine-config operator begins no further node.
      type: bool
      sample: true
    paused_by:
      description: Who paused it, when and why, as far as that is known; empty for an open pool.
      type: str
      sample: "paused by technician at 2026-11-21T22:01:07Z in rollout update-4.20.2: the window has ended"
    required:
      description: Whether an update of the cluster cannot end without this pool, as those of the control plane.
      type: bool
      sample: false
    updated:
      description: The names of the nodes that have the configuration.
      type: list
      elements: str
      sample: [worker-0]
    in_flight:
      description: The names of the nodes whose daemons are at work; they finish, whether the pool is paused or not.
      type: list
      elements: str
      sample: []
    waiting:
      description: The names of the nodes that were not begun.
      type: list
      elements: str
      sample: [worker-1, worker-2]
    degraded:
      description: The names of those in flight whose daemons cannot go on.
      type: list
      elements: str
      sample: []
    record:
      description: What this collection wrote last on the pool.
      type: dict
      sample: {paused: true, at: "2026-11-21T22:01:07.123456Z", by: technician, rollout: update-4.20.2, reason: ""}
    sentence:
      description: Where the pool stands, in one line.
      type: str
      sample: "pool worker: 1 of 3 nodes have rendered-worker-4f1c8e, 2 wait while the pool is paused by technician"
certificates_at_risk:
  description:
    - Certificates of nodes that end soon or have ended, the soonest first, as the machine-config operator tells.
      Daemons bring renewed ones to nodes of paused pools too, but not to nodes that are away.
  type: list
  elements: dict
  returned: success
  sample:
    - bundle: KubeAPIServerServingCAData
      subject: CN=openshift-kube-apiserver-operator_kube-apiserver-to-kubelet-signer@1763712000
      signer: CN=openshift-kube-apiserver-operator_kube-apiserver-to-kubelet-signer@1763712000
      not_after: "2026-12-05T08:00:00Z"
      days: 13.4
actions:
  description: The calls that changed something. This module makes none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.pools import (
    read_ending_certificates,
    read_pools,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

OPTIONS: dict[str, dict[str, t.Any]] = {
    "names": {"type": "list", "elements": "str", "default": []},
    "certificate_days": {"type": "int", "default": 30},
}
SPEC = CLUSTER_OPTIONS.merged(ArgumentSpec(options=OPTIONS))


def main() -> t.NoReturn:
    def look(this: ModuleRun) -> Result:
        client = cluster_client(this)
        pools = read_pools(client, this.params["names"])
        ending = read_ending_certificates(client, this.params["certificate_days"])
        found = {"pools": [pool.as_data() for pool in pools]}
        return Result(objects={**found, "certificates_at_risk": [one.as_data() for one in ending]})

    run(SPEC, look)


if __name__ == "__main__":
    main()
