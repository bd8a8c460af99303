# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action behind node-side modules that wait: each line begins with the node that it is about."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import StepLoopAction


class NodeStepAction(StepLoopAction):
    """Base of those actions; a task may be delegated, so the host of the play says nothing."""

    _node = ""

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        """Run the task, remembering the name of its node."""
        self._node = self._task.delegate_to or (task_vars or {}).get("inventory_hostname", "")
        return super().run(tmp, task_vars)

    def _show(self, line: str) -> None:
        super()._show(f"{self._node}: {line}" if self._node else line)
