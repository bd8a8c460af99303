# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""What filters and tests ask: the arguments of a template on one side, the plan on the other, and the present moment.

Only here can another moment than the present be given, for rehearsals and tests. Modules always use their own clock.
"""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import (
    HORIZON_DAYS,
    ChangeState,
    Question,
    first_windows,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import DAY, read_instant
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.policy_error import PolicyError, quoted
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.questions import Subject
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

NOT_GIVEN: t.Any = object()
"""Tells an argument that was left out from one that is null, which is a resource without change management."""

MOST_WINDOWS = 1000
LONGEST_HORIZON = 4000


def ask_state(
    stanza: object,
    policies: object = None,
    now: object = None,
    *,
    control_plane: object = NOT_GIVEN,
    hierarchy: bool = False,
    horizon_days: int = HORIZON_DAYS,
    capped: bool | None = None,
    pending_changes: bool = True,
    bypass: bool = False,
    windows: int = 3,
) -> ChangeState:
    """Return the state of ``stanza``; the arguments are those of the filter ``change_state``.

    Raise PolicyError when the question itself makes no sense; a stanza or policy at fault is an answer: restricted.
    """
    question = Question(
        instant=moment(now),
        horizon=_number("horizon_days", horizon_days, 1, LONGEST_HORIZON) * DAY,
        capped=_flag("hierarchy", hierarchy) if capped is None else _flag("capped", capped),
        windows=_number("windows", windows, 0, MOST_WINDOWS),
        pending=_flag("pending_changes", pending_changes),
        bypass=_flag("bypass", bypass),
    )
    return _subject(stanza, policies, control_plane, hierarchy).state(question)


def ask_windows(
    stanza: object,
    count: int = 5,
    policies: object = None,
    now: object = None,
    *,
    control_plane: object = NOT_GIVEN,
    hierarchy: bool = False,
    horizon_days: int = HORIZON_DAYS,
) -> list[dict[str, t.Any]]:
    """Return the next ``count`` windows of ``stanza``; the arguments are those of the filter ``change_windows``."""
    horizon = _number("horizon_days", horizon_days, 1, LONGEST_HORIZON) * DAY
    timeline = _subject(stanza, policies, control_plane, hierarchy).timeline(horizon)
    wanted = _number("count", count, 0, MOST_WINDOWS)
    return [window.as_data() for window in first_windows(timeline, moment(now), wanted)]


def moment(now: object = None) -> int:
    """Return an instant, by default the present one, in whole seconds."""
    return instant_of(SystemClock()) if now is None else read_instant(now, "now")


def instant_of(clock: Clock) -> int:
    """Return what ``clock`` shows, in whole seconds since 1970."""
    return read_instant(clock.utcnow(), "the clock")


def _subject(stanza: object, policies: object, control_plane: object, hierarchy: bool) -> Subject:
    if _flag("hierarchy", hierarchy) and control_plane is NOT_GIVEN:
        raise PolicyError("control_plane", "it is missing", "With hierarchy the control plane's stanza is needed.")
    above = None if control_plane is NOT_GIVEN else control_plane
    return Subject(stanza, {} if policies is None else policies, above, hierarchy)


def _flag(name: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise PolicyError(name, f"{quoted(value)} is neither true nor false", "Give a boolean.")
    return value


def _number(name: str, value: object, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise PolicyError(name, f"{quoted(value)} is out of bounds", f"Give a whole number from {least} to {most}.")
    return value
