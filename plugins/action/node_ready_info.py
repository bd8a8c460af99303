# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Shows how things go on while M(fieldops.openshift.node_ready_info) waits."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.modules import node_ready_info
from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import StepLoopAction


class ActionModule(StepLoopAction):
    """Takes the module's looks at the node one by one."""

    module = node_ready_info
    goal = "it is back"
    on = "the node"
