# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Shows how things go on while M(fieldops.openshift.node_bundle) waits."""

from __future__ import annotations

import typing as t
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.token_file import read_token
from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import failure_data
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.plugin_utils._node_steps import NodeStepAction

if t.TYPE_CHECKING:
    from collections.abc import Mapping


class ActionModule(NodeStepAction):
    """Takes the module's looks at the job one by one, with the tokens that lie in files of the controller."""

    goal = "the bundle is as asked for"
    on = "the node"

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        """Run the task with its secrets, which the module keeps out of every log."""
        try:
            sources = [_with_token(source) for source in self._task.args.get("sources") or []]
        except FieldOpsError as error:
            return {"failed": True, **failure_data(error)}
        if sources:
            self._task.args["sources"] = sources
        return super().run(tmp, task_vars)


def _with_token(source: Mapping[str, t.Any]) -> Mapping[str, t.Any]:
    """Return a source with the token itself; what is no source is the module's to refuse."""
    if not isinstance(source, dict) or not source.get("token_file") or source.get("token"):
        return source
    rest = {name: value for name, value in source.items() if name != "token_file"}
    return {**rest, "token": read_token(Path(source["token_file"]).expanduser())}
