# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Keeps M(fieldops.openshift.node_reboot) going while the host that it runs on goes away and comes back."""

from __future__ import annotations

import typing as t

from ansible.errors import AnsibleConnectionFailure

from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import failure_data
from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import HostAwayError, StepLoopAction

_SIGNALLED = (-1, -9, -15, 129, 137, 143, 255)


class ActionModule(StepLoopAction):
    """Takes the module's steps one by one, each over a connection of its own."""

    goal = "it has rebooted"
    on = "the host"

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        """Run the task; a host that cannot be reached fails it, so that a play can still say what became of it."""
        self._connected = False
        try:
            return super().run(tmp, task_vars)
        except AnsibleConnectionFailure as error:
            away = HostAwayError(
                "reach the host",
                on=self.on,
                seen=str(error),
                advice="Check that it is on and that the inventory says how to reach it, then run this again.",
                transient=True,
            )
            return {"failed": True, **failure_data(away)}

    def _execute_module(self, *args: t.Any, **kwargs: t.Any) -> dict[str, t.Any]:
        # A connection that was kept from before the reboot would hang until the network gives it up.
        if self._connected and hasattr(self._connection, "reset"):
            self._connection.reset()
        self._connected = True
        found: dict[str, t.Any] = super()._execute_module(*args, **kwargs)
        if _was_cut_off(found):
            raise AnsibleConnectionFailure(f"the module was cut off: {found.get('module_stderr') or found.get('msg')}")
        return found


def _was_cut_off(found: dict[str, t.Any]) -> bool:
    """Whether the module was ended from outside, as all processes are when a host goes down."""
    if not found.get("failed") or "module_stdout" not in found:
        return False
    return found.get("rc") in _SIGNALLED or "System is going down" in str(found.get("module_stderr"))
