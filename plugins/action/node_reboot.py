# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Keeps M(fieldops.openshift.node_reboot) going while the host that it runs on goes away and comes back.

The module is started only to request a reboot. One command reads in which boot a host is: Python takes seconds to start
on a slow host, and one that has just booted is slow.
"""

from __future__ import annotations

import re
import shlex
import typing as t
from collections.abc import Mapping

from ansible.errors import AnsibleConnectionFailure, AnsibleError
from ansible.module_utils.common.arg_spec import ArgumentSpecValidator

from ansible_collections.fieldops.openshift.plugins.module_utils._rollout.do.reboot import BOOT_ID, boot_step
from ansible_collections.fieldops.openshift.plugins.module_utils._run.steps import Timeline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import StepLoopAction

ASK_AGAIN_SECONDS = 60.0
"""How long a host may take to leave its boot before the module looks whether the request was lost."""
_BOOT = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SIGNALLED = (-1, -9, -15, 129, 137, 143, 255)


class ActionModule(StepLoopAction):
    """Takes the module's steps one by one, each over a connection of its own."""

    _connected = False
    _goes_down = False
    _asked: Deadline | None = None

    def _execute_module(self, *args: t.Any, **kwargs: t.Any) -> dict[str, t.Any]:
        # A connection that was kept from before the reboot would hang until the network gives it up.
        if self._connected and hasattr(self._connection, "reset"):
            self._connection.reset()
        self._connected = True
        is_plain = not kwargs.get("wrap_async")
        told = self._told_by_boot(kwargs.get("module_args") or self._task.args) if is_plain else None
        return told or self._told_by_module(*args, **kwargs)

    def _told_by_boot(self, arguments: Mapping[str, t.Any]) -> dict[str, t.Any] | None:
        """Return the module's result where it is known without it: of a host in another boot, or asked a while ago."""
        spec = {name: dict(option) for name, option in self.module.SPEC.options.items()} if self.module else {}
        checked = ArgumentSpecValidator(spec).validate(dict(arguments))
        options = checked.validated_parameters
        if checked.error_messages or options["soft"]:
            return None
        file = shlex.quote(options["host_root"].rstrip("/") + BOOT_ID)
        present = self._low_level_execute_command(f"cat {file}", sudoable=False)["stdout"].strip()
        is_left = present != options["boot_id"]
        if not _BOOT.fullmatch(present) or not (is_left or (self._asked and not self._asked.expired)):
            return None
        step = boot_step(present, rebooted=is_left, requested=False)
        timeline = Timeline(Deadline(0, self.clock))
        timeline.saw(step.sentence)
        return {**step.result.as_data(with_diff=False), "progress": step.progress(), "timeline": timeline.entries}

    def _told_by_module(self, *args: t.Any, **kwargs: t.Any) -> dict[str, t.Any]:
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
        if found.get("rebooted") is False:
            self._goes_down, self._asked = True, Deadline(ASK_AGAIN_SECONDS, self.clock)
        return found


def _was_cut_off(found: dict[str, t.Any], *, goes_down: bool) -> bool:
    """Whether the module was ended from outside, as all processes are when a host goes down.

    Of a host that was asked to go down any answer that is no result of the module counts: Python may lose the files
    that it runs from.
    """
    if not found.get("failed") or "module_stdout" not in found:
        return False
    return goes_down or found.get("rc") in _SIGNALLED or "System is going down" in str(found.get("module_stderr"))
