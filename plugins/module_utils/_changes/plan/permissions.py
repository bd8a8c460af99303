# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether a change of known length may start now, and when next: a window that is shorter does not count."""

from __future__ import annotations

from itertools import takewhile

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import windows_from
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import DAY, write_instant
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.site_changes import Judged
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.permission import Estimate, Permission
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.time_lengths import describe_seconds

OBSERVATION = 2 * 366 * DAY
"""So far ahead a window is looked for that is long enough; the enhancement wants none to be further away."""


def estimate_of(seconds: int) -> Estimate:
    """Return an estimate that was given for the work."""
    return Estimate(seconds, f"it may take {describe_seconds(seconds)}" if seconds else "")


def permission_of(judged: Judged, estimate: Estimate) -> Permission:
    """Return whether a change of the resource may start that takes as long as ``estimate`` says."""
    state, title = judged.state, judged.resource.name.title
    remaining = state.permissive_remaining
    if state.permitted and (remaining == -1 or remaining >= estimate.seconds):
        left = "" if remaining == -1 else f" for {describe_seconds(remaining)}"
        told = f"; {estimate.words}" if estimate.words else ""
        return Permission(True, title, f"change of {title} is permitted{left}{told}")
    opening, longest = _next_opening(judged, estimate.seconds)
    sentence = f"{title}: {state.sentence}"
    if state.permitted:
        left = f"change of {title} is permitted for another {describe_seconds(remaining)}"
        sentence = f"{estimate.words}, and {left}"
    hopeless = ""
    if opening is None and longest:
        hopeless = f"{estimate.words}, and the longest window within two years lasts {describe_seconds(longest)}"
    return Permission(False, title, sentence, "" if opening is None else write_instant(opening), hopeless)


def _next_opening(judged: Judged, seconds: float) -> tuple[int | None, int]:
    """Return when the next window opens that is long enough and not open yet, and how long the longest one is."""
    state = judged.state
    if not state.permitted and state.next_transition is None:
        return None, 0
    longest = 0
    last = max(state.instant + OBSERVATION, state.next_transition or 0)
    for window in takewhile(lambda one: one.start <= last, windows_from(judged.governed.timeline, state.instant)):
        length = OBSERVATION if window.end is None else window.end - window.start
        if length >= seconds and window.start > state.instant:
            return window.start, longest
        longest = max(longest, length)
    return None, longest
