# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Shows how things go on while M(fieldops.openshift.cluster_update) waits."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.modules import cluster_update
from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import StepLoopAction


class ActionModule(StepLoopAction):
    """Takes the module's steps one by one."""

    module = cluster_update
    goal = "it is at the release"
    on = "the cluster"
