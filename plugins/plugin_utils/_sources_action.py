# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action behind modules that fetch from servers of a bundle, whose tokens may be in files of the controller."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.token_file import with_tokens
from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import failure_data
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import StepLoopAction


class SourcesAction(StepLoopAction):
    """Takes the module's steps one by one, with its secrets, which the module keeps out of every log."""

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        """Run the task, which fails for a file of a token that cannot be used."""
        try:
            sources = with_tokens(self._task.args.get("sources"))
        except FieldOpsError as error:
            return {"failed": True, **failure_data(error)}
        if sources:
            self._task.args["sources"] = sources
        return super().run(tmp, task_vars)
