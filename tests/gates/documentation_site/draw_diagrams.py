# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Draws the ``mermaid`` blocks of pages, in the colors of the text around them: ``draw_diagrams.py FOLDER``.

It runs in the environment of the documentation site. Forges draw the same blocks by themselves.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import mermaidx  # type: ignore[import-not-found,unused-ignore]

BLOCK = re.compile(r"^```mermaid\n(.*?)^```$", re.DOTALL | re.MULTILINE)
WIDTH = re.compile(r"max-width: ([\d.]+px)")
"""Of the whole diagram. It is drawn smaller where less space is left, and not too small to be read."""
TITLE = re.compile(r"^ *accTitle: (.+)$", re.MULTILINE)


def drawn(source: str) -> str:
    """Return a figure in HTML, which is named as the source says."""
    title = TITLE.search(source)
    if not title:
        raise SystemExit(f"A diagram needs a line with accTitle, for people who do not see it:\n{source}")
    name = re.sub(r"\W+", "-", title[1].lower())
    svg = mermaidx.render(TITLE.sub("", source)).svg().replace("my-svg", name)
    svg = WIDTH.sub(r"\g<0>; min-width: min(\1, 30rem)", svg, count=1)
    return (
        f'```{{raw}} html\n<figure class="diagram" tabindex="0" role="img" aria-label="{title[1]}">{svg}</figure>\n```'
    )


if __name__ == "__main__":
    for page in sorted(Path(sys.argv[1]).rglob("*.md")):
        text = page.read_text()
        if BLOCK.search(text):
            page.write_text(BLOCK.sub(lambda block: drawn(block[1]), text))
