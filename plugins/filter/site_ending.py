# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later


from __future__ import annotations

DOCUMENTATION = r"""
name: site_ending
author: fieldops.openshift contributors (@fieldops)
version_added: 0.1.0
short_description: Determine how the update of a site or a rollout ended
description:
  - Reduces the results of the phases of C(fieldops.openshift.update_site), or of C(fieldops.openshift.roll_nodes), to
    one of four statuses that a workflow can use.
  - For people, it reports in lines what was done on which node and when, what remains, and when the update can
    continue.
options:
  _input:
    description: >-
      The results of the phases. Phases that were not reached are empty. A rollout alone has only C(rollout) and
      C(completed).
    type: dict
    required: true
    suboptions:
      update:
        description: The C(version), C(digest) and number of C(images) of the bundle.
        type: dict
      loaded:
        description: The fact C(load_images_summary) of role C(fieldops.openshift.load_images).
        type: dict
      release:
        description: The fact C(update_cluster_summary) of role C(fieldops.openshift.update_cluster).
        type: dict
      rollout:
        description: The fact C(roll_nodes_summary) of role C(fieldops.openshift.roll_nodes).
        type: dict
      boot_images:
        description: The fact C(update_boot_images_result) of role C(fieldops.openshift.update_boot_images).
        type: dict
      pending_before:
        description: The names of the nodes that remained when the run started.
        type: list
        elements: str
      completed:
        description: Whether all tasks were successful.
        type: bool
        default: true
"""

EXAMPLES = r"""
- name: Report the ending to the workflow
  ansible.builtin.set_stats:
    data:
      fieldops_ending: "{{ ({'rollout': roll_nodes_summary} | fieldops.openshift.site_ending).status }}"

- name: Show the summary
  ansible.builtin.debug:
    msg: "{{ ({'update': update, 'rollout': roll_nodes_summary} | fieldops.openshift.site_ending).summary }}"
"""

RETURN = r"""
_value:
  description: The ending.
  type: dict
  contains:
    status:
      description: >-
        V(done); V(nothing_to_do) if everything was up to date; V(waits_for_window) if change is restricted; or
        V(needs_person).
      type: str
      sample: waits_for_window
    failed:
      description: Whether the run must fail, because what it was started for is not reached.
      type: bool
      sample: true
    sentence:
      description: The ending as a message for people.
      type: str
      sample: Nothing remains.
    next_permitted:
      description: When change is permitted again, in UTC, if known.
      type: str
      sample: "2026-11-28T22:00:00Z"
    remaining:
      description: The names of the nodes that are not done.
      type: list
      elements: str
      sample: [worker-1]
    summary:
      description: The lines for people, the last one with the same sentence.
      type: list
      elements: str
      sample:
        - "Release 4.20.1, bundle sha256:3f2a1b0c9d8e: 191 images are loaded and pinned on 5 nodes."
        - "The cluster has been at 4.20.1 since 2026-11-21T22:09:13Z."
        - "worker-0  done, away from 2026-11-21 22:01:07 UTC to 2026-11-21 22:07:44 UTC"
        - Nothing remains.
"""

from collections.abc import Callable

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.site_ending import ending_of
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.plan.site_summary import summary_lines


class FilterModule:
    """Gives the filter its name."""

    def filters(self) -> dict[str, Callable[..., object]]:
        """Return the filter."""
        return {
            "site_ending": lambda outcome: {**ending_of(outcome).as_data(), "summary": summary_lines(outcome)},
        }
