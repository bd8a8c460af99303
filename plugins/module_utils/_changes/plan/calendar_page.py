# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The maintenance calendar as one HTML page that needs nothing else: no script, no picture, no font from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.calendar_text import (
    CalendarRow,
    MaintenanceCalendar,
    described,
    excluded,
    written,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.change_state import Window
from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.instants import DAY, write_date
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.html_page import html_page, notice

_MOST_MARKS = 16
_STYLE = """
ul { columns: 26rem; }
.notice ul { columns: auto; }
.local { display: block; color: var(--faint); font-size: 0.85rem; }
.line { position: relative; height: 1.4rem; background: var(--track); border: 1px solid var(--edge); overflow: hidden; }
.window { position: absolute; top: 0; bottom: 0; min-width: 2px; background: var(--good); }
.excluded { position: absolute; top: 0; bottom: 0; background: repeating-linear-gradient(45deg, var(--edge) 0 3px,
  var(--track) 3px 7px); }
.marks { position: relative; height: 1.1rem; font-size: 0.7rem; color: var(--faint); overflow: hidden; }
.marks span { position: absolute; border-left: 1px solid var(--edge); padding-left: 2px; white-space: nowrap; }
@media (max-width: 45rem) { .marks span:not(:nth-child(4n+1)) { display: none; } }
@media print { ul { columns: 24rem; }
  .line, .window, .excluded { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""


def calendar_page(calendar: MaintenanceCalendar, title: str) -> str:
    """Return the page; everything that comes from outside is escaped."""
    body = [
        f"<p>From {written(calendar.start)} UTC{escape(calendar.local(calendar.start))} for {calendar.days} days. "
        "Times are UTC.</p>",
        *notice("wrong", "Needs correction", calendar.wrong),
        *notice("waiting", "Pending changes, times in UTC", calendar.waiting),
        *(line for row in calendar.rows for line in _row(calendar, row)),
    ]
    return html_page(title, body, _STYLE)


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
