# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The frame of a page that needs nothing else: no script, no picture, no font from elsewhere; light, dark and printed.

Its colors are variables of CSS with a value for each of light and dark; a page adds the styles of its own elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

_STYLE = """
:root { color-scheme: light; --ink: #151515; --faint: #4d5258; --paper: #fff; --track: #e0e0e0; --edge: #8a8d90;
  --good: #3e8635; --good-word: #1e4f18; --bad: #7d1007; --bad-paper: #faeae8; --warn: #795600; --warn-paper: #fdf7e7;
  --rest: #4d5258; --word: #fff; }
@media screen and (prefers-color-scheme: dark) {
  :root { color-scheme: dark; --ink: #f0f0f0; --faint: #b8bbbe; --paper: #151515; --track: #3c3f42; --edge: #8a8d90;
    --good: #6ec664; --good-word: #2d6a26; --bad: #c9190b; --bad-paper: #3d1210; --warn: #f0ab00;
    --warn-paper: #33270a; } }
body { font-family: sans-serif; line-height: 1.4; margin: 2rem auto; max-width: 75rem; padding: 0 1rem;
  color: var(--ink); background: var(--paper); }
h1 { font-size: 1.4rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 0 0 0.2rem; overflow-wrap: anywhere; }
p { margin: 0.2rem 0; overflow-wrap: anywhere; }
ul { margin: 0.4rem 0 0; padding-left: 1.2rem; }
li { break-inside: avoid; overflow-wrap: anywhere; }
section { margin: 1.4rem 0 0; break-inside: avoid-page; }
.notice { border-left: 0.4rem solid; padding: 0.3rem 0.8rem; }
.wrong { border-color: var(--bad); background: var(--bad-paper); }
.waiting { border-color: var(--warn); background: var(--warn-paper); }
.word { display: inline-block; padding: 0 0.5rem; border-radius: 0.2rem; color: var(--word); font-size: 0.8rem; }
.open { background: var(--good-word); }
.closed { background: var(--rest); }
.fault { background: var(--bad); }
@media (max-width: 45rem) { body { margin-top: 1rem; } }
@media print { html { font-size: 8.5pt; } body { margin: 0; max-width: none; padding: 0; }
  .word, .notice { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
"""

TABLE_STYLE = """
table { border-collapse: collapse; width: 100%; margin: 0.4rem 0 0; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.2rem 0.6rem 0.2rem 0; border-bottom: 1px solid var(--edge);
  overflow-wrap: anywhere; }
th { color: var(--faint); font-weight: normal; }
td { min-width: 4.5rem; }
tr { break-inside: avoid; }
.long { break-inside: auto; }
@media (max-width: 45rem) {
  table, tbody, tr, td { display: block; }
  thead { display: none; }
  tr { border-bottom: 1px solid var(--edge); padding: 0.3rem 0; }
  td { border: 0; padding: 0; min-width: 0; }
  td:empty { display: none; }
  td::before { content: attr(data-name) ": "; color: var(--faint); } }
"""
"""The style of tables."""


def html_page(title: str, body: Iterable[str], style: str = "") -> str:
    """Return the page with ``title`` as its heading; ``body`` and ``style`` are as they are in the page."""
    heading = escape(title)
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        f"<title>{heading}</title>",
        f"<style>{_STYLE}{style}</style>",
        "</head>",
        "<body>",
        "<main>",
        f"<h1>{heading}</h1>",
        *body,
        "</main>",
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def notice(kind: str, heading: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield a section that stands out, of ``kind`` wrong or waiting, with texts that are escaped; none without any."""
    items = [f"<li>{escape(line)}</li>" for line in lines]
    if items:
        yield f'<section class="notice {kind}"><h2>{escape(heading)}</h2><ul>'
        yield from items
        yield "</ul></section>"


def table(heading: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a section with a table; on a narrow screen each row becomes lines that name their column."""
    if not rows:
        return
    yield f'<section class="long"><h2>{heading}</h2><table><thead><tr>'
    yield "".join(f'<th scope="col">{column}</th>' for column in columns)
    yield "</tr></thead><tbody>"
    for row in rows:
        cells = (f'<td data-name="{name}">{escape(text)}</td>' for name, text in zip(columns, row))
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody></table></section>"
