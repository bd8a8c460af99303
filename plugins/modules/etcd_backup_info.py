#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: etcd_backup_info
short_description: See which backups of etcd a control-plane node of OpenShift holds
version_added: 0.1.0
description:
  - Finds the whole backups in a folder of the host that the task runs on, and says how old they are by its clock.
  - A backup is a snapshot with the resources of the static pods, under the names that the cluster's own script
    C(cluster-backup.sh) gives them, both whole and root's. What looks like one and is none is named with the reason.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.info
  - fieldops.openshift._host_options
options:
  path:
    description: The folder of the backups, as O(fieldops.openshift.etcd_backup#module:path) takes it.
    type: path
    default: /home/core/assets/backup
seealso:
  - module: fieldops.openshift.etcd_backup
"""

EXAMPLES = r"""
- name: See how old the newest backup of etcd is
  fieldops.openshift.etcd_backup_info:
  delegate_to: master-0
  become: true
  register: site_backups
"""

RETURN = r"""
backups:
  description: The whole backups, the newest first, as M(fieldops.openshift.etcd_backup) returns one.
  type: list
  elements: dict
  returned: success
  contains:
    path:
      description: Its folder.
      type: str
      sample: /home/core/assets/backup
    snapshot:
      description: The snapshot of the database.
      type: str
      sample: /home/core/assets/backup/snapshot_2026-11-21_220107.db
    resources:
      description: The resources of the static pods.
      type: str
      sample: /home/core/assets/backup/static_kuberesources_2026-11-21_220107.tar.gz
    size:
      description: The bytes of both files.
      type: int
      sample: 182452256
    made_at:
      description: When it was begun, in UTC.
      type: str
      sample: "2026-11-21T22:01:07Z"
    age_seconds:
      description: How long ago that was, by the clock of the node.
      type: int
      sample: 14
unusable:
  description: Files that are named like parts of a backup and are none.
  type: list
  elements: dict
  returned: success
  contains:
    name:
      description: The name of the file.
      type: str
      sample: snapshot_2026-11-20_220107.db.part
    reason:
      description: Why it does not count.
      type: str
      sample: it was not finished
problem:
  description: Why nothing in the folder can be trusted; empty where it can, and where there is no such folder.
  type: str
  returned: success
  sample: ""
actions:
  description: The commands that changed something. This module runs none.
  type: list
  elements: dict
  returned: success
  sample: []
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.do.backup_step import backups_report
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.host_options import HOST_OPTIONS, host_of
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result

SPEC = ArgumentSpec(options={"path": {"type": "path", "default": "/home/core/assets/backup"}}).merged(HOST_OPTIONS)


def main() -> t.NoReturn:
    run(SPEC, lambda this: Result(objects=backups_report(host_of(this), this.params["path"])))


if __name__ == "__main__":
    main()
