# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Shows how far an image store has come while M(fieldops.openshift.bundle_image_store) waits."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.modules import bundle_image_store
from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import StepLoopAction


class ActionModule(StepLoopAction):
    """Takes the module's looks at the work one by one."""

    module = bundle_image_store
    asks_the_api = False
    goal = "the image store is as asked for"
    on = "the folder of the bundle"
