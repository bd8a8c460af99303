# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""The maintenance calendar as one HTML page that needs nothing else: no script, no picture, no font from elsewhere."""

from __future__ import annotations

import typing as t
from html import escape

from ansible_collections.fieldops.openshift.plugins.module_utils._changes.plan.calendar_text import described, written
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
body { font-family: sans-serif; margin: 2rem; color: #151515; background: #fff; }
h1 { font-size: 1.4rem; }
h2 { font-size: 1rem; margin: 1.6rem 0 0.2rem; }
p { margin: 0.2rem 0; }
ul { margin: 0.4rem 0 0; }
.open { color: #1e4f18; }
.closed { color: #731f00; }
.line { position: relative; height: 1.4rem; background: #e0e0e0; border: 1px solid #8a8d90; overflow: hidden; }
.window { position: absolute; top: 0; bottom: 0; min-width: 2px; background: #3e8635; }
.marks { position: relative; height: 1.1rem; font-size: 0.7rem; color: #4d5258; }
.marks span { position: absolute; border-left: 1px solid #8a8d90; padding-left: 2px; white-space: nowrap; }
@media print { .line, .window { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""


def calendar_page(calendar: MaintenanceCalendar, title: str) -> str:
    """Return the page; everything that comes from outside is escaped."""
    heading = escape(title)
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        f"<title>{heading}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        f"<h1>{heading}</h1>",
        f"<p>From {written(calendar.start)} for {calendar.days} days. All times are UTC.</p>",
        *(f'<p class="closed">Wrong: {escape(alert)}</p>' for alert in calendar.alerts),
        *(line for row in calendar.rows for line in _row(calendar, row)),
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def _row(calendar: MaintenanceCalendar, row: CalendarRow) -> Iterator[str]:
    state = "open" if row.permitted else "closed"
    yield f"<h2>{escape(row.title)}</h2>"
    yield f'<p class="{state}">{escape(row.sentence)}</p>'
    yield '<div class="line" aria-hidden="true">'
    yield from (_bar(calendar, window) for window in row.windows)
    yield "</div>"
    yield f'<div class="marks" aria-hidden="true">{"".join(_marks(calendar))}</div>'
    yield "<ul>"
    yield from (f"<li>{escape(described(window))}</li>" for window in row.windows)
    if not row.windows:
        yield "<li>no window in this time</li>"
    yield "</ul>"


def _bar(calendar: MaintenanceCalendar, window: Window) -> str:
    end = calendar.end if window.end is None else min(window.end, calendar.end)
    left, width = _share(calendar, window.start - calendar.start), _share(calendar, end - window.start)
    return f'<div class="window" style="left:{left}%;width:{width}%"></div>'


def _marks(calendar: MaintenanceCalendar) -> Iterator[str]:
    step = max(1, -(-calendar.days // _MOST_MARKS))
    first = -(-calendar.start // DAY)
    for day in range(first, -(-calendar.end // DAY), step):
        yield f'<span style="left:{_share(calendar, day * DAY - calendar.start)}%">{write_date(day)[5:]}</span>'


def _share(calendar: MaintenanceCalendar, seconds: int) -> str:
    return f"{100 * seconds / max(1, calendar.end - calendar.start):.3f}"
