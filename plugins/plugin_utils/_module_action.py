# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action of each module that needs nothing of its own: files in plugins/action are links to this one."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import StepLoopAction


class ActionModule(StepLoopAction):
    """Runs the module of its name once, or step by step."""
