# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The passages of nodes through a rollout against the change windows, as SVG inside a page.

Hours in which no node was in progress are left out: passages that are far apart are drawn on axes of their own.
Everything is placed in percent of the width, so that text has its size on every screen.
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from html import escape

from ansible_collections.fieldops.openshift.plugins.module_utils._reports.plan.bounds import bounded_text
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.micro_time import instant_of

Fields = Mapping[str, t.Any]

APART = timedelta(hours=4)
"""A pause between passages from which on they have axes of their own."""

MOST_ROWS = 18
"""Nodes in one figure: no figure is longer than a sheet of paper."""

PHASES = {"drain": "Drain", "change": "Change", "reboot": "Reboot and checks", "failed": "Failed"}
MARKS = {"staged": "Bundle staged", "loaded": "Images loaded", "done": "Done"}
STYLE = """
.chart { display: block; width: 100%; background: var(--track); border: 1px solid var(--edge); }
.chart text { font: 12px sans-serif; fill: var(--ink); }
.chart .rule { stroke: var(--paper); }
.permitted { fill: var(--permitted); background: var(--permitted); }
.drain { fill: #a66a00; background: #a66a00; }
.change { fill: #2b6fb3; background: #2b6fb3; }
.reboot { fill: #7d4fb5; background: #7d4fb5; }
.failed { fill: #c9190b; background: #c9190b; }
.staged { fill: #6b7d00; background: #6b7d00; }
.loaded { fill: #0b7f83; background: #0b7f83; }
.done { fill: var(--ink); background: var(--ink); }
.keys { display: flex; flex-wrap: wrap; gap: 0 1rem; list-style: none; padding: 0; columns: auto; }
.key { display: inline-block; width: 0.9rem; height: 0.9rem; margin-right: 0.3rem; vertical-align: -0.1rem;
  border: 1px solid var(--edge); }
figure { margin: 0.6rem 0 0; break-inside: avoid; }
figcaption { font-size: 0.85rem; color: var(--faint); overflow-wrap: anywhere; }
:root { --permitted: #c6e6c2; }
@media screen and (prefers-color-scheme: dark) { :root { --permitted: #2f5c2b; } }
@media print { .chart, .key { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""
_ROW, _TOP, _BAR = 36, 20, 14
_LONGEST_NAME = 44
_STEPS = [timedelta(minutes=minutes) for minutes in (1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 4320, 10080)]
_MOST_MARKS = 5


@dataclass(frozen=True)
class _Passage:
    node: Fields
    start: datetime
    end: datetime


@dataclass(frozen=True)
class _Axis:
    """The time from ``start`` to ``end``, which is later."""

    start: datetime
    end: datetime

    def place(self, moment: datetime) -> float:
        """Return where a moment is, in percent, within the axis."""
        share = (moment - self.start) / (self.end - self.start)
        return 100 * min(1.0, max(0.0, share))

    def stretch(self, start: datetime, end: datetime) -> str:
        """Return place and width of a stretch as attributes of SVG."""
        left = self.place(start)
        return f'x="{left:.3f}%" width="{max(0.15, self.place(end) - left):.3f}%"'


def timelines(nodes: Iterable[Fields], changes: Sequence[Fields], now: str) -> Iterator[str]:
    """Yield a figure for each stretch of time in which nodes were in progress, oldest first."""
    moment = instant_of(now) or datetime.max.replace(tzinfo=timezone.utc)
    for passages in _sessions(_passages(nodes, moment)):
        start, end = _first(passages), max(one.end for one in passages)
        margin = max(timedelta(minutes=1), (end - start) / 50)
        axis = _Axis(start - margin, end + margin)
        for first in range(0, len(passages), MOST_ROWS):
            yield from _figure(passages[first : first + MOST_ROWS], axis, changes, moment)


def _passages(nodes: Iterable[Fields], now: datetime) -> list[_Passage]:
    found = []
    for node in nodes:
        segments = node["segments"]
        start = instant_of(segments[0]["start"]) if segments else None
        if start is not None:
            end = instant_of(segments[-1]["end"]) or max(now, start)
            found.append(_Passage(node, start, end))
    return sorted(found, key=lambda one: (one.start, one.node["name"]))


def _sessions(passages: Iterable[_Passage]) -> Iterator[list[_Passage]]:
    session: list[_Passage] = []
    for passage in passages:
        if session and passage.start - max(one.end for one in session) > APART:
            yield session
            session = []
        session.append(passage)
    if session:
        yield session


def _first(passages: Sequence[_Passage]) -> datetime:
    """Return where an axis begins: with the bundle and images of its nodes, unless they had these long before."""
    start = passages[0].start
    texts = [one.node[mark] for one in passages for mark in ("staged", "loaded")]
    had = [moment for text in texts if (moment := instant_of(text))]
    return min([start, *(moment for moment in had if start - moment <= APART)])


def _figure(passages: Sequence[_Passage], axis: _Axis, changes: Sequence[Fields], now: datetime) -> Iterator[str]:
    span = f"{_minute(axis.start)} to {_minute(axis.end)} UTC"
    label = f"Timeline of {len(passages)} nodes, {span}. The table of nodes has the same times."
    height = _TOP + _ROW * len(passages)
    yield f"<figure><figcaption>{span}</figcaption>"
    yield f'<svg class="chart" role="img" aria-label="{escape(label)}" height="{height}">'
    for number, passage in enumerate(passages):
        top = _TOP + _ROW * number
        yield from _windows(axis, _windows_of(passage.node["pool"], changes), top)
    yield from _marks(axis, height)
    for number, passage in enumerate(passages):
        yield from _row(passage.node, axis, _TOP + _ROW * number, now)
    yield "</svg></figure>"


def _windows_of(pool: str, changes: Iterable[Fields]) -> Sequence[Fields]:
    """Return the windows of a pool; those of the cluster where the pool is not known."""
    by_name = {(one["kind"], one["name"]): one["windows"] for one in changes}
    return by_name.get(("MachineConfigPool", pool)) or by_name.get(("ClusterVersion", "version")) or ()


def _windows(axis: _Axis, windows: Iterable[Fields], top: int) -> Iterator[str]:
    for window in windows:
        start, end = instant_of(window["start"]), instant_of(window["end"] or "") or axis.end
        if start is not None and start < axis.end and end > axis.start:
            yield f'<rect class="permitted" {axis.stretch(start, end)} y="{top}" height="{_ROW}"/>'


def _row(node: Fields, axis: _Axis, top: int, now: datetime) -> Iterator[str]:
    name = escape(bounded_text(node["name"], _LONGEST_NAME))
    below = top + _ROW - _BAR - 4
    yield f'<text x="4" y="{top + 13}">{name}</text>'
    for segment in node["segments"]:
        start, end = instant_of(segment["start"]), instant_of(segment["end"]) or now
        if start is not None:
            told = f"{PHASES[segment['phase']]}, {segment['start']} to {segment['end'] or 'now'}"
            yield (
                f'<rect class="{segment["phase"]}" {axis.stretch(start, end)} y="{below}" height="{_BAR}">'
                f"<title>{escape(told)}</title></rect>"
            )
    for kind, mark in MARKS.items():
        text = node[kind]
        moment = instant_of(text)
        if moment is not None and axis.start <= moment <= axis.end:
            yield (
                f'<circle class="{kind}" cx="{axis.place(moment):.3f}%" cy="{below + _BAR // 2}" r="5">'
                f"<title>{mark}, {escape(text)}</title></circle>"
            )


def _marks(axis: _Axis, height: int) -> Iterator[str]:
    step = next((one for one in _STEPS if (axis.end - axis.start) / one <= _MOST_MARKS), _STEPS[-1])
    midnight = axis.start.replace(hour=0, minute=0, second=0, microsecond=0)
    moment = midnight + ((axis.start - midnight) // step + 1) * step
    while moment < axis.end:
        left = f"{axis.place(moment):.3f}%"
        text = f"{moment:%m-%d}" if step >= timedelta(days=1) else f"{moment:%H:%M}"
        yield f'<line class="rule" x1="{left}" x2="{left}" y1="{_TOP}" y2="{height}"/>'
        if axis.place(moment) < 90:
            yield f'<text x="{left}" y="14">{text}</text>'
        moment += step


def legend() -> Iterator[str]:
    """Yield the list that explains the colors."""
    yield '<ul class="keys">'
    for kind, words in {"permitted": "Change permitted", **PHASES, **MARKS}.items():
        yield f'<li><span class="key {kind}"></span>{words}</li>'
    yield "</ul>"


def _minute(moment: datetime) -> str:
    return f"{moment:%a %Y-%m-%d %H:%M}"
