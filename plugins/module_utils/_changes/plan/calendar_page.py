# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""The maintenance calendar as one HTML page that needs nothing else: no script, no picture, no font from elsewhere."""

from __future__ import annotations

import typing as t
from html import escape

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.calendar_text import (
    described,
    excluded,
    written,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import DAY, write_date

if t.TYPE_CHECKING:
    from collections.abc import Iterator

    from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.calendar_text import (
        CalendarRow,
        MaintenanceCalendar,
    )
    from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import Window

_MOST_MARKS = 16
_STYLE = """
body { font-family: sans-serif; line-height: 1.4; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #151515;
  background: #fff; }
h1 { font-size: 1.4rem; margin: 0; }
h2 { font-size: 1.1rem; margin: 0 0 0.2rem; overflow-wrap: anywhere; }
p { margin: 0.2rem 0; overflow-wrap: anywhere; }
ul { margin: 0.4rem 0 0; padding-left: 1.2rem; columns: 26rem; }
li { break-inside: avoid; overflow-wrap: anywhere; }
section { margin: 1.4rem 0 0; break-inside: avoid-page; }
.notice { border-left: 0.4rem solid; padding: 0.3rem 0.8rem; }
.notice ul { columns: auto; }
.wrong { border-color: #7d1007; background: #faeae8; }
.waiting { border-color: #795600; background: #fdf7e7; }
.word { display: inline-block; padding: 0 0.5rem; border-radius: 0.2rem; color: #fff; font-size: 0.8rem; }
.open { background: #1e4f18; }
.closed { background: #4d5258; }
.fault { background: #7d1007; }
.local { display: block; color: #4d5258; font-size: 0.85rem; }
.line { position: relative; height: 1.4rem; background: #e0e0e0; border: 1px solid #8a8d90; overflow: hidden; }
.window { position: absolute; top: 0; bottom: 0; min-width: 2px; background: #3e8635; }
.excluded { position: absolute; top: 0; bottom: 0; background: repeating-linear-gradient(45deg, #8a8d90 0 3px,
  #e0e0e0 3px 7px); }
.marks { position: relative; height: 1.1rem; font-size: 0.7rem; color: #4d5258; overflow: hidden; }
.marks span { position: absolute; border-left: 1px solid #8a8d90; padding-left: 2px; white-space: nowrap; }
@media (max-width: 45rem) { body { margin-top: 1rem; } .marks span:not(:nth-child(4n+1)) { display: none; } }
@media print { html { font-size: 8.5pt; } body { margin: 0; max-width: none; padding: 0; } ul { columns: 24rem; }
  .line, .window, .excluded, .word, .notice { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""


def calendar_page(calendar: MaintenanceCalendar, title: str) -> str:
    """Return the page; everything that comes from outside is escaped."""
    heading = escape(title)
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        f"<title>{heading}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        f"<h1>{heading}</h1>",
        f"<p>From {written(calendar.start)} UTC{escape(calendar.local(calendar.start))} for {calendar.days} days. "
        "Times are UTC.</p>",
        *_notice("wrong", "Needs correction", calendar.wrong),
        *_notice("waiting", "Pending changes, times in UTC", calendar.waiting),
        *(line for row in calendar.rows for line in _row(calendar, row)),
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def _notice(kind: str, heading: str, lines: list[str]) -> Iterator[str]:
    if lines:
        yield f'<section class="notice {kind}"><h2>{heading}</h2><ul>'
        yield from (f"<li>{escape(line)}</li>" for line in lines)
        yield "</ul></section>"


def _row(calendar: MaintenanceCalendar, row: CalendarRow) -> Iterator[str]:
    state = "fault" if row.at_fault else "open" if row.permitted else "closed"
    yield f'<section><h2>{escape(row.title)} <span class="word {state}">{_WORDS[state]}</span></h2>'
    yield f"<p>{escape(row.sentence)}</p>"
    yield '<div class="line" aria-hidden="true">'
    yield from (_bar(calendar, one.start, one.until, "excluded") for one in row.exclusions)
    yield from (_bar(calendar, one.start, one.end, "window") for one in row.windows)
    yield "</div>"
    yield f'<div class="marks" aria-hidden="true">{"".join(_marks(calendar))}</div>'
    yield "<ul>"
    yield from (f"<li>{escape(described(window))}{_on_the_wall(calendar, window)}</li>" for window in row.windows)
    if not row.windows:
        yield "<li>no window in this time</li>"
    yield from (f"<li>{escape(excluded(one))}</li>" for one in row.exclusions)
    yield "</ul></section>"


_WORDS = {"open": "open", "closed": "closed", "fault": "faulty"}


def _on_the_wall(calendar: MaintenanceCalendar, window: Window) -> str:
    """Return a window in local time, nothing where none is wanted."""
    moments = [calendar.local(moment).strip(" ()") for moment in (window.start, window.end) if moment is not None]
    return f'<span class="local">{escape(" until ".join(moments))}</span>' if any(moments) else ""


def _bar(calendar: MaintenanceCalendar, start: int, end: int | None, kind: str) -> str:
    start, end = max(start, calendar.start), calendar.end if end is None else min(end, calendar.end)
    left, width = _share(calendar, start - calendar.start), _share(calendar, end - start)
    return f'<div class="{kind}" style="left:{left}%;width:{width}%"></div>'


def _marks(calendar: MaintenanceCalendar) -> Iterator[str]:
    step = max(1, -(-calendar.days // _MOST_MARKS))
    first = -(-calendar.start // DAY)
    for day in range(first, -(-calendar.end // DAY), step):
        yield f'<span style="left:{_share(calendar, day * DAY - calendar.start)}%">{write_date(day)[5:]}</span>'


def _share(calendar: MaintenanceCalendar, seconds: int) -> str:
    return f"{100 * seconds / max(1, calendar.end - calendar.start):.3f}"
