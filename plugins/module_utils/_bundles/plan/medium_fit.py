# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Whether a bundle fits on its medium, and which parts to leave out if it does not."""

from __future__ import annotations

import typing as t
from collections.abc import Mapping, Sequence

_OPTIONS = {
    "extra": "extra_images",
    "catalog": "operators",
    "operator": "operators",
    "file": "extra_files",
}


def remedies(rows: Sequence[Mapping[str, t.Any]], lacking: int) -> list[dict[str, t.Any]]:
    """Return what to leave out by which option, so that ``lacking`` bytes are not needed; what is enough comes first.

    ``rows`` are those of ``content_report``. Bytes that parts share are saved only together, so those of a single part
    are a lower limit.
    """
    if lacking <= 0:
        return []
    platforms = [row for row in rows if row["reason"] == "component" and row["name"]]
    saved = {(f"components of {row['name']}", "platforms"): row["own"] for row in platforms}
    if len(platforms) > 1:
        saved["all components of single platforms", "platforms"] = sum(row["own"] for row in platforms)
    for row in rows:
        if row["reason"] in _OPTIONS and row["own"]:
            saved[f"{row['reason']} {row['name']}".strip(), _OPTIONS[row["reason"]]] = row["own"]
    found = [
        {"leave_out": what, "option": option, "saves": size, "enough": size >= lacking}
        for (what, option), size in saved.items()
    ]
    # Of what is enough the least comes first, of the rest the most.
    return sorted(found, key=lambda one: (not one["enough"], one["saves"] if one["enough"] else -one["saves"]))
