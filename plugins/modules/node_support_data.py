#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_support_data
short_description: Collect on a node what its support asks for, without secrets
version_added: 0.1.0
description:
  - Makes one archive for root alone, in memory, of what the node says about its work - the journals of the units of
    this collection, of CRI-O, the kubelet and the OS image, the logs of the machine-config daemon, the files that this
    collection and CRI-O are configured by, the listings of C(crictl), C(podman), C(bootc) and C(rpm-ostree), its disks
    and its versions.
  - Nothing is asked of an API, so that it works where there is none. A program that is missing, a command that fails
    and a file that cannot be read cost that part alone. The C(manifest.json) of the archive names each part, and why
    it is not there.
  - Secrets are taken out of everything before it is written. Those in the pull secret of the node and in other files
    of logins are found wherever they stand, others by how they look. No file of credentials is collected.
  - The work is a job, which goes on without the play. Fetch the archive, then remove it with O(state=absent).
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._host_options
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
    details: It names the archive.
  idempotent:
    support: full
    details: As long as the archive of the O(run) is there.
options:
  state:
    description: Whether to collect, or to remove what was collected.
    type: str
    choices: [present, absent]
    default: present
  run:
    description:
      - A name for this collection. What was collected under the same name is returned and not collected again, however
        long ago that was. Under another name a new archive takes its place, after a collection that is under way.
      - With O(state=absent) only what was collected under this name is removed, and its collection is ended.
    type: str
    required: true
  hours:
    description: Of how many hours until now to collect journals and logs.
    type: int
    default: 24
  limit_mib:
    description:
      - How many MiB to collect at most, before compression, which leaves about a tenth. What goes beyond is left out,
        journals that are long the first. No part has more than 8 MiB; of a log its end is kept, of a journal both ends.
    type: int
    default: 64
  timeout:
    description: How many seconds the job may take.
    type: int
    default: 1800
requirements:
  - root
seealso:
  - module: fieldops.openshift.support_archive
"""

EXAMPLES = r"""
- name: Collect what happened since yesterday
  fieldops.openshift.node_support_data:
    run: ticket-4711
    hours: 36
    wait: true
  become: true
  register: node

- name: Bring it here
  ansible.builtin.fetch:
    src: "{{ node.archive.path }}"
    dest: "{{ inventory_hostname }}.tar.gz"
    flat: true
  become: true

- name: Leave nothing of it on the node
  fieldops.openshift.node_support_data:
    run: ticket-4711
    state: absent
  become: true
"""

RETURN = r"""
archive:
  description: The archive.
  type: dict
  returned: when it is complete
  contains:
    path:
      description: Where it lies on the node.
      type: str
      sample: /run/fieldops-openshift/support/support-data.tar.gz
    size:
      description: Its bytes.
      type: int
      sample: 3145728
    parts:
      description: How many parts were asked for.
      type: int
      sample: 74
missing:
  description: The parts that could not be had, at most 100 of them. What the node does not have is not missing.
  type: list
  elements: dict
  returned: when it is complete
  contains:
    name:
      description: The name of the part in the archive.
      type: str
      sample: commands/crictl-images.json
    source:
      description: What it was to be read from.
      type: str
      sample: crictl images -o json
    state:
      description: >-
        One of V(failed), V(refused), V(away) and V(left_out). In the manifest there are V(collected), V(cut) and
        V(absent) as well.
      type: str
      sample: failed
    size:
      description: How many bytes of it are in the archive, or would be if it was left out.
      type: int
      sample: 212
    reason:
      description: Why it is missing.
      type: str
      sample: it ended with status 1
job:
  description: The job, while it runs.
  type: dict
  returned: while the job runs
  sample:
    id: support-data
    state: running
    unit: fieldops-support-data-77ab01cd.service
actions:
  description: The commands that changed something. This module runs none.
  type: list
  elements: dict
  returned: success
  sample: []
progress:
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample:
    sentence: Collected 74 parts, 3.0 MiB in all
    done: true
    next_delay: 5.0
timeline:
  description: What was seen while it waited, one entry for each change, as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T22:01:07Z', sentence: Started to collect what its support may ask for}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.node_step import node_support_step

SPEC = ArgumentSpec(
    options={
        "state": {"type": "str", "choices": ["present", "absent"], "default": "present"},
        "run": {"type": "str", "required": True},
        "hours": {"type": "int", "default": 24},
        "limit_mib": {"type": "int", "default": 64},
        "timeout": {"type": "int", "default": 1800},
    }
).merged(HOST_OPTIONS, WAIT_OPTIONS)
WAITING = Waiting("everything is collected", on="the host")
HOST_MAY_REBOOT = True


def main() -> t.NoReturn:
    run(SPEC, lambda this: node_support_step(host_of(this), this.params, check_mode=this.check_mode), WAITING)


if __name__ == "__main__":
    main()
