# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Shows how things go on while M(fieldops.openshift.cluster_health_info) waits."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.modules import cluster_health_info
from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import StepLoopAction


class ActionModule(StepLoopAction):
    """Takes the module's looks at the cluster one by one."""

    module = cluster_health_info
    goal = "it is healthy and settled"
    on = "the cluster"
