# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which backend runs a job, and how its directory is prepared for that."""

from __future__ import annotations

import uuid
from collections.abc import Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_private_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.backends import JobBackend, Launch
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.child import Handover
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.detached import DetachedBackend
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.directory import JobDirectory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.import_roots import (
    extra_import_path,
    kept_roots,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.io_limits import IoLimits
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.records import queued
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork, JobRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.systemd import SystemdBackend
from ansible_collections.fieldops.openshift.plugins.module_utils._host.locks import FileLock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp


class JobLauncher:
    """Starts runs on ``host``: by its systemd when ``systemd`` says so, else as detached processes."""

    def __init__(self, host: Host, systemd: bool) -> None:
        self._host = host
        self._systemd = systemd
        known: tuple[JobBackend, ...] = (DetachedBackend(), SystemdBackend(host))
        self._backends = {backend.name: backend for backend in known}

    def backend(self, name: str) -> JobBackend:
        """Return the backend ``name``, or the one without requirements for an unknown name."""
        return self._backends.get(name) or self._backends[DetachedBackend.name]

    def request(
        self, job: JobDirectory, work: FunctionWork, max_seconds: float, secrets: Mapping[str, str]
    ) -> JobRequest:
        """Return the request for a new run."""
        return JobRequest(
            job_id=job.path.name,
            run_id=uuid.uuid4().hex,
            work=work,
            max_seconds=max_seconds,
            backend=self._choice(),
            secret_names=tuple(sorted(secrets)),
            import_path=extra_import_path(),
        )

    def launch(
        self,
        job: JobDirectory,
        request: JobRequest,
        secrets: Mapping[str, str],
        deadline: Deadline,
        limits: IoLimits | None,
    ) -> None:
        """Prepare the directory of ``job`` and start the run; the caller holds the gate."""
        backend = self._backends[request.backend]
        ensure_private_directory(job.path)
        life = FileLock.acquire(job.life, deadline)
        try:
            job.write_request(request)
            job.write_status(queued(request, backend.unit(request), timestamp(self._host.clock.utcnow())))
            launch = Launch(
                job=job,
                request=request,
                roots=kept_roots((__name__, request.work.function.partition(":")[0]), job.code),
                handover=Handover(dict(secrets), Host(self._host.clock).environment()),
                life=life,
                limits=limits,
            )
            backend.launch(launch, deadline=deadline)
        finally:
            life.release()

    def _choice(self) -> str:
        # A helper pod's Python does not exist on the host.
        return SystemdBackend.name if self._systemd and not self._host.is_mounted else DetachedBackend.name
