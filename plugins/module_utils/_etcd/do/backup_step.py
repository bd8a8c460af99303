# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One bounded step towards a recent backup of etcd: see whether there is one, or start or follow the job."""

from __future__ import annotations

import os
import typing as t
from collections.abc import Mapping
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.do.backup_job import (
    SCRIPT,
    backup_command,
    make_backup,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.do.read_backups import read_backups
from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.plan.backups import Backup
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import DiskFullError, FileAccessError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.free_space import free_space
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.single_job import SingleJob
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import JobStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._host.regular_file import regular_size
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    FieldOpsError,
    InvalidInputError,
    MissingRequirementError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import format_size
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.time_lengths import describe_seconds

STEP_SECONDS = 60.0
JOB_ID = "etcd-backup"

DATABASE = "/var/lib/etcd/member/snap/db"
"""The database of the etcd member of a control-plane node; a snapshot of it is no larger."""


def backups_report(host: Host, path: str) -> dict[str, t.Any]:
    """Return the result of the info module: the backups in ``path``, or the ``problem`` why none is trusted."""
    try:
        found, problem = read_backups(host, path), ""
    except InvalidInputError:
        raise
    except FieldOpsError as error:
        return {"backups": [], "unusable": [], "problem": error.seen}
    now = host.clock.utcnow()
    return {
        "backups": [one.as_document(now) for one in found.whole],
        "unusable": [{"name": name, "reason": reason} for name, reason in found.unusable.items()],
        "problem": problem,
    }


def etcd_backup_step(host: Host, params: Mapping[str, t.Any], *, check_mode: bool) -> Step:
    """Take one step towards the backup that the module's ``params`` ask for.

    Raises EtcdBackupError, JobFailedError, DiskFullError, MissingRequirementError, InvalidInputError.
    """
    _require_sense(params)
    path = params["path"]
    work = FunctionWork.of(make_backup, host_root=str(host.root), path=path)
    job = SingleJob(host, JOB_ID, work, "back up etcd", Deadline(STEP_SECONDS, host.clock))
    running = job.running()
    if running is not None:
        return _running(running)
    ended = None if check_mode else job.collect()
    found = read_backups(host, path)
    now = host.clock.utcnow()
    made = next((one for one in found.whole if ended and one.snapshot == ended["snapshot"]), None)
    fresh = made or found.newest(now, params["newer_than"])
    if fresh is not None:
        return replace(_settled(host, fresh, ended if made else None), warnings=job.warnings)
    _require_parts(host, path, params["keep_free_percent"])
    newest = found.newest(now)
    if check_mode:
        return _foreseen(path, newest)
    job.start(max_seconds=params["timeout"])
    objects = {"job": {"id": JOB_ID}}
    return Step("Started: there is no recent backup", False, True, objects, next_delay=1.0, warnings=job.warnings)


def _settled(host: Host, backup: Backup, ended: Mapping[str, t.Any] | None) -> Step:
    now = host.clock.utcnow()
    document = backup.as_document(now)
    sentence = f"etcd was backed up {describe_seconds(backup.age(now))} ago: {document['snapshot']}"
    if ended is None:
        return Step(sentence, True, objects={"backup": document})
    return Step(
        sentence,
        done=True,
        changed=True,
        objects={"backup": document},
        actions=({"argv": backup_command(backup.folder)},),
        diff=_difference(ended["before"], backup.snapshot),
    )


def _foreseen(path: str, newest: Backup | None) -> Step:
    return Step(
        "Would back up etcd: there is no recent backup",
        done=False,
        changed=True,
        actions=({"argv": backup_command(path)},),
        diff=_difference(newest.snapshot if newest else None, "a new one"),
    )


def _difference(before: str | None, after: str) -> dict[str, t.Any]:
    return {"before": {"newest": before}, "after": {"newest": after}}


def _running(job: JobStatus) -> Step:
    document = {"id": job.job_id, "state": job.state.value, "unit": job.unit, "started": job.started}
    return Step(job.sentence, done=False, objects={"job": document}, next_delay=2.0)


def _require_sense(params: Mapping[str, t.Any]) -> None:
    bounds = {"newer_than": (1, None), "timeout": (1, None), "keep_free_percent": (0, 99)}
    for name, (least, most) in bounds.items():
        if params[name] < least or (most is not None and params[name] > most):
            raise InvalidInputError(
                "back up etcd",
                on=name,
                seen=f"it is {params[name]}",
                advice=f"Set {least} or more." if most is None else f"Set {least} to {most}.",
            )


def _require_parts(host: Host, path: str, keep_free_percent: int) -> None:
    """Raise MissingRequirementError on a host that cannot back up etcd, DiskFullError where there is no room."""
    script, database = host.path(SCRIPT), regular_size(host.path(DATABASE))
    if regular_size(script) is None or not os.access(script, os.X_OK):
        raise _no_member(host, f"there is no program {SCRIPT}")
    if database is None:
        raise _no_member(host, f"there is no database {DATABASE}")
    space = free_space(host.path(path))
    reserve = space.total * keep_free_percent // 100
    if space.read_only:
        raise FileAccessError(
            "back up etcd", on=path, seen="its file system is read-only", advice="Choose a writable folder."
        )
    if not space.takes(database + reserve, files=2):
        kept = f"{format_size(reserve)} must stay free, {keep_free_percent} % of {format_size(space.total)}"
        raise DiskFullError(
            "back up etcd",
            on=path,
            seen=f"{format_size(space.free)} are free, the database requires {format_size(database)}, and {kept}",
            advice="Remove backups that are no longer needed or that were copied elsewhere, or choose another folder.",
        )


def _no_member(host: Host, seen: str) -> MissingRequirementError:
    return MissingRequirementError(
        "back up etcd",
        on=str(host),
        seen=seen,
        advice="Run this on a control plane node with a running etcd, whose pod provides the script.",
    )
