# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Content that made a reader fail once, kept as files below ``found``: a folder for each reader."""

from __future__ import annotations

from pathlib import Path

FOUND = Path(__file__).parent / "found"


def found_content() -> list[tuple[str, bytes]]:
    """Return the name of a reader and the content for each file."""
    return [(path.parent.name, path.read_bytes()) for path in sorted(FOUND.glob("*/*.bin"))]
