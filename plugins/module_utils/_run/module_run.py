# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The frame of every module: validated arguments in, one result or one error out."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import Result, failure_data
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Step, Timeline, follow
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError

if t.TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ansible.module_utils.basic import AnsibleModule

    from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock


@dataclass(frozen=True)
class ModuleRun:
    """All that the work behind a module may know of it."""

    params: Mapping[str, t.Any]
    check_mode: bool
    clock: Clock
    warn: Callable[[str], None]


def run_module(spec: ArgumentSpec, work: Callable[[ModuleRun], Result]) -> t.NoReturn:
    """Validate the arguments, do ``work`` once and exit with its result or its error."""
    module = spec.create_module()
    try:
        result = work(_run_of(module))
    except FieldOpsError as error:
        module.fail_json(**failure_data(error))
    module.exit_json(**result.as_data(with_diff=module._diff))


def run_stepping_module(
    spec: ArgumentSpec, take_step: Callable[[ModuleRun], Step], *, goal: str, on: str
) -> t.NoReturn:
    """Validate the arguments, take one step, or with ``wait`` as many as it needs, and exit with the last result.

    ``goal`` and ``on`` name what is waited for, see ``steps.follow``. Check mode never waits.
    """
    module = spec.create_module()
    run = _run_of(module)
    deadline = Deadline(module.params["wait_timeout"], run.clock)
    timeline = Timeline(deadline)
    try:
        if module.params["wait"] and not run.check_mode:
            step = follow(lambda: take_step(run), goal=goal, on=on, deadline=deadline, onlooker=timeline)
        else:
            step = take_step(run)
            timeline.saw(step.sentence)
    except FieldOpsError as error:
        module.fail_json(timeline=timeline.entries, **failure_data(error))
    module.exit_json(**step.result.as_data(with_diff=module._diff), progress=step.progress(), timeline=timeline.entries)


def _run_of(module: AnsibleModule) -> ModuleRun:
    return ModuleRun(params=module.params, check_mode=module.check_mode, clock=SystemClock(), warn=module.warn)
