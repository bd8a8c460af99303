# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action of each module that needs nothing of its own: files in plugins/action are links to this one."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import StepLoopAction


class ActionModule(StepLoopAction):
    """Runs the module of its name once, or step by step."""
