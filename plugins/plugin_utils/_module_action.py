# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action of all modules that have none of their own. Each names it in a file of its own in ``plugins/action``.

By ``plugin_routing`` a play would know of the action only in each task's process, where it costs half a second to
import, or take the defaults of ``module_defaults`` for those of another module. antsibull-docs takes a link for a
redirection.
"""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import StepLoopAction


class ActionModule(StepLoopAction):
    """Runs the module of the same name, once or step by step."""
