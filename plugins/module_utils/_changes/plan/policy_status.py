# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The status that a policy would have in the API: its present and next behaviour and its last transitions.

Nothing writes it down: it follows from the policy and the instant. Source of the fields: openshift/enhancements pull
request 1571, "ChangeManagementPolicy Resource".
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import transitions_before
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import write_instant
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import FAULT

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import Span, Timeline

KEPT_TRANSITIONS = 5
PAUSED, UNPAUSED = "ChangesPaused", "ChangesUnpaused"

Fields = dict[str, t.Any]


def policy_status(timeline: Timeline, now: int) -> Fields:
    """Return ``behavior`` and ``conditions`` of a policy with this timeline at ``now``."""
    span = timeline.at(now)
    reason = timeline.why(now)
    past = transitions_before(timeline, now, KEPT_TRANSITIONS + 1)
    begun = past[-1][0] if past else None
    ready = not (span.until is None and span.outlook == FAULT and not span.permitted)
    conditions = [
        _condition("Ready", ready, "AsExpected" if ready else reason.code, "" if ready else reason.text),
        _condition("ChangesRestricted", not span.permitted, reason.strategy, reason.text),
    ]
    following = None
    if span.until is not None:
        later = timeline.at(span.until)
        following = {**_stretch(later, span.until), "reason": timeline.why(span.until).text}
    history = [_ended(timeline, start, stretch) for start, stretch in past[:-1]]
    current = {**_stretch(span, begun), "reason": reason.text}
    return {"behavior": {"current": current, "next": following, "history": history}, "conditions": conditions}


def _ended(timeline: Timeline, start: int, span: Span) -> Fields:
    return {"strategy": timeline.why(start).strategy, **_stretch(span, start)}


def _stretch(span: Span, start: int | None) -> Fields:
    return {
        "state": UNPAUSED if span.permitted else PAUSED,
        "startTime": None if start is None else write_instant(start),
        "endTime": None if span.until is None else write_instant(span.until),
    }


def _condition(name: str, holds: bool, reason: str, message: str) -> Fields:
    return {"type": name, "status": "True" if holds else "False", "reason": reason, "message": message}
