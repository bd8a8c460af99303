# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What filters and tests ask: the arguments of a template on one side, the plan on the other, and the present moment.

Only here can another moment than the present be given, for rehearsals and tests. Modules always use their own clock.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import (
    ChangeState,
    Question,
    change_state,
    first_windows,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.fields import Field
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import read_instant
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policies import read_policy
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError, quoted
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.stanzas import (
    read_stanza,
    stanza_timeline,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.timelines import FAULT
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.validation import part_of
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

MOST_WINDOWS = 1000


def ask_state(stanza: object, policies: object = None, now: object = None, windows: int = 3) -> ChangeState:
    """Return the state of ``stanza``; the arguments are those of the filter ``change_state``.

    Raise PolicyError when the question itself makes no sense; a stanza or policy at fault is an answer: restricted.
    """
    return change_state(stanza_timeline(stanza, policies or {}), Question(moment(now), _number(windows)))


def ask_windows(stanza: object, count: int = 5, policies: object = None, now: object = None) -> list[dict[str, t.Any]]:
    """Return the next ``count`` windows of a stanza or policy; the arguments are those of the filter.

    Raise PolicyError for one at fault: that it has no windows would not be the same.
    """
    if part_of(stanza) == "policy":
        timeline = read_policy(Field("policy", stanza)).timeline("")
    else:
        timeline = read_stanza(Field("changeManagement", stanza), policies or {})
    span = timeline.at(moment(now))
    if not span.permitted and span.outlook == FAULT:
        raise PolicyError("changeManagement", timeline.why(moment(now)).text, "Correct it. It has no windows to list.")
    return [window.as_data() for window in first_windows(timeline, moment(now), _number(count))]


def moment(now: object = None) -> int:
    """Return an instant, by default the present one, in whole seconds."""
    return instant_of(SystemClock()) if now is None else read_instant(now, "now")


def instant_of(clock: Clock) -> int:
    """Return what ``clock`` shows, in whole seconds since 1970."""
    return read_instant(clock.utcnow(), "the clock")


def _number(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_WINDOWS:
        raise PolicyError(
            "windows", f"{quoted(value)} is out of range", f"Use a whole number from 0 to {MOST_WINDOWS}."
        )
    return value
