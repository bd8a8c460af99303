# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Gives M(fieldops.openshift.node_info) the tokens of sources that lie in files of the controller."""

from __future__ import annotations

import typing as t

from ansible.plugins.action.normal import ActionModule as NormalAction

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.token_file import with_tokens
from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import failure_data
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class ActionModule(NormalAction):
    """Runs on the controller; what it adds is kept out of every log by the module."""

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        """Run the module with its secrets."""
        try:
            sources = with_tokens(self._task.args.get("sources"))
        except FieldOpsError as error:
            return {"failed": True, **failure_data(error)}
        if sources:
            self._task.args["sources"] = sources
        result: dict[str, t.Any] = super().run(tmp, task_vars)
        return result
