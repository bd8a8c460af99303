# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Shows how far a bundle has come while M(fieldops.openshift.release_bundle) waits."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.modules import release_bundle
from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import StepLoopAction


class ActionModule(StepLoopAction):
    """Takes the module's looks at the build one by one."""

    module = release_bundle
    asks_the_api = False
    goal = "the bundle is complete"
    on = "the folder of the bundle"
