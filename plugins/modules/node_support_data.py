#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: node_support_data
short_description: Collect support data on a node, without secrets
version_added: 0.1.0
description:
  - Creates one archive on the node, in memory and accessible only by root. It contains the journals of the units of
    this collection, of CRI-O, the kubelet and the OS image, the logs of the machine-config daemon, the configuration
    files of this collection and of CRI-O, the listings of C(crictl), C(podman), C(bootc) and C(rpm-ostree), disks and
    versions.
  - The module does not use the API, so it also works while the API is down. If a program is missing, a command fails or
    a file cannot be read, only that part is missing. The C(manifest.json) file in the archive lists each part with its
    state and the reason.
  - Secrets are removed before anything is written. Secrets from the pull secret of the node and from other login files
    are removed wherever they occur. Other secrets are recognized by their form. Credential files are never collected.
  - The work is done by a job, which continues if the play ends. Fetch the archive, then remove it with O(state=absent).
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._host_options
  - fieldops.openshift._wait_options
attributes:
  diff_mode:
    details: Shows the path of the archive.
  idempotent:
    details: Makes no change while the archive of the same O(run) exists.
options:
  state:
    description: Whether to collect the data or to remove the archive.
    type: str
    choices: [present, absent]
    default: present
  run:
    description:
      - A name for this collection of data. If an archive of the same name exists, it is returned and nothing is
        collected again, regardless of its age. With another name, a new archive replaces the existing one, after a
        running job has finished.
      - With O(state=absent), only an archive of this name is removed, and only a job of this name is stopped.
    type: str
    required: true
  hours:
    description: The time span, in hours until now, of the journals and logs to collect.
    type: int
    default: 24
  limit_mib:
    description:
      - The maximum size of the data in MiB before compression. Compression reduces it to about a tenth. Parts beyond
        the limit are omitted; long journals are collected last.
      - A part has at most 8 MiB. Of a longer log the end is kept, and of a longer journal the beginning and the end.
    type: int
    default: 64
  timeout:
    description: The time in seconds that the job may take.
    type: int
    default: 1800
requirements:
  - root privileges
seealso:
  - module: fieldops.openshift.support_archive
"""

EXAMPLES = r"""
- name: Collect the data of the last 36 hours
  fieldops.openshift.node_support_data:
    run: ticket-4711
    hours: 36
    wait: true
  become: true
  register: node

- name: Fetch the archive
  ansible.builtin.fetch:
    src: "{{ node.archive.path }}"
    dest: "{{ inventory_hostname }}.tar.gz"
    flat: true
  become: true

- name: Remove the archive from the node
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
      description: The path of the archive on the node.
      type: str
      sample: /run/fieldops-openshift/support/support-data.tar.gz
    size:
      description: The size in bytes.
      type: int
      sample: 3145728
    parts:
      description: The number of requested parts.
      type: int
      sample: 74
missing:
  description: The parts that could not be collected, at most 100. A part that does not exist on the node is not listed.
  type: list
  elements: dict
  returned: when the archive is complete
  contains:
    name:
      description: The name of the part in the archive.
      type: str
      sample: commands/crictl-images.json
    source:
      description: The command or file that the part is read from.
      type: str
      sample: crictl images -o json
    state:
      description: >-
        V(failed), V(refused), V(away) or V(left_out). The manifest also uses V(collected), V(cut) and V(absent).
      type: str
      sample: failed
    size:
      description: The size in bytes in the archive, or of the omitted data.
      type: int
      sample: 212
    reason:
      description: The reason.
      type: str
      sample: it ended with status 1
job:
  description: The running job.
  type: dict
  returned: while the job runs
  sample:
    id: support-data
    state: running
    unit: fieldops-support-data-77ab01cd.service
actions:
  description: The commands that changed something. This module does not run any.
  type: list
  elements: dict
  returned: success
  sample: []
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample:
    sentence: Collected 74 parts, 3.0 MiB in total
    done: true
    next_delay: 5.0
timeline:
  description: The progress messages observed while waiting, one entry for each change, in the same format as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T22:01:07Z', sentence: Started to collect support data}]
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
WAITING = Waiting("the support data is collected", on="the host")
HOST_MAY_REBOOT = True


def main() -> t.NoReturn:
    run(SPEC, lambda this: node_support_step(host_of(this), this.params, check_mode=this.check_mode), WAITING)


if __name__ == "__main__":
    main()
