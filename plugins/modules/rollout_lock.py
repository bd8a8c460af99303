#!/usr/bin/python
# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

DOCUMENTATION = r"""
module: rollout_lock
short_description: Manage the lock of a cluster, so that only one job changes it at a time
version_added: 0.1.0
description:
  - The lock is the Lease C(rollout) in the namespace C(fieldops-openshift). It expires 15 minutes after its last
    renewal. Every step of a rollout renews it.
  - A lock that is held by others is taken over only if it has expired, or if the process that acquired it has ended,
    which can be determined on the same machine. Expiration is determined only by the clock of the API server, which
    sets the time of each renewal, so any machine can take over the lock at the same time.
  - Without O(wait=true), the task fails immediately if the lock is held by others, and reports the holder and the
    time.
author:
  - fieldops.openshift contributors (@fieldops)
extends_documentation_fragment:
  - fieldops.openshift._attributes
  - fieldops.openshift._attributes.cluster
  - fieldops.openshift._cluster_options
  - fieldops.openshift._wait_options
attributes:
  idempotent:
    support: partial
    details: Acquiring a lock that is already held renews it and reports no change.
options:
  state:
    description:
      - Whether to hold or release the lock.
    type: str
    choices: [held, released]
    default: held
  holder:
    description:
      - A description of the holder, which helps others to find the job, such as its name and number.
      - The default is the job of the automation platform that runs the play, or the user and the host.
    type: str
  renew:
    description:
      - Whether to renew the lock every minute in the background, until it is released or the play ends. Tasks on
        hosts and custom tasks of the site can then take longer than the lock duration.
      - The lock is not renewed if O(process) is not a process on this machine that can be monitored.
    type: bool
    default: false
  process:
    description:
      - The process that represents the run. In a play, the action plugin of this module sets it to the process of the
        play. It makes the identity of the holder unique, and allows others to detect that a run was killed.
    type: int
  force:
    description:
      - With O(state=released), whether to break a lock that is held by others.
    type: bool
    default: false
  reason:
    description:
      - The reason for breaking the lock. It is recorded on the Lease with the name of the user.
    type: str
notes:
  - The required RBAC permissions are in C(extensions/rbac/rollout.yml) of this collection. Creating the namespace, if
    it does not exist, requires permission to create namespaces.
"""

EXAMPLES = r"""
- name: Acquire the lock, or fail and report its holder
  fieldops.openshift.rollout_lock:
    holder: "job {{ awx_job_id }}"
  register: cluster_lock

- name: Acquire the lock, waiting until another job releases it or its lock expires
  fieldops.openshift.rollout_lock:
    wait: true
    wait_timeout: 7200

- name: Release the lock
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
  description: The current lock, or the lock that would result in check mode.
  type: dict
  returned: success
  contains:
    holder:
      description: The holder of the lock. Empty if the lock is free.
      type: str
      sample: technician@laptop/4711-883120
    by:
      description: The user of the holder, as authenticated by the API server.
      type: str
      sample: system:serviceaccount:site:automation
    since:
      description: When the lock was acquired.
      type: str
      sample: "2026-11-21T22:01:07.123456Z"
    renewed:
      description: When the lock was last renewed.
      type: str
      sample: "2026-11-21T22:04:40.000000Z"
    expires:
      description: When the lock expires unless it is renewed, by the clock of the API server.
      type: str
      sample: "2026-11-21T22:19:40.000000Z"
    transitions:
      description: How many times the holder has changed.
      type: int
      sample: 3
actions:
  description: The API calls that made changes, or that would be made in check mode.
  type: list
  elements: dict
  returned: success
  sample:
    - {verb: patch, kind: Lease, namespace: fieldops-openshift, name: rollout, dry_run: false}
progress:
  description: The current progress, in the same format as RV(fieldops.openshift.cluster_health_info#module:progress).
  type: dict
  returned: success
  sample: {sentence: this job holds the lock, done: true, next_delay: 5.0}
timeline:
  description: The progress messages observed while waiting, one entry for each change.
  type: list
  elements: dict
  returned: always
  sample:
    - {at: "2026-11-21T22:01:07Z", sentence: this job holds the lock}
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
WAITING = Waiting("this job holds the lock", on="the cluster")


def main() -> t.NoReturn:
    run(SPEC, lambda this: lock_step(cluster_client(this), this.params), WAITING)


if __name__ == "__main__":
    main()
