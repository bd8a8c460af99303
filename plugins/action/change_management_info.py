# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Shows how things go on while M(fieldops.openshift.change_management_info) waits."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.modules import change_management_info
from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import StepLoopAction


class ActionModule(StepLoopAction):
    """Takes the module's looks at change management one by one, each when the last one said."""

    module = change_management_info
    goal = "change is permitted"
    on = "the cluster"
