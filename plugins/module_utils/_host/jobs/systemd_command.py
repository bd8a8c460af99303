# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Jobs that are commands, as transient systemd services of hosts that may lack Python."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.backends import (
    Ending,
    Launch,
    Observation,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import JobState, JobStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.systemd import SystemdBackend, unit_of
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.unit_state import EXIT_EXEC, UnitState
from ansible_collections.fieldops.openshift.plugins.module_utils._host.processes import ProcessIdentity
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import (
    DeadlineExceededError,
    FieldOpsError,
    MissingRequirementError,
)

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.directory import JobDirectory
    from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import CommandWork
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

JOURNAL_LINES = 200
"""How much of the journal is taken for the output of a command."""


class UnitFailedError(FieldOpsError):
    """The command of a systemd unit failed."""

    kind = "command_failed"


class SystemdCommandBackend(SystemdBackend):
    """A ``JobBackend`` for commands on hosts that may lack Python: systemd itself keeps how the command ended."""

    name = "systemd-command"
    reports = False

    def launch(self, launch: Launch, *, deadline: Deadline) -> None:
        """Start the command as a service that stays after its end, with its output in the journal."""
        work = t.cast("CommandWork", launch.request.work)
        properties = {"RemainAfterExit": "yes", "WorkingDirectory": "/"}
        env = {name: value for name, value in self.host.environment(work.env).items() if name in work.env}
        try:
            self.begin(self.argv(launch.request, work.argv, properties, env, collect=False), deadline)
        except CommandError as error:
            # systemd-run looks the program up itself.
            if "Failed to find executable" not in error.stderr:
                raise
            program = work.argv[0]
            raise MissingRequirementError(
                f"start {program}", on=str(self.host), seen=error.stderr, advice=f"Install {program} on the host."
            ) from error

    def observe(self, job: JobDirectory, status: JobStatus, *, deadline: Deadline) -> Observation:  # noqa: ARG002
        """Read the state of the command from systemd, and its output from the journal once it has ended."""
        state = self.show(status, deadline)
        has_ended = state.has_succeeded or state.has_failed
        return Observation(
            is_alive=state.is_alive,
            ending=ending_of(state, status, self._journal(status, deadline)) if has_ended else None,
            process=ProcessIdentity.of(state.main_pid) if state.main_pid else None,
            seen=f"unit {unit_of(status)} is {state.active or 'unknown'}",
        )

    def forget(self, status: JobStatus, *, deadline: Deadline) -> None:
        """Remove the unit that was kept to report how the command ended."""
        self.run(["systemctl", "stop", unit_of(status)], deadline, ok=None)
        self.run(["systemctl", "reset-failed", unit_of(status)], deadline, ok=None)

    def _journal(self, status: JobStatus, deadline: Deadline) -> str:
        self.run(["journalctl", "--sync"], deadline, ok=None)
        asked = ["journalctl", f"--unit={unit_of(status)}", "--output=cat", "--no-pager", f"--lines={JOURNAL_LINES}"]
        return self.run(asked, deadline, ok=None).stdout.strip()


def ending_of(state: UnitState, status: JobStatus, output: str) -> Ending:
    """Return how the command of ``status`` ended, from its unit's ``state`` and what it had printed."""
    if state.has_succeeded:
        return Ending(JobState.SUCCEEDED, "Finished.", result={"rc": 0, "output": output})
    error = _failure(state, status, output)
    return Ending(JobState.FAILED, error.seen, error=error.as_data())


def _failure(state: UnitState, status: JobStatus, output: str) -> FieldOpsError:
    attempted, on = f"finish the job {status.job_id}", f"unit {unit_of(status)}"
    end = output[-2000:]
    partial = {"rc": state.rc, "result": state.result, "output": end}
    if state.result == "timeout":
        seen, advice = f"its time limit was reached. Its output: {end or 'none'}", "Start the job again with more time."
        return DeadlineExceededError(attempted, on=on, seen=seen, advice=advice, partial=partial)
    if (state.result, state.rc) == ("exit-code", EXIT_EXEC):
        seen, advice = "systemd could not execute its program", "Install the program on the host."
        return MissingRequirementError(attempted, on=on, seen=seen, advice=advice, partial=partial)
    seen = f"it ended with result {state.result} and status {state.rc}, with the output: {end or 'none'}"
    return UnitFailedError(attempted, on=on, seen=seen, advice="Check the output of the command.", partial=partial)
