# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Runs modules of the controller in the task's own process where Ansible would start another of the same kind.

A play asks the API, or how far work on a bundle is, dozens of times. Packing a module, starting Python and importing
the Kubernetes client cost more than a second each time, the question itself some milliseconds. Where a task runs on the
controller, as the same user and with the same interpreter, the module's ``main`` is called in the task's worker
process, which Ansible makes for each task anyway; what it imports is there already. Everywhere else, and with
``fieldops_direct_execution: false``, the module runs as always. The connection plugins of ansible.netcommon do the same
under the name of direct execution.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import sys
import typing as t
from collections.abc import Mapping

from ansible import constants
from ansible.errors import AnsibleError
from ansible.module_utils import basic
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.plugins.action import ActionBase
from ansible.plugins.loader import lookup_loader
from ansible.utils.unsafe_proxy import wrap_var

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.libraries import dynamic_client_class
from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.plugin_utils._permission_advice import with_permission_advice
from ansible_collections.fieldops.openshift.plugins.plugin_utils._side_by_side import may_run_aside
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_contract import site_contract

ACTIONS = "ansible_collections.fieldops.openshift.plugins.action"
MODULES = "ansible_collections.fieldops.openshift.plugins.modules"
SETTINGS = "fieldops.openshift.site_settings"
SWITCH = "fieldops_direct_execution"
KEEP = "DEFAULT_KEEP_REMOTE_FILES"
_CORE_KNOWS_WHOM_TO_TRUST = hasattr(basic, "_ANSIBLE_PROFILE")  # ansible-core 2.19 and newer


class RunnableModule(t.Protocol):
    """A module of this collection, imported.

    One that can wait has ``WAITING`` as well, and one whose host may reboot in the play ``HOST_MAY_REBOOT``.
    """

    DOCUMENTATION: str
    SPEC: ArgumentSpec

    def main(self) -> t.NoReturn:
        """Do what the arguments say, print the result and exit."""


def imported(name: str) -> RunnableModule:
    """Import a module of this collection with what it, and the variables of nearly every task, will need."""
    module = t.cast(RunnableModule, importlib.import_module(f"{MODULES}.{name}"))
    site_contract()
    lookup_loader.get(SETTINGS, class_only=True)
    if "kubeconfig" in module.SPEC.options:
        import_client()
    return module


def works_on_hosts(module: RunnableModule) -> bool:
    """Whether a module is for hosts, where Ansible has to pack and start it."""
    return "host_root" in module.SPEC.options


def import_client() -> None:
    """Import the Kubernetes client. Where it cannot be imported the module says so, to who runs it."""
    with contextlib.suppress(FieldOpsError):
        dynamic_client_class()


class DirectAction(ActionBase):
    """Base of actions whose module may run in the worker; it has the name of the action."""

    TRANSFERS_FILES = False
    _supports_check_mode = True
    _supports_async = True
    module: RunnableModule | None = None

    def __init_subclass__(cls) -> None:
        """Import the module as soon as the play knows of its action, which is before it makes the task's process."""
        super().__init_subclass__()
        package, _dot, name = cls.__module__.rpartition(".")
        if package == ACTIONS:
            cls.module = imported(name)
            cls.run = may_run_aside(cls.run)  # type: ignore[method-assign]  # the class is this very one

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        """Run the task's module once."""
        started = super().run(tmp, task_vars)
        found = self._execute_module(task_vars=task_vars, wrap_async=bool(self._task.async_val))
        return {**started, **found}

    def _execute_module(  # type: ignore[override]  # newer versions of ansible-core have more parameters
        self,
        module_name: str | None = None,
        module_args: dict[str, t.Any] | None = None,
        task_vars: dict[str, t.Any] | None = None,
        wrap_async: bool = False,
        **others: t.Any,
    ) -> dict[str, t.Any]:
        arguments = None
        is_here = module_name is None and not wrap_async and self.module and not works_on_hosts(self.module)
        if is_here and self._is_at_home(task_vars or {}):
            arguments = self._arguments(module_args, task_vars or {})
        if self.module and arguments is not None:
            found = run_module_here(self.module, arguments)
        else:
            found = super()._execute_module(
                module_name, module_args, task_vars=task_vars, wrap_async=wrap_async, **others
            )
        return with_permission_advice(found, self.module.DOCUMENTATION) if self.module else found

    def _is_at_home(self, task_vars: Mapping[str, t.Any]) -> bool:
        """Whether Ansible would start the module on this machine, as this user, by this interpreter, as we are."""
        if self._connection.transport != "local" or self._connection.become or constants.config.get_config_value(KEEP):
            return False
        if self._task.async_val or any(self._task.environment or []):
            return False
        delegated = (task_vars.get("ansible_delegated_vars") or {}).get(self._task.delegate_to) or {}
        variables = {**task_vars, **delegated} if self._task.delegate_to else task_vars
        if not boolean(self._templar.template(variables.get(SWITCH, True)), strict=False):
            return False
        return bool(self._templar.template(variables.get("ansible_python_interpreter")) == sys.executable)

    def _arguments(self, given: Mapping[str, t.Any] | None, task_vars: Mapping[str, t.Any]) -> bytes | None:
        """Return the module's arguments as it reads them, or None where only Ansible can write them down."""
        arguments = dict(self._task.args if given is None else given)
        self._update_module_args(self._task.action, arguments, task_vars)
        try:
            return json.dumps({"ANSIBLE_MODULE_ARGS": arguments}).encode()
        except (TypeError, ValueError):
            return None


def run_module_here(module: RunnableModule, arguments: bytes) -> dict[str, t.Any]:
    """Call the module's ``main`` in this process and return its result, which no template may come from."""
    basic._ANSIBLE_ARGS = arguments
    basic._ANSIBLE_PROFILE = "legacy"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.suppress(SystemExit):
        module.main()
    lines = printed.getvalue().split("\n")
    try:
        result: dict[str, t.Any] = json.loads(lines[-1] or lines[-2])
    except (IndexError, ValueError) as error:
        raise AnsibleError(f"The module ended without a result: {printed.getvalue()!r}") from error
    if not _CORE_KNOWS_WHOM_TO_TRUST:
        result = wrap_var(result)
    return result
