# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Jobs as transient systemd services of the host, which outlive the session, the module and the helper pod."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandResult
from ansible_collections.fieldops.openshift.plugins.module_utils._host.directories import ensure_private_directory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.files import remove_file, write_file
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import RUN_MARKER, Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.backends import (
    Launch,
    Observation,
    child_argv,
    wait_until,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.directory import JobDirectory
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import JobRequest
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import (
    JobStatus,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.unit_state import (
    PROPERTIES,
    UnitState,
    parse_unit,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

SPARE_SECONDS = 30
"""systemd's own bound is this much behind the job's, so that the job can still report that its time was up."""

STOP_SECONDS = 30
"""Grace when another process stops the service, as a shutdown does; ``JobBackend.stop`` keeps its own."""

SLICE = "fieldops.slice"
SHARES = ("CPUWeight=20", "IOWeight=10")
"""The share of all jobs, below the default of 100. A weight counts among siblings: the kubelet has its pods, and so
etcd, in kubepods.slice, whose siblings jobs in system.slice are not. Source: systemd.resource-control(5)."""

PRIORITY = {"IOSchedulingClass": "best-effort", "IOSchedulingPriority": "7"}

HANDOVER_DIRECTORY = "/run/fieldops-openshift"
"""Where a secret waits for the service that reads it: memory, not disk."""


def is_in_charge(host: Host) -> bool:
    """Whether the host was booted with systemd, by the test of sd_booted(3)."""
    return host.path("/run/systemd/system").is_dir()


class SystemdBackend:
    """A ``JobBackend``: the job's interpreter as a transient service, collected by systemd when it has ended."""

    name = "systemd"

    def __init__(self, host: Host) -> None:
        self.host = host

    def unit(self, request: JobRequest) -> str | None:
        """Return the name of the unit, another one for each run."""
        return unit_name(request.job_id, request.run_id)

    def launch(self, launch: Launch, *, deadline: Deadline) -> None:
        """Start the service; the handover is its standard input, from a private file that it removes."""
        file = self._handover_file(launch.request.job_id, launch.request.run_id)
        limits = launch.limits.properties() if launch.limits else {}
        properties = {"StandardInput": f"file:{file}", "WorkingDirectory": "/", **limits}
        argv = self.argv(launch.request, child_argv(launch, lock="-", detach=False), properties)
        ensure_private_directory(file.parent)
        try:
            write_file(file, replace(launch.handover, file=str(file)).to_bytes(), mode=0o600, durable=False)
            self.begin(argv, deadline)
        except BaseException:
            remove_file(file)
            raise

    def argv(self, request: JobRequest, inner: Sequence[str], properties: Mapping[str, str]) -> list[str]:
        """Return the systemd-run(1) command that runs ``inner`` as the service of ``request``."""
        bounds = {"RuntimeMaxSec": f"{request.max_seconds + SPARE_SECONDS:.0f}", "TimeoutStopSec": str(STOP_SECONDS)}
        variables = {"LC_ALL": "C.UTF-8", RUN_MARKER: request.run_id}
        return [
            "systemd-run",
            "--quiet",
            "--no-ask-password",
            "--collect",
            f"--unit={self.unit(request)}",
            f"--slice={SLICE}",
            f"--description=fieldops.openshift job {request.job_id}",
            *(f"--property={name}={value}" for name, value in {**bounds, **PRIORITY, **properties}.items()),
            *(f"--setenv={name}={value}" for name, value in variables.items()),
            "--",
            # The service manager expands $NAME and ${NAME} in the command; $$ stands for one dollar sign.
            *(word.replace("$", "$$") for word in inner),
        ]

    def begin(self, argv: Sequence[str], deadline: Deadline) -> None:
        """Start a service with ``argv``; where the share of jobs cannot be set, it runs with the usual one."""
        self.run(["systemctl", "set-property", "--runtime", SLICE, *SHARES], deadline, ok=None)
        self.run(argv, deadline)

    def observe(self, job: JobDirectory, status: JobStatus, *, deadline: Deadline) -> Observation:  # noqa: ARG002
        """Ask systemd whether the service is alive."""
        state = self.show(status, deadline)
        return Observation(is_alive=state.is_alive, seen=f"unit {unit_of(status)} is {state.active or 'unknown'}")

    def stop(self, job: JobDirectory, status: JobStatus, *, grace: float, deadline: Deadline) -> bool:  # noqa: ARG002
        """Stop the service with all processes of its control group."""

        def is_gone() -> bool:
            return not self.show(status, deadline).is_alive

        self.run(["systemctl", "stop", "--no-block", unit_of(status)], deadline, ok=None)
        if wait_until(is_gone, deadline.within(grace)):
            return True
        self.run(["systemctl", "kill", "--signal=SIGKILL", unit_of(status)], deadline, ok=None)
        return wait_until(is_gone, deadline)

    def forget(self, status: JobStatus, *, deadline: Deadline) -> None:
        """Remove a failed unit from systemd's memory, and a handover that was not taken."""
        self.run(["systemctl", "reset-failed", unit_of(status)], deadline, ok=None)
        remove_file(self._handover_file(status.job_id, status.run_id))

    def show(self, status: JobStatus, deadline: Deadline) -> UnitState:
        """Return the state of the unit of ``status``."""
        asked = ["systemctl", "show", unit_of(status), f"--property={','.join(PROPERTIES)}"]
        return parse_unit(self.run(asked, deadline).stdout)

    def run(self, argv: Sequence[str], deadline: Deadline, ok: Sequence[int] | None = (0,)) -> CommandResult:
        """Run a command of systemd's; even at the end of ``deadline`` some seconds are left to look once more."""
        return self.host.run(argv, deadline=Deadline(max(5.0, deadline.remaining), self.host.clock), ok=ok)

    def _handover_file(self, job_id: str, run_id: str) -> Path:
        return self.host.path(f"{HANDOVER_DIRECTORY}/{unit_name(job_id, run_id)}.json")


def unit_name(job_id: str, run_id: str) -> str:
    """Return the name of the unit of one run."""
    return f"fieldops-{job_id}-{run_id[:8]}.service"


def unit_of(status: JobStatus) -> str:
    """Return the unit that the run of ``status`` has, also when its own record of that was damaged."""
    return unit_name(status.job_id, status.run_id)
