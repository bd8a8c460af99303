# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Shows progress while M(fieldops.openshift.node_bundle) waits, and limits the wait for a lost node."""

from __future__ import annotations

import typing as t

from ansible.errors import AnsibleConnectionFailure

from ansible_collections.fieldops.openshift.plugins.module_utils._run.results import failure_data
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.plugin_utils._sources_action import SourcesAction
from ansible_collections.fieldops.openshift.plugins.plugin_utils._step_loop import (
    HostAwayError,
    StepRefusedError,
)

AWAY_SECONDS = 1800.0


class ActionModule(SourcesAction):
    """Runs the checks of the job one by one, with the tokens that are in files of the controller."""

    _absence: Deadline | None = None

    def _execute_module(self, *words: t.Any, **options: t.Any) -> dict[str, t.Any]:
        """Check once. A node that has been away for too long ends the wait, which others in the play may be in."""
        try:
            found: dict[str, t.Any] = super()._execute_module(*words, **options)
        except AnsibleConnectionFailure as error:
            self._require_hope(error)
            raise
        self._absence = None
        return found

    def _require_hope(self, error: AnsibleConnectionFailure) -> None:
        if self._absence is None:
            self._absence = Deadline(self._away_seconds(), self.clock)
        elif self._absence.expired:
            away = HostAwayError(
                "follow the job",
                on=self._node or "the node",
                seen=f"the host has not been reachable for {self._absence.elapsed:.0f} s: {error}",
                advice="Restore the node, then run this again. Received content is kept.",
            )
            raise StepRefusedError({"failed": True, **failure_data(away)}) from error

    def _away_seconds(self) -> float:
        try:
            return float(self._task.args.get("away_timeout", AWAY_SECONDS))
        except (TypeError, ValueError):
            # A wrong value is the module's to refuse, once its host is back.
            return AWAY_SECONDS
