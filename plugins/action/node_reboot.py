# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Keeps M(fieldops.openshift.node_reboot) going while the host that it runs on goes away and comes back."""

from __future__ import annotations

import typing as t

from ansible.errors import AnsibleConnectionFailure, AnsibleError

from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import StepLoopAction

_SIGNALLED = (-1, -9, -15, 129, 137, 143, 255)


class ActionModule(StepLoopAction):
    """Takes the module's steps one by one, each over a connection of its own."""

    _connected = False
    _goes_down = False

    def _execute_module(self, *args: t.Any, **kwargs: t.Any) -> dict[str, t.Any]:
        # A connection that was kept from before the reboot would hang until the network gives it up.
        if self._connected and hasattr(self._connection, "reset"):
            self._connection.reset()
        self._connected = True
        try:
            found: dict[str, t.Any] = super()._execute_module(*args, **kwargs)
        except AnsibleError as error:
            # Directories, files and commands of a host end one by one while it goes down.
            if self._goes_down and not isinstance(error, AnsibleConnectionFailure):
                raise AnsibleConnectionFailure(f"the host is going down: {error}") from error
            raise
        if _was_cut_off(found, goes_down=self._goes_down):
            seen = found.get("module_stderr") or found.get("msg")
            raise AnsibleConnectionFailure(f"the module was interrupted: {seen}")
        self._goes_down = self._goes_down or found.get("rebooted") is False
        return found


def _was_cut_off(found: dict[str, t.Any], *, goes_down: bool) -> bool:
    """Whether the module was ended from outside, as all processes are when a host goes down.

    Of a host that was asked to go down any answer that is no result of the module counts: Python may lose the files
    that it runs from.
    """
    if not found.get("failed") or "module_stdout" not in found:
        return False
    return goes_down or found.get("rc") in _SIGNALLED or "System is going down" in str(found.get("module_stderr"))
