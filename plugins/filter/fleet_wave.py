# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: fleet_wave
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Decide which clusters of a fleet can begin an update now, or why none can
description:
  - Clusters are updated in rings. A ring begins when all clusters of the previous ring have the release and its soak
    time is over. Clusters that the hub cannot reach do not delay a ring, but at least one cluster of the ring must have
    the release.
  - If more updates failed than permitted, no cluster begins. This ends when a later update of these clusters succeeds.
  - The result depends only on the input. The filter starts and stores nothing; a job of AWX runs it at regular
    intervals and launches the jobs of the clusters.
options:
  _input:
    description: The clusters, as host variables of P(fieldops.openshift.managed_clusters#inventory).
    type: list
    elements: dict
    required: true
  release:
    description: The version that all clusters are updated to.
    type: str
    required: true
  rings:
    description:
      - The rings in their order. A cluster whose C(cluster_ring) is not listed is never begun.
    type: list
    elements: dict
    required: true
    suboptions:
      name:
        description: The value of C(cluster_ring).
        type: str
        required: true
      soak_hours:
        description: The time between the last update of the ring and the first of the next ring, in hours.
        type: float
        default: 0
      most_failed:
        description: The number of clusters of the ring that may fail. By default, only O(most_failed) applies.
        type: int
  jobs:
    description:
      - The jobs that updated clusters, as AWX lists them, with C(id), C(status), C(finished) and C(extra_vars). Their
        extra variables C(fleet_cluster) and C(fleet_release) name the cluster and the release. The last job of a
        cluster counts.
    type: list
    elements: dict
    default: []
  at_once:
    description: The number of updates that can run at the same time.
    type: int
    default: 10
  most_failed:
    description: The number of failed updates among the last O(out_of) updates that is permitted.
    type: int
    default: 2
  out_of:
    description: The number of last updates in which failed ones are counted.
    type: int
    default: 100
  policies:
    description:
      - Change policies by the name in C(cluster_window). A cluster begins only if its policy permits change now, and
        never if it has no policy. Without policies, clusters begin at any time, and the site decides.
    type: dict
  now:
    description: The time of the decision, in RFC 3339 format. The default is the current time.
    type: str
seealso:
  - plugin: fieldops.openshift.managed_clusters
    plugin_type: inventory
"""

EXAMPLES = r"""
- name: Decide which clusters begin
  ansible.builtin.set_fact:
    wave: >-
      {{ groups['managed_clusters'] | map('extract', hostvars)
         | fieldops.openshift.fleet_wave(release='4.21.5', rings=rings, jobs=jobs, at_once=50) }}
  vars:
    rings:
      - {name: canary, soak_hours: 24, most_failed: 0}
      - {name: pilot, soak_hours: 72}
      - {name: all}
"""

RETURN = r"""
_value:
  description: The decision.
  type: dict
  contains:
    decision:
      description: V(begin), V(wait) or V(stop).
      type: str
      sample: stop
    reason:
      description: The reason as a message.
      type: str
      sample: "Stopped: 3 of the last 57 updates failed, and at most 2 may fail: site-7, site-9, site-12. Repair them,
        and run their updates again."
    begin:
      description: The names of the clusters that begin.
      type: list
      elements: str
      sample: []
    ring:
      description: The name of the ring that the decision is about, if there is one.
      type: str
      sample: canary
    until:
      description: When the soak time of the ring ends, if that is the reason to wait.
      type: str
      sample: "2026-11-28T20:00:00Z"
    counts:
      description: >-
        The number of clusters that are C(done), C(running), C(failed), C(ready), C(closed) because of their window,
        C(unavailable), and C(without_ring).
      type: dict
      sample: {done: 54, failed: 3, ready: 3443}
"""

import typing as t
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.do.ask import ask_state, moment
from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.plan.awx_jobs import last_updates
from ansible_collections.fieldops.openshift.plugins.module_utils._fleet.plan.wave import (
    Ring,
    WaveRules,
    members_of,
    next_wave,
)
from ansible_collections.fieldops.openshift.plugins.plugin_utils._template_errors import in_templates

Fields = Mapping[str, t.Any]


@in_templates("clusters need the variables of the inventory managed_clusters, rings a name, and jobs id and status")
def fleet_wave(
    clusters: Iterable[Fields],
    release: str,
    rings: Iterable[Fields],
    jobs: Iterable[Fields] = (),
    *,
    policies: Fields | None = None,
    now: object = None,
    **limits: t.Any,
) -> dict[str, t.Any]:
    """Return the decision; see DOCUMENTATION."""
    rules = _rules(rings, **limits)
    opened = None if policies is None else frozenset(_open_windows(policies, now))
    members = members_of([*clusters], release, last_updates(jobs, release), rules, opened)
    wave = asdict(next_wave(members, rules, moment(now)))
    return {**wave, "begin": [*wave["begin"]], "counts": dict(Counter(one.standing for one in members))}


def _rules(rings: Iterable[Fields], at_once: int = 10, most_failed: int = 2, out_of: int = 100) -> WaveRules:
    found = [Ring(ring["name"], int(float(ring.get("soak_hours") or 0) * 3600), _most(ring)) for ring in rings]
    return WaveRules(tuple(found), int(at_once), int(most_failed), int(out_of))


def _most(ring: Fields) -> int | None:
    most = ring.get("most_failed")
    return None if most is None else int(most)


def _open_windows(policies: Fields, now: object) -> Iterable[str]:
    """Yield the names of the policies that permit change; one that is missing or invalid does not."""
    for name in policies:
        stanza = {"strategy": "ByPolicy", "byPolicy": {"name": name}}
        if ask_state(stanza, policies, now).permitted:
            yield name


class FilterModule:
    """Gives the filter its name."""

    def filters(self) -> dict[str, t.Callable[..., t.Any]]:
        """Return the filter."""
        return {"fleet_wave": fleet_wave}
