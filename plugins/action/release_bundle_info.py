# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Shows how far a verification has come while M(fieldops.openshift.release_bundle_info) waits."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.modules import release_bundle_info
from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import StepLoopAction


class ActionModule(StepLoopAction):
    """Takes the module's looks at the verification one by one."""

    module = release_bundle_info
    asks_the_api = False
    goal = "the bundle is verified"
    on = "the folder of the bundle"
