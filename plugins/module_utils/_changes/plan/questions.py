# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""A question about change as people ask it: a stanza, its policies, perhaps the control plane's stanza, an instant."""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import (
    ChangeState,
    Question,
    change_state,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.stanzas import (
    ReadStanza,
    stanza_timeline,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import Both

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import Timeline


@dataclass(frozen=True)
class Subject:
    """Whose permission is asked for; with ``hierarchy`` workers need the control plane's permission too."""

    stanza: object
    policies: object
    control_plane: object = None
    hierarchy: bool = False

    def timeline(self, horizon: int) -> Timeline:
        """Return the permission over time; ``horizon``, in seconds, bounds the search for common windows."""
        configured = self._configured().timeline
        return Both(self._above().timeline, configured, horizon) if self.hierarchy else configured

    def state(self, question: Question) -> ChangeState:
        """Return the answer to ``question``."""
        configured, above = self._configured(), self._above()
        if not self.hierarchy:
            return change_state(configured.timeline, question, warnings=configured.warnings)
        parts = (
            ("control_plane_permitted", above.timeline.at(question.instant).permitted),
            ("worker_configured_permitted", configured.timeline.at(question.instant).permitted),
        )
        return change_state(
            Both(above.timeline, configured.timeline, question.horizon),
            question,
            warnings=(*above.warnings, *configured.warnings),
            parts=parts,
        )

    def _configured(self) -> ReadStanza:
        return stanza_timeline(self.stanza, self.policies)

    def _above(self) -> ReadStanza:
        return stanza_timeline(self.control_plane, self.policies, "control_plane.changeManagement")
