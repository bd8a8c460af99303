# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action of a module that runs on many nodes side by side."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.plugin_utils._direct_execution import DirectAction


class ActionModule(DirectAction):
    """Runs the module once."""
