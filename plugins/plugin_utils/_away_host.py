# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Failing a task whose host cannot be reached, instead of the play: only so do "rescue" and "always" hear of it."""

from __future__ import annotations

import typing as t

from ansible.errors import AnsibleConnectionFailure

from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import failure_data
from ansible_collections.fieldops.openshift.plugins.plugin_utils._direct_execution import DirectAction
from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import HostAwayError


class AwayHostAction(DirectAction):
    """Base of actions for hosts that reboot in a play; to be named before the action whose ``run`` it guards."""

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        """Run the task; a host that cannot be reached fails it, so that a play can still say what became of it."""
        try:
            return super().run(tmp, task_vars)
        except AnsibleConnectionFailure as error:
            away = HostAwayError(
                "reach the host",
                on=self._task.delegate_to or "the host",
                seen=str(error),
                advice="Check that it is on and that the inventory says how to reach it, then run this again.",
                transient=True,
            )
            return {"failed": True, **failure_data(away)}
