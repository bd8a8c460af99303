# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The action of all modules that have none of their own; meta/runtime.yml binds them to it."""

from __future__ import annotations

import typing as t

from ansible.plugins.action import ActionBase

from ansible_collections.fieldops.openshift.plugins.plugin_utils._direct_execution import imported
from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import StepLoopAction


class _ImportedEarly(type(ActionBase)):  # type: ignore[misc]  # which type that is depends on ansible-core
    """Imports a module as soon as the play knows of a task with it, which is before it makes the task's process.

    Only there does Ansible tell the class of an action by which names it was found, of which the first is the
    module's. Where it does not, each task imports its module itself, which costs it a tenth of a second.
    """

    def __setattr__(cls, name: str, value: t.Any) -> None:
        super().__setattr__(name, value)
        if name == "_redirected_names" and len(value) > 1:
            imported(value[0])


class ActionModule(StepLoopAction, metaclass=_ImportedEarly):
    """Runs the task's module, once or step by step."""

    def __init__(self, *words: t.Any, **parts: t.Any) -> None:
        """Take the module from the loader: the task may name it without its collection."""
        super().__init__(*words, **parts)
        modules = self._shared_loader_obj.module_loader
        found = modules.find_plugin_with_context(self._task.action, collection_list=self._task.collections)
        self.module = imported(found.resolved_fqcn)
