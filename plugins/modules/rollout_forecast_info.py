#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rollout_forecast_info
short_description: Forecast the time and the space of an update
version_added: 0.1.0
description:
  - Computes the rollout plan from the current state of the cluster, like M(fieldops.openshift.rollout_info), and
    determines for each step when it can start and when it ends, by the expected durations and the change management of
    its pool. Nothing is changed.
  - The expected duration of a node is its duration in the previous rollout, or the duration of the nodes of this
    rollout that are done, or O(node_seconds). The expected duration of the release is that of the shortest of the last
    three completed updates, or O(release_seconds).
  - With O(archive), the cluster is that of a support archive, and no connection is made. It was like that when the
    archive was created.
  - A step that cannot start waits for the next window that is long enough. A playbook that updates the site ends at
    that time, and has to be run again in that window.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes.info
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._guard_options
  - fieldops.openshift._selection_options
options:
  release_seconds:
    description:
      - The expected seconds for the release with its control plane. With V(0), no release is part of the forecast, and
        nodes of the control plane are steps like other nodes.
    type: int
    default: 0
  control_plane_method:
    description:
      - With V(operator), the machine-config operator updates the control plane, which is part of the release. With
        V(node_by_node), its nodes are steps after the release.
    type: str
    choices: [operator, node_by_node]
    default: operator
  node_seconds:
    description: The expected seconds for a node.
    type: int
    default: 1200
  worker_method:
    description:
      - With V(node_by_node), the nodes of other pools are steps one after another. With V(pool), the machine-config
        operator updates them, pool by pool, and as many at the same time as C(maxUnavailable) of the pool permits.
    type: str
    choices: [node_by_node, pool]
    default: node_by_node
  archive:
    description:
      - A support archive of M(fieldops.openshift.support_archive), to forecast the update of a site away from it. The
        options of the connection are not used.
    type: path
    default: ""
  space:
    description:
      - The space on the nodes, by node name, as results of M(fieldops.openshift.node_bundle) or
        M(fieldops.openshift.node_images) in check mode. By default, the results in O(archive).
    type: dict
    default: {}
  begins:
    description: When the first step can start, in UTC, for example C(2026-11-28T20:00:00Z). By default, now.
    type: str
    default: ""
seealso:
  - module: fieldops.openshift.rollout_info
  - module: fieldops.openshift.rollout_next
  - module: fieldops.openshift.change_management_info
  - module: fieldops.openshift.support_archive
notes:
  - The required RBAC permissions are in C(extensions/rbac/rollout.yml) and C(extensions/rbac/cluster-update-reader.yml)
    of this collection, and for O(guard) in C(extensions/rbac/change-management-reader.yml).
"""

EXAMPLES = r"""
- name: Forecast an update that is started on Saturday evening
  fieldops.openshift.rollout_forecast_info:
    id: rehearsal
    target: rehearsal
    release_seconds: 5400
    begins: "2026-11-28T20:00:00Z"
  register: site_forecast

- name: Forecast the update of a site away from it
  fieldops.openshift.rollout_forecast_info:
    id: rehearsal
    target: rehearsal
    release_seconds: 5400
    archive: fieldops-support-20261121T220107Z.tar.gz

- name: Show when each step starts and ends
  ansible.builtin.debug:
    msg: "{{ site_forecast.forecast.steps | map(attribute='sentence') }}"
"""

RETURN = r"""
forecast:
  description: The forecast.
  type: dict
  returned: success
  contains:
    begins:
      description: When the first step can start.
      type: str
      sample: "2026-11-28T20:00:00Z"
    finishes:
      description: When the last step ends. Empty if a step never can start.
      type: str
      sample: "2026-11-29T01:40:00Z"
    interruptions:
      description: The number of steps that wait for a window.
      type: int
      sample: 1
    steps:
      description: The steps in order.
      type: list
      elements: dict
      contains:
        name:
          description: The name of the node, or V(release and control plane).
          type: str
          sample: worker-0
        pool:
          description: The pool whose change management applies. Empty for the release.
          type: str
          sample: worker
        seconds:
          description: The expected duration in seconds.
          type: float
          sample: 1200.0
        estimate:
          description: Where the expected duration is known from.
          type: str
          sample: worker-0 took 17m 4s in the last rollout
        starts:
          description: When it starts. Empty if it never can.
          type: str
          sample: "2026-11-28T22:00:00Z"
        ends:
          description: When it ends.
          type: str
          sample: "2026-11-28T22:17:04Z"
        waits:
          description: Why it does not start when the step before ends. Empty if it does.
          type: str
          sample: "MachineConfigPool worker: change is restricted until 2026-11-28 22:00:00 UTC"
        sentence:
          description: The step as a one-line message.
          type: str
          sample: "worker-0  2026-11-28 22:00:00 to 22:17:04 UTC: worker-0 took 17m 4s in the last rollout"
    held_back:
      description: The nodes that are not taken, and why.
      type: dict
      sample: {worker-3: it is cordoned by another user}
    space:
      description: The space on the nodes.
      type: dict
      contains:
        sentence:
          description: The space as a one-line message.
          type: str
          sample: space is sufficient on 5 nodes
        file_systems:
          description: The file systems of the nodes on which space is needed. Sizes are in bytes.
          type: list
          elements: dict
          sample:
            - {node: worker-0, path: /var/lib, free: 85899345920, reserve: 20615843021, needed: 54760833024, lacking: 0}
    sentence:
      description: The forecast as a one-line message.
      type: str
      sample: 3 steps; done at 2026-11-29 01:40:00 UTC, after 5h 40m in 2 runs; space is sufficient on 5 nodes
archived:
  description: When O(archive) was created. Empty without one.
  type: str
  returned: success
  sample: "2026-11-21T22:01:07Z"
actions:
  description: Always empty, because this module makes no changes.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.guard import (
    GUARD_NEVER_NULL,
    GUARD_OPTION,
    ForeseenGuard,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.do.read_update import read_observation
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster_update.plan.update_estimate import (
    update_estimate,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.read_rollout import (
    SELECTION_OPTIONS,
    forecast_rollout,
    selection_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.forecast_steps import (
    CONTROL_PLANE_METHODS,
    NODE_BY_NODE,
    OPERATOR,
    WORKER_METHODS,
    expected_of,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.space_forecast import space_forecast
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.archived_site import read_archived_site
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

OPTIONS: dict[str, dict[str, t.Any]] = {
    **SELECTION_OPTIONS,
    "guard": GUARD_OPTION,
    "release_seconds": {"type": "int", "default": 0},
    "control_plane_method": {"type": "str", "choices": list(CONTROL_PLANE_METHODS), "default": OPERATOR},
    "worker_method": {"type": "str", "choices": list(WORKER_METHODS), "default": NODE_BY_NODE},
    "archive": {"type": "path", "default": ""},
    "space": {"type": "dict", "default": {}},
    "node_seconds": {"type": "int", "default": 1200},
    "begins": {"type": "str", "default": ""},
}
SPEC = CLUSTER_OPTIONS.merged(ArgumentSpec(options=OPTIONS, never_null=GUARD_NEVER_NULL))


def main() -> t.NoReturn:
    def foresee(this: ModuleRun) -> Result:
        given, archive = this.params, this.params["archive"]
        site = read_archived_site(Path(archive)) if archive else None
        client = site.client(this.clock) if site else cluster_client(this)
        history = read_observation(client).cluster.history if given["release_seconds"] else ()
        guard, expected = ForeseenGuard.of(client, given["guard"]), expected_of(given, update_estimate(history))
        space = space_forecast(given["space"] or (site.forecasts if site else {}))
        found = forecast_rollout(client, selection_of(given), expected, guard.ask_at, space)
        return Result(objects={"forecast": found.as_data(), "archived": site.made if site else ""})

    run(SPEC, foresee)


if __name__ == "__main__":
    main()
