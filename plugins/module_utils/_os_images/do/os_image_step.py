# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One bounded step towards the OS image that is requested: see where the host stands, or start the job."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping
from dataclasses import replace

from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.request import FunctionWork
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.single_job import SingleJob
from ansible_collections.fieldops.openshift.plugins.module_utils._host.jobs.status import JobStatus
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.host_keeping import Repair, needed_repair
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.image_job import apply_os_image
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.look import look
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.manifest_of_list import look_up_digests
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.named_digest import named_digests
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.registry_access import has_leftovers
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.do.report import (
    bound_report,
    caveats,
    condition,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.os_image_errors import OsImageChangeError
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.commands import command_for
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.goal import Goal, State
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.next_action import (
    Action,
    Kind,
    Seen,
    next_action,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.program_traits import Programs
from ansible_collections.fieldops.openshift.plugins.module_utils._os_images.plan.step_state import (
    brief,
    difference,
    foreseen,
    is_reached,
    standing,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step

STEP_SECONDS = 600.0
"""How long the checks of one step may take: the programs wait for the lock of the sysroot. The work itself is a job."""

WATCH_SECONDS = 25.0
"""How long a step watches the job for its end: to reach the host once more takes seconds on a slow one."""

JOB_ID = "os-image"
SECRETS = ("registry_auth",)
JOB_OPTIONS = (
    *("state", "image", "digest", "leave_digest", "backend", "follow_tag", "source", "mirror", "mirror_insecure"),
    *("enforce_signatures", "soft_reboot", "kernel_arguments", "kernel_arguments_absent"),
    *("automatic_updates", "reboot_marker"),
)


def os_image_step(host: Host, params: Mapping[str, t.Any], *, check_mode: bool) -> Step:
    """Take one step towards what the module's ``params`` ask for.

    Raises ManagedByOperatorError, NotImageBasedError, JobFailedError and what plan and doors raise.
    """
    return _Stepper(host, params, check_mode=check_mode).take()


class _Stepper:
    """One step; the deadline is that of all its looks together."""

    def __init__(self, host: Host, params: Mapping[str, t.Any], *, check_mode: bool) -> None:
        self._host = host
        self._params = params
        self._check_mode = check_mode
        self._goal = Goal.of(params)
        self._deadline = Deadline(STEP_SECONDS, host.clock)
        self._versions: Programs | None = None
        options = {name: params[name] for name in JOB_OPTIONS}
        work = FunctionWork.of(apply_os_image, host_root=str(host.root), options=options)
        self._job = SingleJob(host, JOB_ID, work, "manage the OS image", self._deadline)

    def take(self) -> Step:
        """Take it."""
        step = self._taken()
        return replace(step, warnings=(*self._job.warnings, *step.warnings))

    def _taken(self) -> Step:
        running = self._job.running(0.0 if self._check_mode else WATCH_SECONDS)
        return _running(running) if running is not None else self._judged()

    def _judged(self, started: Step | None = None) -> Step:
        """Return where the host stands, and start the job where that is needed and this step has not ``started`` it."""
        ended = None if self._check_mode else self._job.collect()
        seen = self._look()
        here = condition(self._host, seen.status, self._deadline)
        here["digests"] = [one.as_document(seen.status) for one in self._goal.every_asked]
        self._require_not_lost(seen, here)
        action = self._next(seen, [Kind(kind) for kind in (ended or {}).get("kinds", ())])
        repair = needed_repair(self._host, self._params, self._deadline)
        if action is None and not repair.is_needed and not has_leftovers(self._host):
            return self._settled(seen, here, ended)
        if self._check_mode:
            return self._foreseen(seen, here, action, repair)
        return started or self._started(here, action)

    def _look(self) -> Seen:
        seen, self._goal = look(self._host, self._goal, self._params["backend"], self._deadline, self._versions)
        self._versions = seen.programs
        # The job looks them up by itself, with credentials; a rollback has none where the host seems to be done.
        if self._check_mode or self._goal.state is State.ROLLED_BACK:
            self._goal = look_up_digests(self._host, self._goal, seen, None, self._deadline)
        return seen

    def _next(self, seen: Seen, done: list[Kind]) -> Action | None:
        action = next_action(seen, self._goal, done)
        image = self._goal.image
        if not self._check_mode or not self._goal.follows or action is None or image is None:
            return action
        # Outside check mode bootc itself finds out whether the tag has moved.
        known = (
            seen.downloaded_digest
            if action.kind is Kind.DOWNLOAD
            else (seen.status.staged or seen.status.booted).digest
        )
        if action.kind in (Kind.UPGRADE, Kind.DOWNLOAD) and known in named_digests(self._host, image, self._deadline):
            return next_action(seen, self._goal, [action.kind])
        return action

    def _require_not_lost(self, seen: Seen, here: Mapping[str, t.Any]) -> None:
        lost = here["lost_staging"]
        asked = self._goal.asked
        is_wanted = lost is not None and (
            asked is None or lost["digest"] in (asked.digest, asked.manifest or asked.digest)
        )
        if self._goal.state is not State.BOOTED or not is_wanted or self._goal.is_met_by(seen.status.next_boot):
            return
        fates = {
            "not_finalized": "the shutdown did not finalize its deployment",
            "left_again": "the host rolled back from it",
        }
        raise OsImageChangeError(
            "boot the image on the host",
            on=str(self._goal.image),
            seen=f"it was staged at {lost['staged_at']} and the host was rebooted, but {fates[lost['fate']]}"
            + (f"; journal of that boot: {lost['journal'][-500:]}" if lost["journal"] else ""),
            advice="Find the cause before you try again with state staged.",
            partial=dict(here),
        )

    def _settled(self, seen: Seen, here: Mapping[str, t.Any], ended: Mapping[str, t.Any] | None) -> Step:
        ended = ended or {}
        after = brief(seen.status, seen.downloaded_digest)
        is_there = is_reached(seen.status, self._goal)
        sentence = standing(seen.status, self._goal) + ("" if is_there else "; waiting for that reboot")
        return Step(
            sentence=sentence,
            done=is_there,
            changed=bool(ended.get("changed")),
            objects={**here, **(self._details(seen) if self._params["details"] else {})},
            actions=tuple(ended.get("actions", ())),
            diff=difference(ended.get("before") or after, after),
        )

    def _details(self, seen: Seen) -> dict[str, t.Any]:
        return {
            "bound_images": bound_report(self._host, seen.status.next_boot, self._deadline),
            "caveats": caveats(self._host, seen.status, self._deadline),
        }

    def _foreseen(self, seen: Seen, here: Mapping[str, t.Any], action: Action | None, repair: Repair) -> Step:
        actions = repair.actions()
        before = after = brief(seen.status, seen.downloaded_digest)
        if action is not None:
            argv = command_for(action, seen, self._goal)
            actions.insert(0, {"action": action.kind.value, "argv": list(argv), "reason": action.reason})
            after = foreseen(before, seen.status, self._goal, action)
        sentence = f"Would start with {actions[0]['action']}" if actions else "Would clean up after a killed run"
        return Step(sentence, False, True, here, tuple(actions), difference(before, after))

    def _started(self, here: Mapping[str, t.Any], action: Action | None) -> Step:
        secrets = {name: self._params[name] for name in SECRETS if self._params.get(name)}
        self._job.start(secrets)
        # Whether a tag has moved is known only at the end.
        may_be_nothing = self._goal.follows and action is not None and action.kind in (Kind.UPGRADE, Kind.DOWNLOAD)
        sentence = (
            f"Started: {action.reason}"
            if action is not None
            else "Started: the other settings of the host are being restored"
        )
        step = Step(sentence, False, not may_be_nothing, {**here, "job": {"id": JOB_ID}}, next_delay=1.0)
        return step if self._job.running(WATCH_SECONDS) is not None else self._judged(step)


def _running(job: JobStatus) -> Step:
    document = {"id": job.job_id, "state": job.state.value, "unit": job.unit, "started": job.started}
    return Step(job.sentence, done=False, objects={"job": document}, next_delay=2.0)
