# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The job: the cluster's own script makes a backup of etcd in a folder of ours, whose files then get their place."""

from __future__ import annotations

import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.do.read_backups import read_backups
from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.etcd_errors import EtcdBackupError
from ansible_collections.fieldops.openshift.plugins.module_utils._etcd.plan.backups import Backup
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandResult
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import (
    ensure_private_directory,
    remove_tree,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_names import move_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import LONGEST
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter

SCRIPT = "/usr/local/bin/cluster-backup.sh"
"""Where the etcd pod of a control-plane node puts it: container ``etcd-resources-copy`` of the cluster-etcd-operator's
bindata/etcd/pod.gotpl.yaml."""

MAKING = "fieldops-making"
"""The folder inside that of the backups in which one is made: what a killed run leaves there counts as none."""

PASSING = ("operator is progressing", "Could not find the status of the")
"""What the script says where it refuses for the time being. Older releases look at no operator."""

QUOTED = 1000


def backup_command(path: str) -> list[str]:
    """Return the command that creates a backup for the folder ``path``. It never forces one."""
    return [SCRIPT, f"{path}/{MAKING}"]


def make_backup(*, host_root: str, path: str, progress: ProgressReporter) -> dict[str, t.Any]:
    """Have a backup made that ends in the folder ``path`` of the host: the work of the job.

    Returns the names of its two files and the newest ``before``. Raises EtcdBackupError, FileAccessError,
    MissingRequirementError; whatever ends it, nothing half made is left in ``path``.
    """
    host = Host(SystemClock(), Path(host_root))
    before = read_backups(host, path).newest(host.clock.utcnow())
    folder = host.path(path)
    if not folder.exists():
        ensure_private_directory(folder)
    remove_tree(folder / MAKING)
    ensure_private_directory(folder / MAKING)
    try:
        made = _run_script(host, path, progress)
        # The snapshot last: without it the other file is no backup.
        for name in (made.resources, made.snapshot):
            move_file(folder / MAKING / name, folder / name)
    finally:
        remove_tree(folder / MAKING)
    return {"snapshot": made.snapshot, "resources": made.resources, "before": before and before.snapshot}


def _run_script(host: Host, path: str, progress: ProgressReporter) -> Backup:
    def tell(chunk: bytes) -> None:
        lines = [line.strip() for line in chunk.decode("utf-8", "replace").splitlines() if line.strip()]
        if lines and lines[-1].isprintable():
            progress.report(f"Last line of the cluster's script: {lines[-1][:200]}")

    progress.report("The cluster's script is backing up etcd")
    # The name of the files is the script's local time; it is read as UTC.
    ended = host.run(backup_command(path), deadline=Deadline(LONGEST, host.clock), env={"TZ": "UTC"}, ok=None, tee=tell)
    if ended.rc != 0:
        raise _refused(host, ended)
    found = read_backups(host, f"{path}/{MAKING}")
    if len(found.whole) != 1:
        raise EtcdBackupError(
            "back up etcd",
            on=str(host),
            seen=f"{SCRIPT} succeeded, but created {len(found.whole)} complete backups"
            + "".join(f"; {name}: {reason}" for name, reason in found.unusable.items()),
            advice="Run it manually as root on that host and check its output.",
        )
    return found.whole[0]


def _refused(host: Host, ended: CommandResult) -> EtcdBackupError:
    # The script prints its reasons on its standard output, those of etcdctl come on the other.
    output = "\n".join(text.strip() for text in (ended.stdout, ended.stderr) if text.strip())
    is_passing = any(words in output for words in PASSING)
    return EtcdBackupError(
        "back up etcd",
        on=str(host),
        seen=f"{SCRIPT} ended with status {ended.rc}, with the output: {output[-QUOTED:] or 'none'}",
        advice="Wait until the control plane is settled. The collection never forces a backup."
        if is_passing
        else "Check its output, or run it manually as root on that host. Nothing of this backup was kept.",
        transient=is_passing,
    )
