# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The job's own process: a new interpreter that knows its job directory and what standard input passes."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import RUN_MARKER
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.directory import JobDirectory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.run import JobRun
from ansible_collections.fieldops.openshift.plugins.module_utils._host.locks import FileLock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

LOCK_SECONDS = 60.0
"""How long a process that did not inherit its lock tries to get it."""


@dataclass(frozen=True)
class Handover:
    """What must not be in the request: secrets, and the environment of the work, since proxies may hold passwords.

    ``file`` is the private file that standard input is read from, "" for an anonymous one.
    """

    secrets: Mapping[str, str]
    environment: Mapping[str, str]
    file: str = ""

    def to_bytes(self) -> bytes:
        """Return the form in which it travels."""
        return json.dumps(vars(self)).encode()

    @classmethod
    def take(cls) -> Handover:
        """Read it from standard input, remove its file, and leave /dev/null in its place."""
        handover = cls(**json.loads(sys.stdin.buffer.read()))
        if handover.file:
            remove_file(Path(handover.file))
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        return handover


def main(directory: str, lock: str) -> None:
    """Carry out the job in ``directory``; ``lock`` is the number of the inherited life lock, or "-" to take it."""
    clock = SystemClock()
    os.umask(0o022)
    job = JobDirectory(Path(directory))
    handover = Handover.take()
    life = FileLock(int(lock)) if lock.isdigit() else FileLock.acquire(job.life, Deadline(LOCK_SECONDS, clock))
    os.set_inheritable(life.descriptor, False)
    request = job.read_request()
    os.environ.clear()
    os.environ.update({**handover.environment, RUN_MARKER: request.run_id})
    sys.path.extend(entry for entry in request.import_path if entry not in sys.path)
    JobRun(job, request, handover.secrets, clock).perform()
    # With the report written the job is over, whatever threads it may have left running.
    os._exit(0)
