# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_answers
short_description: Collect the results of a loop that runs on many nodes in parallel
version_added: 0.1.0
description:
  - A loop processes one node after another. If its task sets the variable C(fieldops_side_by_side), an action of this
    collection starts the module for each node in a separate process on the controller, and the loop ends immediately.
  - This module waits for all these processes and returns the same RV(results) as the loop without the variable.
  - If the task failed on a node, the module fails after the task has ended on all nodes. The message contains each
    failed node with its reason.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes.info
options:
  begun:
    description:
      - The C(results) of the loop. Skipped items, and items that failed to start, are returned unchanged.
    type: list
    elements: dict
    required: true
  report_unreachable:
    description:
      - Whether the module succeeds if a node could not be reached, and only reports this in RV(results), as
        C(ignore_unreachable) does for a loop.
    type: bool
    default: false
notes:
  - Runs on the controller, in the play that contains the loop.
  - The variable C(fieldops_queue) of the task in the loop is the name of a queue. Nodes with the same queue are
    processed one after another, in the order of the loop.
  - A loop processes up to 64 nodes at the same time. A longer loop waits until one of them has ended.
seealso:
  - plugin: fieldops.openshift.followed_later
    plugin_type: filter
"""

EXAMPLES = r"""
- name: Start to gather the bundles of each node
  fieldops.openshift.node_info:
    gather: [bundles]
  delegate_to: "{{ item }}"
  loop: "{{ groups.nodes }}"
  vars:
    fieldops_side_by_side: true
  register: started

- name: Collect the results
  fieldops.openshift.node_answers:
    begun: "{{ started.results }}"
  register: gathered

- name: Show the bundles of each node
  ansible.builtin.debug:
    msg: "{{ item.item }}: {{ item.bundles | map(attribute='version') | join(', ') }}"
  loop: "{{ gathered.results }}"
"""

RETURN = r"""
results:
  description:
    - The result of each node in the order of the loop, with the variable of the loop. C(begun) is the place on the
      controller where the module found the result, and C(begun_on) is the name of the node. The result of a node that
      could not be reached has C(unreachable) and C(msg).
  type: list
  elements: dict
  returned: always
  sample:
    - {item: worker-0, changed: false, bundles: []}
actions:
  description: The actions in the results of all nodes.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.node_answers import answers

SPEC = ArgumentSpec(
    options={
        "begun": {"type": "list", "elements": "dict", "required": True},
        "report_unreachable": {"type": "bool", "default": False},
    }
)


def main() -> t.NoReturn:
    run(SPEC, lambda this: answers(this.params["begun"], report_unreachable=this.params["report_unreachable"]))


if __name__ == "__main__":
    main()
