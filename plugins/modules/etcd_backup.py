#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: etcd_backup
short_description: Ensure that a control plane node holds a recent etcd backup
version_added: 0.1.0
description:
  - Creates an etcd backup on the control plane node that the task runs on, unless the node already holds a recent
    one.
  - The backup is created by the script C(/usr/local/bin/cluster-backup.sh), which the etcd pod provides on each
    control plane node. It saves a snapshot of the database and the resources of the static pods.
  - In some releases, the script refuses to run while a control plane operator is rolling out a change. The refusal is
    never overridden. With O(wait), the module retries until the operator has settled.
  - The script writes to a temporary folder in O(path). Both files are moved to their final place after the script has
    succeeded, so that an interrupted run leaves no file that could be mistaken for a backup.
  - Earlier backups are kept. A backup that is stored on a node is lost with the node, so copy it to another place,
    and remove backups that are no longer needed.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._host_options
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    details: The script is not run, so a refusal by the script is not detected.
  idempotent:
    details: No backup is created while the last one is younger than O(newer_than).
options:
  state:
    description: The desired state. Backups are created, but never removed.
    type: str
    choices: [present]
    default: present
  path:
    description:
      - The backup folder. If it does not exist, it is created and is accessible only by root.
      - A folder that is not owned by root or that other users can write to is rejected. Symbolic links are rejected
        as well.
      - The path can contain letters, digits, C(.), C(_) and C(-).
    type: path
    default: /home/core/assets/backup
  newer_than:
    description:
      - No backup is created if a complete backup exists that was started less than this number of seconds ago.
      - The age of a backup is determined from the time in its file names, read as UTC, because copying changes the
        time of a file but not its name. A name with a time later than that of its file or than the clock of the node
        is ignored.
    type: int
    default: 3600
  timeout:
    description: The time in seconds that the script may take. After that time it is stopped and its output is
      removed.
    type: int
    default: 1800
  keep_free_percent:
    description:
      - The percentage of the file system that must stay free. A backup that would exceed this limit, estimated from
        the current size of the etcd database, is refused. By default, a kubelet removes images and evicts pods below
        15 percent.
    type: int
    default: 15
requirements:
  - a control plane node of OpenShift with an etcd member
  - root privileges
seealso:
  - module: fieldops.openshift.node_info
"""

EXAMPLES = r"""
- name: Back up etcd on one control plane node, unless a backup of the last two hours exists
  fieldops.openshift.etcd_backup:
    newer_than: 7200
    wait: true
  delegate_to: master-0
  become: true
  register: site_backup
"""

RETURN = r"""
backup:
  description: The newest backup, in the same format as the entries of
    RV(fieldops.openshift.node_info#module:etcd_backups.backups).
  type: dict
  returned: when there is a recent one
  sample: {path: /home/core/assets/backup}
job:
  description: The running job.
  type: dict
  returned: while the job runs
  sample:
    id: etcd-backup
    state: running
    unit: fieldops-etcd-backup-77ab01cd.service
actions:
  description: The command that created the backup, or that would be run in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - {argv: [/usr/local/bin/cluster-backup.sh, /home/core/assets/backup/fieldops-making]}
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample:
    sentence: 'etcd was backed up 14s ago: /home/core/assets/backup/snapshot_2026-11-21_220107.db'
    done: true
    next_delay: 5.0
timeline:
  description: The progress messages observed while waiting, one entry for each change, in the same format as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T22:01:07Z', sentence: The cluster's script is backing up etcd}]
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.do.backup_step import etcd_backup_step
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS

SPEC = ArgumentSpec(
    options={
        "state": {"type": "str", "choices": ["present"], "default": "present"},
        "path": {"type": "path", "default": "/home/core/assets/backup"},
        "newer_than": {"type": "int", "default": 3600},
        "timeout": {"type": "int", "default": 1800},
        "keep_free_percent": {"type": "int", "default": 15},
    }
).merged(HOST_OPTIONS, WAIT_OPTIONS)
WAITING = Waiting("there is a recent backup of etcd", on="the host")
HOST_MAY_REBOOT = True


def main() -> t.NoReturn:
    run(SPEC, lambda this: etcd_backup_step(host_of(this), this.params, check_mode=this.check_mode), WAITING)


if __name__ == "__main__":
    main()
