# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The status area below the permanent lines: the current activity, in the available columns and rows."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_story import WITHOUT_NODE, Now
from ansible_collections.fieldops.openshift.plugins.plugin_utils._site_words import (
    BAD,
    CHANGED,
    PLAIN,
    QUIET,
    Line,
    duration,
)

MOST_NODES = 12
MOST_UPCOMING = 2
PROBLEM_ROWS = 3
"""Of each line of the last problem; all of it stands above, where it was shown first."""
LEAST_ROWS = 4
"""Below this, an area would leave no room for the lines that stay."""


def area_lines(now: Now, at: float, columns: int, rows: int, measure: Callable[[str], int] = len) -> list[Line]:
    """Return the status area at a moment, each line cut to fit ``columns``, in half of the ``rows`` at most."""
    if not now.task or rows < LEAST_ROWS:
        return []
    lines = [_heading(now, at), _current(now, at), *_nodes(now), *_outlook(now, columns)]
    return [Line(cut(line.text, columns - 1, measure), line.tone) for line in lines[: max(2, rows // 2)]]


def cut(text: str, columns: int, measure: Callable[[str], int] = len) -> str:
    """Return as much of a text as fits, with dots for what does not."""
    if measure(text) <= columns:
        return text
    kept = text[:columns]
    while kept and measure(kept) > columns - 3:
        kept = kept[:-1]
    return f"{kept}..."


def _heading(now: Now, at: float) -> Line:
    nodes = [now.nodes_done, f"now {now.node}" if now.node else ""]
    return Line(", ".join(filter(None, [f"-- {now.play}, {duration(at - now.began)}", *nodes])), QUIET)


def _current(now: Now, at: float) -> Line:
    where = f"{now.phase}, {duration(at - now.phase_began)}: " if now.phase else ""
    took = "" if now.phase else f", {duration(at - now.task_began)}"
    attempt = f" ({now.attempt})" if now.attempt else ""
    return Line(f"> {where}{now.task}{took}{attempt}", CHANGED)


def _nodes(now: Now) -> list[Line]:
    width = max((len(name) for name in now.nodes), default=0)
    shown = [*now.nodes.items()][:MOST_NODES]
    lines = [
        Line(f"  {state.sentence}" if name == WITHOUT_NODE else f"  {name:{width}}  {state.sentence}", PLAIN)
        for name, state in shown
    ]
    left_out = len(now.nodes) - len(shown)
    return [*lines, Line(f"  and {left_out} more nodes", QUIET)] if left_out else lines


def _outlook(now: Now, columns: int) -> list[Line]:
    lines = [
        Line(f"  {row}", BAD)
        for one in ([f"Last problem: {now.problem[0]}", *now.problem[1:]] if now.problem else [])
        for row in textwrap.wrap(one, columns - 4)[:PROBLEM_ROWS]
    ]
    if now.window:
        lines.append(Line(f"  Window: {now.window}", QUIET))
    if now.upcoming:
        more = len(now.upcoming) - MOST_UPCOMING
        rest = f", and {more} more" if more > 0 else ""
        lines.append(Line(f"  Next: {', '.join(now.upcoming[:MOST_UPCOMING])}{rest}", QUIET))
    return lines
