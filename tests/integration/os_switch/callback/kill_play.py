# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A callback plugin: kills the play, and all that it has started on this machine, at the moment $FIELDOPS_KILL names.

That is "before NAME", when the task of that name is about to begin, or "after NAME", when it has ended well and nobody
knows yet. What runs on hosts as a job of its own is left alone, as it is when a laptop loses its power.
"""

from __future__ import annotations

import os
import signal
import typing as t

from ansible.plugins.callback import CallbackBase


class CallbackModule(CallbackBase):
    """Ends everything without a word."""

    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "aggregate"
    CALLBACK_NAME = "kill_play"

    def v2_playbook_on_task_start(self, task: t.Any, is_conditional: bool) -> None:
        del is_conditional
        _end_at("before", task.get_name())

    def v2_runner_on_ok(self, result: t.Any) -> None:
        _end_at("after", result.task_name)


def _end_at(moment: str, name: str) -> None:
    # Tasks of roles are called "role : name".
    if os.environ.get("FIELDOPS_KILL") == f"{moment} {name.rpartition(' : ')[2]}":
        os.killpg(0, signal.SIGKILL)
