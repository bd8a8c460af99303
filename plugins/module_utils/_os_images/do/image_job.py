# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The job: command after command, the status read again after each, until the host is as requested."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.command_result import CommandError
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.jobs import LONGEST
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.host_keeping import (
    keep_timers,
    needed_repair,
    note_staging,
    remove_reboot_mark,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.look import look
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.manifest_of_list import (
    look_up_digests,
    remember_digests,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.registry_access import registry_access
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.writable_repository import (
    writable_repository,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.os_image_errors import (
    BoundImagesError,
    OsImageChangeError,
    SoftRebootError,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.commands import (
    UNCHANGED,
    WRITABLE_REPOSITORY,
    command_for,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.goal import Goal
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.next_action import (
    Action,
    Kind,
    Seen,
    next_action,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.program_traits import Programs
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.step_state import brief
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import ProgressReporter

MOST_ACTIONS = 10

_STAGING = (Kind.SWITCH, Kind.UPGRADE, Kind.KERNEL_ARGUMENTS)

_SENTENCES = {
    Kind.SWITCH: "The image is being fetched and staged",
    Kind.UPGRADE: "The tag is being resolved",
    Kind.UNLOCK: "The staged image is being unlocked",
    Kind.DISCARD: "The staged deployment is being discarded",
    Kind.ROLLBACK: "The boot order is being changed",
    Kind.DOWNLOAD: "The image is being downloaded",
    Kind.KERNEL_ARGUMENTS: "Kernel arguments are being changed",
}


def apply_os_image(
    *,
    host_root: str,
    options: Mapping[str, t.Any],
    progress: ProgressReporter,
    secrets: Mapping[str, str] | None = None,
) -> dict[str, t.Any]:
    """Make the host as ``options`` (the module's, without secrets) ask for: the work of the job.

    Returns ``changed``, the ``actions`` taken, their ``kinds`` and the brief ``before``. Raises what the plan and the
    doors raise; its partial result says what was done before.
    """
    host = Host(SystemClock(), Path(host_root))
    run = ImageRun(host, options, progress)
    try:
        run.perform((secrets or {}).get("registry_auth"))
    except FieldOpsError as error:
        error.partial = {"changed": run.has_changed, "actions": run.actions, **error.partial}
        raise
    kinds = [kind.value for kind in run.done]
    return {"changed": run.has_changed, "actions": run.actions, "kinds": kinds, "before": run.before}


class ImageRun:
    """One run of the job; ``actions`` and ``done`` grow while it runs, ``before`` is the brief it began with."""

    def __init__(self, host: Host, options: Mapping[str, t.Any], progress: ProgressReporter) -> None:
        self._host = host
        self._options = options
        self._goal = Goal.of(options)
        self._progress = progress
        self._deadline = Deadline(LONGEST, host.clock)
        self._before: t.Any = None
        self._latest: t.Any = None
        self._kept = False
        self._versions: Programs | None = None
        self.before: dict[str, t.Any] = {}
        self.actions: list[dict[str, t.Any]] = []
        self.done: list[Kind] = []

    @property
    def has_changed(self) -> bool:
        """Whether the host is another one than before, by what it says and not by what was run."""
        return self._kept or self._before != self._latest

    def perform(self, auth: str | None) -> None:
        """Do all that is needed."""
        seen = self._look()
        self._keep_timers()
        with registry_access(self._host, self._goal, auth) as auth_file:
            seen = self._reach(self._know_digests(seen, auth_file), auth_file)
        note_staging(self._host, seen.status)
        self._remove_mark()

    def _know_digests(self, seen: Seen, auth_file: str | None) -> Seen:
        known = look_up_digests(self._host, self._goal, seen, auth_file, self._deadline)
        remember_digests(self._host, known)
        if known == self._goal:
            return seen
        self._goal = known
        return self._look()

    def _reach(self, seen: Seen, auth_file: str | None) -> Seen:
        while True:
            action = self._next(seen)
            if action is None:
                return seen
            if len(self.done) >= MOST_ACTIONS:
                raise self._failed(f"after {MOST_ACTIONS} commands the state is not reached: {action.reason}", seen)
            has_fetched = bool({Kind.SWITCH, Kind.UPGRADE} & set(self.done))
            seen = self._do(action, seen, auth_file)
            if action.kind is Kind.DISCARD and has_fetched and "bound images" in action.reason:
                raise self._unbound(action.reason)

    def _next(self, seen: Seen) -> Action | None:
        try:
            return next_action(seen, self._goal, self.done)
        except FieldOpsError as error:
            # What is staged is not what was requested; left there, any reboot would activate it.
            is_ours = isinstance(error, SoftRebootError) or bool(set(_STAGING) & set(self.done))
            if seen.status.staged is not None and is_ours:
                self._do(Action(Kind.DISCARD, f"it cannot be kept: {error.seen}"), seen, None)
            raise

    def _do(self, action: Action, seen: Seen, auth_file: str | None) -> Seen:
        argv = command_for(action, seen, self._goal, auth_file=auth_file)
        self._progress.report(f"{_SENTENCES[action.kind]}: {action.reason}")
        self.actions.append({"action": action.kind.value, "argv": list(argv), "reason": action.reason})
        self.done.append(action.kind)
        try:
            with writable_repository(self._host) if WRITABLE_REPOSITORY in argv else nullcontext():
                self._host.run(argv, deadline=self._deadline, ok=(0, UNCHANGED), tee=self._tell)
        except CommandError as error:
            self._take_back(action, seen, error)
            raise self._refused(action, error) from error
        return self._look()

    def _take_back(self, action: Action, before: Seen, error: CommandError) -> None:
        """A command that failed may have staged nevertheless; then the next reboot would activate half of a change."""
        after = self._look()
        staged, was = after.status.staged, before.status.staged
        is_older = staged == was and not set(_STAGING) & set(self.done[:-1])
        if action.kind not in _STAGING or staged is None or is_older:
            return
        argv = command_for(Action(Kind.DISCARD, ""), after, self._goal)
        self.actions.append(
            {"action": "discard", "argv": list(argv), "reason": "the command failed after it had staged"}
        )
        self._host.run(argv, deadline=self._deadline)
        left = self._look().status.staged
        if left is not None:
            raise self._failed(f"{error.seen}; it had staged {left.image}, which is still staged", after)

    def _look(self) -> Seen:
        backend = self._options["backend"]
        seen, self._goal = look(self._host, self._goal, backend, self._deadline, self._versions)
        status, self._versions = seen.status, seen.programs
        told = (status.booted.digest, status.staged, status.rollback_queued)
        self._latest = (*told, seen.downloaded_digest, seen.kargs, seen.missing_bound)
        if self._before is None:
            self._before, self.before = self._latest, brief(status, seen.downloaded_digest)
        return seen

    def _keep_timers(self) -> None:
        repair = needed_repair(self._host, {**self._options, "reboot_marker": "kept"}, self._deadline)
        if repair.is_needed:
            self._kept = True
            self.actions += repair.actions()
            keep_timers(self._host, repair, self._deadline)

    def _remove_mark(self) -> None:
        repair = needed_repair(self._host, {**self._options, "automatic_updates": "untouched"}, self._deadline)
        if repair.remove_mark:
            self._kept = True
            self.actions += repair.actions()
            remove_reboot_mark(self._host)

    def _tell(self, chunk: bytes) -> None:
        lines = [line.strip() for line in chunk.decode("utf-8", "replace").splitlines() if line.strip()]
        if lines and lines[-1].isprintable():
            self._progress.report(f"Last line of the output: {lines[-1][:200]}")

    def _refused(self, action: Action, error: CommandError) -> OsImageChangeError:
        is_busy = "Transaction in progress" in error.stderr
        said = error.stderr[-1000:] or "nothing"
        return OsImageChangeError(
            f"{action.kind.value.replace('_', ' ')} ({action.reason})",
            on=str(self._goal.image or self._host),
            seen=f"{error.partial['argv'][0]} ended with status {error.rc}, with the error output: {said}",
            advice="Check its output. It left nothing staged, and the same command can be run again.",
            transient=is_busy,
        )

    def _unbound(self, why: str) -> BoundImagesError:
        return BoundImagesError(
            "stage the image with its bound images",
            on=str(self._goal.image),
            seen=f"the command succeeded, but {why}",
            advice="Check that the host can pull those images, or mirror them. The image was unstaged again.",
        )

    def _failed(self, seen: str, at: Seen) -> OsImageChangeError:
        return OsImageChangeError(
            f"reach the state {self._goal.state.value}",
            on=str(self._goal.image or self._host),
            seen=seen,
            advice="Check the status in this result. 'rpm-ostree cleanup -p' or 'ostree admin undeploy 0' discards "
            "what is staged.",
            partial={"os_image": at.status.as_document()},
        )
