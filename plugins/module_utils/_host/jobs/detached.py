# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Jobs as detached processes: where no systemd is in charge, such as on the controller, a laptop or in a helper pod."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import explained
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import RUN_MARKER, SYSTEM_PATH
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.backends import (
    Launch,
    Observation,
    child_argv,
    wait_until,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.directory import JobDirectory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import JobRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import JobStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._host.locks import FileLock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.processes import marked_processes, send_signal
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline


class DetachedBackend:
    """A ``JobBackend``: the process leads a session of its own, is adopted by process 1, and holds the life lock."""

    name = "detached"

    def unit(self, request: JobRequest) -> str | None:  # noqa: ARG002 (the protocol's)
        """Return None: there are no units here."""
        return None

    def launch(self, launch: Launch, *, deadline: Deadline) -> None:
        """Start the run. The lock is inherited, so that it is held at every moment."""
        environment = {"PATH": SYSTEM_PATH, "LC_ALL": "C.UTF-8", RUN_MARKER: launch.request.run_id}
        argv = child_argv(launch, lock=str(launch.life.descriptor), detach=True)
        content, job = launch.handover.to_bytes(), launch.job
        job.log.touch(mode=0o600)
        with explained("start the job", job.path), _anonymous(content) as stdin, job.log.open("ab") as log:
            # AnsibleModule.run_command waits for the end; this child must outlive the module.
            first = subprocess.Popen(  # pylint: disable=ansible-bad-function
                argv,
                stdin=stdin,
                stdout=log,
                stderr=log,
                cwd="/",
                env=environment,
                start_new_session=True,
                pass_fds=[launch.life.descriptor],
            )
        # The first process only makes the second one and ends.
        wait_until(lambda: first.poll() is not None, deadline)

    def observe(self, job: JobDirectory, status: JobStatus, *, deadline: Deadline) -> Observation:  # noqa: ARG002
        """Look for the process itself, in case its lock file was lost."""
        return Observation(is_alive=status.process is not None and status.process.is_alive)

    def stop(self, job: JobDirectory, status: JobStatus, *, grace: float, deadline: Deadline) -> bool:
        """End every process that carries the mark of the run, its children's sessions included."""

        def is_gone() -> bool:
            return not marked_processes(status.run_id) and not FileLock.is_held(job.life)

        _signal_run(job, status, signal.SIGTERM)
        if wait_until(is_gone, deadline.within(grace)):
            return True

        def is_killed() -> bool:
            # Repeatedly: a process may have been created between the search and the signal.
            _signal_run(job, status, signal.SIGKILL)
            return is_gone()

        return wait_until(is_killed, deadline)

    def forget(self, status: JobStatus, *, deadline: Deadline) -> None:
        """Do nothing: all of a run is in its directory."""


@contextlib.contextmanager
def _anonymous(content: bytes) -> t.Iterator[t.IO[bytes]]:
    """Hold ``content`` in memory, or in a file without a name where the kernel has no memfd_create(2)."""
    create = getattr(os, "memfd_create", None)
    with os.fdopen(create("handover"), "w+b") if create is not None else tempfile.TemporaryFile() as stream:
        stream.write(content)
        stream.seek(0)
        yield stream


def _signal_run(job: JobDirectory, status: JobStatus, number: int) -> None:
    # The leader first, so that it knows of the cancellation before it sees its children die.
    leader = _leader(job, status)
    if leader:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(leader, number)
    for pid in marked_processes(status.run_id):
        if not leader or _group(pid) != leader:
            send_signal(pid, number)


def _leader(job: JobDirectory, status: JobStatus) -> int:
    """Return the number of the job's own process; 0 unless it is certain that this still is that process."""
    process = status.process
    if process is None or not FileLock.is_held(job.life):
        return 0
    # Without /proc there are no start times; there the held lock has to be proof enough.
    return process.pid if process.is_alive or process.start_ticks is None else 0


def _group(pid: int) -> int:
    try:
        return os.getpgid(pid)
    except ProcessLookupError:
        return 0
