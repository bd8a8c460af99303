#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: etcd_backup
short_description: Make sure that a control-plane node of OpenShift holds a recent backup of etcd
version_added: 0.1.0
description:
  - Has a backup of etcd made on the control-plane node that the task runs on, unless it holds a recent one.
  - The backup is made by the cluster's own script C(/usr/local/bin/cluster-backup.sh), which the pod of etcd puts onto
    each control-plane node. It writes a snapshot of the database and the resources of the static pods.
  - The script refuses while an operator of the control plane is rolling out, in releases that look at that. It is never
    forced. With O(wait) it is tried again until the operator is at rest.
  - The script writes into a folder of its own inside O(path), and both files get their place when it has ended well.
    What ends it before leaves no file behind that could be taken for a backup.
  - Earlier backups stay. A backup on a node is lost with it; bring it elsewhere, and remove those that are too many.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._host_options
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    support: full
    details: The script is not run, so that its own refusals are not known.
  diff_mode:
    support: full
  idempotent:
    support: full
    details: As long as the backup is younger than O(newer_than).
options:
  state:
    description: Backups are only made.
    type: str
    choices: [present]
    default: present
  path:
    description:
      - The folder of the backups. It is made for root alone where there is none.
      - One that does not belong to root, or that others can write, is refused, and so is a symbolic link.
      - Its path may have letters, digits, C(.), C(_) and C(-).
    type: path
    default: /home/core/assets/backup
  newer_than:
    description:
      - No backup is made while there is a whole one that was begun less than this many seconds ago.
      - A backup is as old as the time in the names of its files says, read as UTC. A copy keeps that name, while its
        file gets the time of the copying. A name that is younger than its file, or than the clock of the node, proves
        nothing.
    type: int
    default: 3600
  timeout:
    description: How many seconds the script may take. It is stopped then, and nothing of its work remains.
    type: int
    default: 1800
  keep_free_percent:
    description:
      - Which share of the file system is to stay free. A backup is refused that would take from it, by the present size
        of the database of etcd. Below 15 percent a kubelet drops images by default, and evicts pods.
    type: int
    default: 15
requirements:
  - a control-plane node of OpenShift with a member of etcd
  - root
seealso:
  - module: fieldops.openshift.node_info
"""

EXAMPLES = r"""
- name: Back up etcd on one control-plane node, unless that was done in the last two hours
  fieldops.openshift.etcd_backup:
    newer_than: 7200
    wait: true
  delegate_to: master-0
  become: true
  register: site_backup
"""

RETURN = r"""
backup:
  description: The newest backup, as an entry of RV(fieldops.openshift.node_info#module:etcd_backups.backups).
  type: dict
  returned: when there is a recent one
  sample: {path: /home/core/assets/backup}
job:
  description: The job, while it runs.
  type: dict
  returned: while the job runs
  sample:
    id: etcd-backup
    state: running
    unit: fieldops-etcd-backup-77ab01cd.service
actions:
  description: The command that made the backup, or would in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - {argv: [/usr/local/bin/cluster-backup.sh, /home/core/assets/backup/fieldops-making]}
progress:
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample:
    sentence: 'etcd was backed up 14s ago: /home/core/assets/backup/snapshot_2026-11-21_220107.db'
    done: true
    next_delay: 5.0
timeline:
  description: What was seen while it waited, one entry for each change, as
    RV(fieldops.openshift.cluster_health_info#module:timeline).
  type: list
  elements: dict
  returned: always
  sample: [{at: '2026-11-21T22:01:07Z', sentence: The cluster's script backs up etcd}]
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
