# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""One page about a bundle, for a terminal and as HTML, with its digest as words and as a QR code."""

from __future__ import annotations

import io
import typing as t
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.bundle_facts import bundle_facts
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.content_table import (
    table_cells,
    table_lines,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.html_page import html_page, notice

if t.TYPE_CHECKING:
    from segno import QRCode

    Result = Mapping[str, t.Any]

_STYLE = """
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; margin: 0.6rem 0 0; }
dt { color: var(--faint); }
dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; margin: 0.4rem 0 0; }
th, td { text-align: right; padding: 0.2rem 1rem 0.2rem 0; border-bottom: 1px solid var(--edge); }
th:first-child, td:first-child { text-align: left; }
"""


def bundle_lines(result: Result) -> list[str]:
    """Return the page of a result of release_bundle or release_bundle_info in lines for a terminal."""
    facts = bundle_facts(result)
    width = max(len(name) for name, _value in facts)
    return [
        *(f"{name.ljust(width)}  {value}" for name, value in facts),
        "",
        *table_lines(table_cells(result["content"], missing=False)),
        *_qr_lines(result["bundle"]["index_digest"]),
    ]


def bundle_html(result: Result) -> str:
    """Return the page as HTML that needs nothing else; all that comes from outside is escaped."""
    bundle = result["bundle"]
    body = [
        *notice("wrong", "Warnings", result.get("trust_warnings") or ()),
        "<section><dl>",
        *(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in bundle_facts(result)),
        "</dl></section>",
        *_qr_section(bundle["index_digest"]),
        *_table(table_cells(result["content"], missing=False)),
    ]
    return html_page(f"Bundle of {bundle['version']} {bundle['architecture']}", body, _STYLE)


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    head, *others = rows
    yield "<section><h2>Content</h2><table><thead><tr>"
    yield "".join(f'<th scope="col">{escape(text)}</th>' for text in head)
    yield "</tr></thead><tbody>"
    for row in others:
        yield f"<tr>{''.join(f'<td>{escape(text)}</td>' for text in row)}</tr>"
    yield "</tbody></table></section>"


def _qr_section(digest: str) -> Iterator[str]:
    code = _qr_code(digest)
    if code is not None:
        drawing = code.svg_inline(scale=4, border=4, light="#fff")
        yield f"<section><h2>Digest as a QR code</h2>{drawing}</section>"


def _qr_lines(digest: str) -> Iterator[str]:
    code = _qr_code(digest)
    if code is not None:
        drawing = io.StringIO()
        code.terminal(out=drawing, border=2, compact=True)
        yield ""
        yield from drawing.getvalue().splitlines()


def _qr_code(digest: str) -> QRCode | None:
    """Return the code of a text, None without the library: everything else on the page does not need it."""
    try:
        import segno
    except ImportError:
        return None
    return segno.make_qr(digest, error="l")
