# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Shows how things go on while M(fieldops.openshift.boot_image_proof) waits for its machine."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.modules import boot_image_proof
from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import StepLoopAction


class ActionModule(StepLoopAction):
    """Takes the module's writes and looks one by one."""

    module = boot_image_proof
    goal = "a new machine has become ready and is gone again"
    on = "the cluster"
