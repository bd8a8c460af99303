# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The frame of every module: validated arguments in, one result or one error out."""

from __future__ import annotations

import typing as t
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import failure_data
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Timeline, Waiting, follow
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.outcome import Result, Step
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

Outcome = t.TypeVar("Outcome", "Result", "Step")


class ActionRecord(t.Protocol):
    """What was written through a client."""

    def as_data(self) -> list[dict[str, t.Any]]:
        """Return the actions as a module's result shows them."""


class RecordingClient(t.Protocol):
    """A client that records what it writes. Modules of nodes, too, run in this frame, and carry none of its code."""

    @property
    def actions(self) -> ActionRecord:
        """Return the record."""


@dataclass(frozen=True)
class ModuleRun:
    """All that the work behind a module may know of it; ``clients`` are those that it has made."""

    params: Mapping[str, t.Any]
    check_mode: bool
    clock: Clock
    clients: list[RecordingClient] = field(default_factory=list)

    def completed(self, outcome: Outcome) -> Outcome:
        """Return ``outcome`` with the actions of the last client unless it names its own."""
        if outcome.actions is not None or not self.clients:
            return outcome
        return replace(outcome, actions=self.clients[-1].actions.as_data())


def run(spec: ArgumentSpec, work: Callable[[ModuleRun], Result | Step], waiting: Waiting | None = None) -> t.NoReturn:
    """Validate the arguments, do ``work`` and exit with its result or its error.

    With ``waiting`` the work is one step of many: one is taken, or with the option ``wait`` as many as it needs. Check
    mode never waits.
    """
    module = spec.create_module()
    this = ModuleRun(params=module.params, check_mode=module.check_mode, clock=SystemClock())
    timeline = Timeline(Deadline(module.params["wait_timeout"], this.clock)) if waiting else None
    shown: dict[str, t.Any] = {}
    try:
        if waiting and timeline:
            step = _stepped(this, t.cast("Callable[[ModuleRun], Step]", work), waiting, timeline)
            result, shown = step.result, {"progress": step.progress(), "timeline": timeline.entries}
        else:
            result = this.completed(t.cast("Result", work(this)))
    except FieldOpsError as error:
        shown = {"timeline": timeline.entries} if timeline else {}
        module.fail_json(**shown, **failure_data(error))
    for warning in result.warnings:
        module.warn(warning)
    module.exit_json(**result.as_data(with_diff=module._diff), **shown)


def _stepped(this: ModuleRun, work: Callable[[ModuleRun], Step], waiting: Waiting, timeline: Timeline) -> Step:
    if this.params["wait"] and not this.check_mode:
        return follow(
            lambda: this.completed(work(this)), waiting=waiting, deadline=timeline.deadline, observer=timeline
        )
    step = this.completed(work(this))
    timeline.saw(step.sentence)
    return step
