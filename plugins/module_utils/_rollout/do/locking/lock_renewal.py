# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Renewing the lock of a cluster next to a play, whose tasks on hosts may last longer than the lock."""

from __future__ import annotations

import hashlib
import json
import os
import typing as t
from collections.abc import Mapping
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.auth_options import (
    AUTH_OPTIONS,
    option_secrets,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.authentication import resolve_access
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import user_cache
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import Jobs
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.run import JobRun
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.holder_process import is_gone
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.lock import renew_lock
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.locking.lock_holder import LockHolder
from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.errors import LockLostError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

RENEW_SECONDS = 60.0
"""A fifteenth of the lock's duration: an API server may be away for several of them."""

_STEP_SECONDS = 30.0


def start_renewing(
    holder: LockHolder, options: Mapping[str, t.Any], clock: Clock, *, seconds: float = RENEW_SECONDS
) -> bool:
    """Renew the lock every so many ``seconds`` until the holder's process ends, and return whether that is done.

    ``options`` are the connection options of a module. Nothing is done where the end of the process could not be
    known: a lock that is renewed for a dead run blocks the cluster forever. Raise JobError and what the door raises.
    """
    if not holder.process:
        return False
    work = FunctionWork.of(
        renew_until_ended,
        holder=holder.identity,
        process=dict(holder.process),
        directory=str(Path.cwd()),
        seconds=seconds,
    )
    given = json.dumps({name: options[name] for name in AUTH_OPTIONS if options.get(name) is not None})
    masked = {f"credential-{number}": secret for number, secret in enumerate(sorted(option_secrets(options)))}
    secrets = {"options": given, **masked}
    _jobs(clock).start(_job_id(holder), work, deadline=Deadline(_STEP_SECONDS, clock), secrets=secrets)
    return True


def stop_renewing(holder: LockHolder, clock: Clock) -> None:
    """Renew the lock of ``holder`` no longer; nothing happens where it is not renewed."""
    jobs, deadline = _jobs(clock), Deadline(_STEP_SECONDS, clock)
    jobs.cancel(_job_id(holder), deadline=deadline)
    jobs.collect(_job_id(holder), deadline=deadline)


def renew_until_ended(
    holder: str,
    process: Mapping[str, t.Any],
    directory: str,
    seconds: float,
    secrets: Mapping[str, str],
    progress: JobRun,
) -> dict[str, t.Any]:
    """Renew the lock as a job, until ``process`` has ended or the lock is another's.

    Relative paths of the connection options are those of ``directory``. What the API answers otherwise is reported and
    tried again: it may be away for a while.
    """
    os.chdir(directory)
    clock = SystemClock()
    client = ClusterClient(resolve_access(json.loads(secrets["options"])), clock)
    renewals = 0
    while not is_gone(process):
        try:
            renew_lock(client, holder)
        except LockLostError as lost:
            return {"renewals": renewals, "ended": lost.seen}
        except FieldOpsError as error:
            progress.report(f"not renewed: {error.seen}")
        else:
            renewals += 1
            progress.report(f"renewed {renewals} times")
        clock.sleep(seconds)
    return {"renewals": renewals, "ended": "the process has ended"}


def _jobs(clock: Clock) -> Jobs:
    # On the controller, as the user who runs the play: no service of the machine.
    return Jobs(Host(clock, Path("/")), user_cache("locks"), systemd=False)


def _job_id(holder: LockHolder) -> str:
    return f"renew-{hashlib.sha256(holder.identity.encode()).hexdigest()[:16]}"
