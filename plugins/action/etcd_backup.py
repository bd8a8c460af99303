# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Shows how things go on while M(fieldops.openshift.etcd_backup) waits."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.plugin_utils._away_host import AwayHostAction
from ansible_collections.fieldops.openshift.plugins.plugin_utils._node_steps import NodeStepAction


class ActionModule(AwayHostAction, NodeStepAction):
    """Takes the module's looks at the job one by one."""

    goal = "there is a recent backup of etcd"
    on = "the host"
