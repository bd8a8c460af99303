# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action behind modules that wait: it takes their steps one by one and shows a person how things go on.

A module can show nothing before it exits. This action calls it with ``wait: false`` until it says that it is done,
prints one line for each change and a heartbeat in between, and tolerates an API or a host that is unavailable in the
meantime.
"""

from __future__ import annotations

import math
import typing as t
from collections.abc import Callable, Mapping

from ansible.errors import AnsibleConnectionFailure
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator
from ansible.plugins.action import ActionBase

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._run.cluster_options import PATIENCE_OPTION
from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import failure_data
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Timeline, Waiting, follow
from ansible_collections.fieldops.openshift.plugins.module_utils._run.wait_options import WAIT_OPTIONS
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp
from ansible_collections.fieldops.openshift.plugins.plugin_utils._direct_execution import DirectAction, works_on_hosts
from ansible_collections.fieldops.openshift.plugins.plugin_utils._play_process import play_is_gone


class HostAwayError(FieldOpsError):
    """The host that the module runs on could not be reached for a step."""

    kind = "host_away"


class PlayGoneError(FieldOpsError):
    """The play has ended before its task; another run may be at work by now, so that this one must not go on."""

    kind = "play_gone"


class StepRefusedError(FieldOpsError):
    """A step failed permanently, as far as its module knows; ``result`` is what the module returned."""

    def __init__(self, result: dict[str, t.Any]) -> None:
        self.result = result
        error = FieldOpsError.from_data(result.get("error") or {})
        super().__init__(error.attempted, on=error.on, seen=error.seen, advice=error.advice)
        self.kind = error.kind


class ProgressLines(Timeline):
    """A timeline that also shows each change, and a heartbeat when nothing changed for ``heartbeat`` seconds."""

    def __init__(self, deadline: Deadline, show: Callable[[str], None], heartbeat: float) -> None:
        super().__init__(deadline)
        self._show = show
        self._heartbeat = heartbeat
        self._shown_at = 0.0

    def saw(self, sentence: str) -> None:
        """Show ``sentence`` if it is news, or again if the person has waited long enough for a sign of life."""
        known = len(self.entries)
        super().saw(sentence)
        elapsed = self.deadline.elapsed
        if len(self.entries) > known:
            self._show(f"{self.entries[-1]['at']} {sentence}")
        elif elapsed - self._shown_at >= self._heartbeat:
            self._show(f"{timestamp(self._clock.utcnow())} still after {elapsed:.0f} s: {sentence}")
        else:
            return
        self._shown_at = elapsed


class StepLoop:
    """The steps of one task: runs the module, remembers what all of them did together."""

    def __init__(self, run_module: Callable[[], dict[str, t.Any]]) -> None:
        self._run_module = run_module
        self.latest: dict[str, t.Any] = {}
        self.changed = False
        self.actions: list[t.Any] = []
        self.diffs: list[t.Any] = []
        self.warnings: list[t.Any] = []

    def take(self) -> Step:
        """Run the module for one step; raise its error when that is transient, StepRefusedError when it is final.

        Raise PlayGoneError where the play was killed: its workers are not, and would continue changing the site.
        """
        if play_is_gone():
            raise PlayGoneError(
                "take the next step",
                on="the site",
                seen="the play that this task belongs to has ended",
                advice="Run the play again. It continues from the current state.",
            )
        try:
            found = self._run_module()
        except AnsibleConnectionFailure as error:
            raise HostAwayError(
                "take the next step",
                on="the host",
                seen=str(error),
                advice="It is tried again until the deadline.",
                transient=True,
            ) from error
        self._remember(found)
        if found.get("failed"):
            raise _failure_of(found)
        self.latest = found
        progress = found["progress"]
        return Step(
            sentence=progress["sentence"],
            done=progress["done"],
            next_delay=progress["next_delay"],
            appointed=progress.get("appointed", False),
        )

    def _remember(self, found: Mapping[str, t.Any]) -> None:
        self.changed = self.changed or bool(found.get("changed"))
        self.actions += found.get("actions") or []
        self.warnings += [one for one in found.get("warnings") or [] if one not in self.warnings]
        if found.get("changed") and found.get("diff"):
            self.diffs.append(found["diff"])

    def outcome(self, ending: Mapping[str, t.Any]) -> dict[str, t.Any]:
        """Return the result of the whole task, the last step's with ``ending`` and what all steps did."""
        whole = {**self.latest, **ending, "changed": self.changed, "actions": self.actions}
        if self.diffs:
            whole["diff"] = self.diffs
        if self.warnings:
            whole["warnings"] = self.warnings
        return whole


def _failure_of(found: dict[str, t.Any]) -> Exception:
    """Return the error that a failed step reported."""
    error = found.get("error") or {}
    if not error.get("transient"):
        return StepRefusedError(found)
    return FieldOpsError.from_data(error)


def step_arguments(arguments: Mapping[str, t.Any], deadline: Deadline) -> dict[str, t.Any]:
    """Return the arguments for one step, which learns from ``wait_timeout`` how many seconds are left for it."""
    step = {**arguments, "wait": False, "wait_timeout": max(1, math.ceil(deadline.remaining))}
    # An API that is away is waited for by the loop, which says so.
    step.pop(PATIENCE_OPTION, None)
    return step


class StepLoopAction(DirectAction):
    """Base of the actions; what there is to wait for the module says."""

    clock: Clock = SystemClock()
    _node = ""

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        """Run the task.

        Where the module's host may reboot in a play, one that cannot be reached fails the task instead of the play:
        only so do "rescue" and "always" hear of it.
        """
        if self.module and works_on_hosts(self.module):
            # A task may be delegated, so the host of the play says nothing.
            self._node = self._task.delegate_to or (task_vars or {}).get("inventory_hostname", "")
        try:
            return self._taken(tmp, task_vars)
        except AnsibleConnectionFailure as error:
            if not getattr(self.module, "HOST_MAY_REBOOT", False):
                raise
            away = HostAwayError(
                "reach the host",
                on=self._task.delegate_to or "the host",
                seen=str(error),
                advice="Check that the host is running and that the inventory defines how to reach it, then run this "
                "again.",
                transient=True,
            )
            return {"failed": True, **failure_data(away)}

    def _taken(self, tmp: str | None, task_vars: dict[str, t.Any] | None) -> dict[str, t.Any]:
        """Run the task once, or with ``wait`` step by step."""
        waiting: Waiting | None = getattr(self.module, "WAITING", None)
        options = self._wait_options()
        if not waiting or not options["wait"] or self._task.check_mode or self._task.async_val:
            return super().run(tmp, task_vars)
        started = ActionBase.run(self, tmp, task_vars)
        deadline = Deadline(options["wait_timeout"], self.clock)
        steps = StepLoop(
            lambda: self._execute_module(module_args=step_arguments(self._task.args, deadline), task_vars=task_vars)
        )
        lines = ProgressLines(deadline, self._show, options["wait_heartbeat"])
        try:
            step = follow(steps.take, waiting=waiting, deadline=deadline, observer=lines)
            ending: dict[str, t.Any] = {"progress": step.progress()}
        except StepRefusedError as refused:
            ending = refused.result
        except FieldOpsError as error:
            ending = {"failed": True, **failure_data(error)}
        return {**started, **steps.outcome(ending), "timeline": lines.entries}

    def _wait_options(self) -> dict[str, t.Any]:
        """Return the wait options as the module would read them; wrong values are the module's to refuse."""
        given = {name: value for name, value in self._task.args.items() if name in WAIT_OPTIONS.options}
        checked = ArgumentSpecValidator({name: dict(o) for name, o in WAIT_OPTIONS.options.items()}).validate(given)
        if checked.error_messages:
            return {"wait": False}
        options: dict[str, t.Any] = checked.validated_parameters
        return options

    def _show(self, line: str) -> None:
        if not self._task.no_log:
            self._display.display(f"  {self._node}: {line}" if self._node else f"  {line}")
