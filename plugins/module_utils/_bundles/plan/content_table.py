# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The parts of a bundle as rows of words, for a terminal and for a page."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping, Sequence

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.sizes import format_size

COLUMNS = ("Part", "Number", "Size", "Only here")
MISSING = "To download"
_NAMES = {
    "release": "release image",
    "component": "components",
    "os_image": "OS images",
    "extra": "extra images",
    "catalog": "catalog",
    "operator": "operator",
    "file": "extra file",
    "signature": "signatures",
    "image_store": "image store",
}


def part_name(row: Mapping[str, t.Any]) -> str:
    """Return what a row of ``content_report`` is, such as ``components of aws``."""
    name = _NAMES[row["reason"]]
    if row["reason"] == "component" and row["name"]:
        return f"{name} of {row['name']}"
    return f"{name} {row['name']}".strip()


def table_cells(content: Mapping[str, t.Any], *, missing: bool) -> list[list[str]]:
    """Return the head, a row for each part, and the sum of ``content``; ``missing`` adds the download."""
    rows = [[*COLUMNS, MISSING]]
    rows += [
        [
            part_name(row),
            str(row["count"]),
            *(format_size(row[key]) for key in ("size", "own", "missing")),
        ]
        for row in content["rows"]
    ]
    rows.append(["all, each blob once", "", format_size(content["size"]), "", format_size(content["missing"])])
    return rows if missing else [row[:-1] for row in rows]


def table_lines(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    """Yield rows as lines whose columns are aligned, the first one to the left."""
    widths = [max(len(row[number]) for row in rows) for number in range(len(rows[0]))]
    for first, *others in rows:
        cells = [first.ljust(widths[0]), *(text.rjust(width) for text, width in zip(others, widths[1:]))]
        yield "  ".join(cells).rstrip()
