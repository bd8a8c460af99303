# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Passes the process of the play to M(fieldops.openshift.rollout_lock), and shows progress while it waits."""

from __future__ import annotations

import os
import typing as t

from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import StepLoopAction

JOBS = ("awx_job_id", "tower_job_id")
"""Variables by which an automation platform says which job a play is."""


class ActionModule(StepLoopAction):
    """Takes the module's steps one by one, in the name of the play's own process."""

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        """Run the task in the name of the play, unless another process is given."""
        # The task runs in a process of its own; the one above it lives as long as the play.
        self._task.args.setdefault("process", os.getppid())
        known = task_vars or {}
        job = next((str(known[name]) for name in JOBS if known.get(name)), "")
        if job and not self._task.args.get("holder"):
            self._task.args["holder"] = f"job {job}"
        return super().run(tmp, task_vars)
