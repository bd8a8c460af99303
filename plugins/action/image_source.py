# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Gives M(fieldops.openshift.image_source) the credentials that are in a private file of the controller."""

from __future__ import annotations

import typing as t
from pathlib import Path

from ansible.plugins.action import ActionBase

from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.joining.credentials_file import (
    read_credentials,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import failure_data
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.plugin_utils._direct_execution import DirectAction


class ActionModule(DirectAction):
    """Runs on the controller, wherever the module then runs; what it adds is kept out of every log by the module."""

    _supports_async = False

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        """Run the module with its secrets."""
        started = ActionBase.run(self, tmp, task_vars)
        options = dict(self._task.args)
        others = options.get("other_machines")
        try:
            # What is no mapping is the module's to refuse.
            if isinstance(others, dict) and others.get("credentials_file"):
                options["other_machines"] = _with_credentials(others)
        except FieldOpsError as error:
            return {**started, "failed": True, **failure_data(error)}
        return {**started, **self._execute_module(module_args=options, task_vars=task_vars)}


def _with_credentials(others: dict[str, t.Any]) -> dict[str, t.Any]:
    given = {name: value for name, value in others.items() if name != "credentials_file" and value is not None}
    return {**read_credentials(Path(others["credentials_file"]).expanduser()), **given}
