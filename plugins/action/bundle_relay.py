# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Gives M(fieldops.openshift.bundle_relay) its secrets: the token of the run, and a key pair made for this relay."""

from __future__ import annotations

import ipaddress
import typing as t
from pathlib import Path

from ansible.plugins.action import ActionBase

from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._host.host import Host
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_identity import new_identity
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_presence import private_base
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.relay_request import (
    LONGEST_LIFETIME,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._node_images.relay.token_file import (
    ensure_token,
    new_token,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import failure_data
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError
from ansible_collections.fieldops.openshift.plugins.plugin_utils._direct_execution import DirectAction

OPENSSL_SECONDS = 30.0


class ActionModule(DirectAction):
    """Runs on the controller, wherever the module then runs; what it adds is kept out of every log by the module."""

    _supports_async = False

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        """Run the module with its secrets."""
        started = ActionBase.run(self, tmp, task_vars)
        options = dict(self._task.args)
        try:
            if options.get("state", "started") == "started":
                options.update(self._secrets(options))
        except FieldOpsError as error:
            return {**started, "failed": True, **failure_data(error)}
        return {**started, **self._execute_module(module_args=options, task_vars=task_vars)}

    def _secrets(self, options: dict[str, t.Any]) -> dict[str, str]:
        added = {}
        if options.get("token_file") and not options.get("token"):
            added["token"] = self._token(Path(options["token_file"]).expanduser())
        # A wrong address is the module's to refuse.
        if not options.get("private_key") and not self._task.check_mode and _is_address(options.get("address")):
            clock = SystemClock()
            host, deadline = Host(clock), Deadline(OPENSSL_SECONDS, clock)
            identity = new_identity(host, private_base(), options["address"], LONGEST_LIFETIME, deadline)
            added.update(certificate=identity.certificate, private_key=identity.key)
        return added

    def _token(self, path: Path) -> str:
        # Check mode writes nothing, and where no token is, none can belong to a running relay either.
        return new_token() if self._task.check_mode and not path.exists() else ensure_token(path)


def _is_address(text: object) -> bool:
    try:
        ipaddress.ip_address(str(text))
    except ValueError:
        return False
    return True
