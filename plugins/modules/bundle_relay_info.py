#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: bundle_relay_info
short_description: Show the relays of a machine and what they have served
version_added: 0.1.0
author:
  - fieldops.openshift contributors (@fieldops)
description:
  - Lists every relay that M(fieldops.openshift.bundle_relay) started on this machine and that nobody stopped, also one
    that has ended since.
  - Root sees the services of the machine and its own jobs, another user only their own jobs.
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
options:
  host_root:
    description:
      - Where the root of the machine is mounted, for a helper pod that works on its node.
    type: path
    default: /
seealso:
  - module: fieldops.openshift.bundle_relay
"""

EXAMPLES = r"""
- name: See how much a node has passed on
  fieldops.openshift.bundle_relay_info:
  delegate_to: worker-0
  become: true
  register: found

- name: Show it
  ansible.builtin.debug:
    msg: "{{ found.relays | map(attribute='served') }}"
"""

RETURN = r"""
relays:
  description: The relays, each as RV(fieldops.openshift.bundle_relay#module:relay) shows it.
  returned: always
  type: list
  elements: dict
  contains:
    state:
      description: V(started), or V(stopped) when it has ended by itself.
      type: str
      sample: started
    url:
      description: Where clients find it.
      type: str
      sample: https://192.0.2.11:9700
    index_digest:
      description: The bundle that it serves.
      type: str
      sample: sha256:1f0c2d4b...
    expires:
      description: When it ends by itself, in UTC.
      type: str
      sample: "2026-11-22T02:00:00Z"
    served:
      description:
        - What it has done so far, C(bytes) of content sent; a service also counts C(requests), C(refused) requests and
          peers, and the C(connections) that are open now.
      type: dict
      sample: {"bytes": 21474836480, "requests": 5120, "refused": 0, "connections": 4, "port": 9700}
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.ensure_relay import list_relays
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import ModuleRun, run_module
from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import Result

SPEC = ArgumentSpec(options={"host_root": {"type": "path", "default": "/"}})


def main() -> t.NoReturn:
    def look(run: ModuleRun) -> Result:
        return Result(objects={"relays": list_relays(run.params, run.clock)})

    run_module(SPEC, look)


if __name__ == "__main__":
    main()
