#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rollout_lock
short_description: Hold the lock of a cluster, so that one job at a time works on it
version_added: 0.1.0
description:
  - The lock is the Lease C(rollout) in namespace C(fieldops-openshift). It lasts for 15 minutes after its last renewal;
    every step of a rollout renews it.
  - A lock that is held by somebody else is taken only when the process that took it has certainly ended, which can be
    known on the same machine, or when it has not been renewed for its whole duration. That goes by the clock of the API
    server alone, which stamps each renewal, so that any machine may take over at the same moment.
  - Without O(wait=true) the task fails at once when somebody else holds the lock, and says who and since when.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
attributes:
  check_mode:
    support: full
  diff_mode:
    support: full
  idempotent:
    support: partial
    details: Holding a lock that is held renews it and reports no change.
options:
  state:
    description:
      - Whether the lock shall be ours or free.
    type: str
    choices: [held, released]
    default: held
  holder:
    description:
      - Who holds the lock, in words that help whoever finds it held, such as the name and number of a job.
      - By default the job of the automation platform that runs the play, else the user and the host.
    type: str
  renew:
    description:
      - Whether to renew the lock every minute beside the play, until it is released or the play ends. Tasks on hosts,
        and tasks of the site's own, may then last longer than the lock.
      - It is not renewed where O(process) is no process of this machine that can be watched.
    type: bool
    default: false
  process:
    description:
      - The process whose end ends the run. In a play it is set by the action of this module to the process of the
        play; it makes the identity of the holder unique, and lets a run that was killed be recognised as dead.
    type: int
  force:
    description:
      - With O(state=released), whether to break a lock that somebody else holds.
    type: bool
    default: false
  reason:
    description:
      - Why the lock is broken. It is kept on the Lease with the name of the user.
    type: str
requirements:
  - python >= 3.10
  - kubernetes >= 28.1.0, but neither 36.0.0 nor 36.0.1
notes:
  - The rights that it needs are in C(extensions/rbac/rollout.yml) of this collection. The namespace is created if it is
    not there, which needs the right to do so.
"""

EXAMPLES = r"""
- name: Take the lock, or say who has it
  fieldops.openshift.rollout_lock:
    holder: "job {{ awx_job_id }}"
  register: cluster_lock

- name: Take the lock, waiting until another job is finished or has been dead for long enough
  fieldops.openshift.rollout_lock:
    wait: true
    wait_timeout: 7200

- name: Give the lock up
  fieldops.openshift.rollout_lock:
    state: released
    holder: "job {{ awx_job_id }}"

- name: Break the lock of a job that is known to be dead
  fieldops.openshift.rollout_lock:
    state: released
    force: true
    reason: laptop lost on site, agreed with J. Doe
"""

RETURN = r"""
lock:
  description: The lock as it is now, or in check mode would be.
  type: dict
  returned: success
  contains:
    holder:
      description: Who holds it, empty if it is free.
      type: str
      sample: technician@laptop/4711-883120
    by:
      description: The user as whom the holder is known to the API.
      type: str
      sample: system:serviceaccount:site:automation
    since:
      description: When it was taken.
      type: str
      sample: "2026-11-21T22:01:07.123456Z"
    renewed:
      description: When it was renewed last.
      type: str
      sample: "2026-11-21T22:04:40.000000Z"
    expires:
      description: When it may be taken by others unless it is renewed, by the API server's clock.
      type: str
      sample: "2026-11-21T22:19:40.000000Z"
    transitions:
      description: How often it has changed hands.
      type: int
      sample: 3
actions:
  description: The calls that changed something, or in check mode would have.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: patch, kind: Lease, namespace: fieldops-openshift, name: rollout, dry_run: false}
progress:
  description: Where things stand, as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: the lock is ours, done: true, next_delay: 5.0}
timeline:
  description: What was seen while it waited, one entry for each change.
  type: list
  elements: dict
  returned: always
  sample:
    - {at: "2026-11-21T22:01:07Z", sentence: the lock is ours}
"""

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.lock_step import (
    LOCK_OPTIONS,
    lock_step,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import CLUSTER_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_session import cluster_client
from ansible_collections.fieldops.openshift.plugins.module_utils._run.module_run import run
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Waiting
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS

RULES = ArgumentSpec(options=LOCK_OPTIONS, required_if=[("force", True, ("reason",))])
SPEC = CLUSTER_OPTIONS.merged(WAIT_OPTIONS, RULES)
WAITING = Waiting("the lock is ours", on="the cluster")


def main() -> t.NoReturn:
    run(SPEC, lambda this: lock_step(cluster_client(this), this.params), WAITING)


if __name__ == "__main__":
    main()
