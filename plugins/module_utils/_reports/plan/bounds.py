# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Texts and lists from outside, cut to what fits into a report, without characters that cannot be shown."""

from __future__ import annotations

import typing as t

LONGEST_TEXT = 600
MOST_ENTRIES = 1000
"""Entries of one list. A report of so many nodes takes about 1 MiB."""


def bounded(value: t.Any) -> t.Any:
    """Return a JSON document with its texts and lists cut; see ``bounded_text``."""
    if isinstance(value, str):
        return bounded_text(value)
    if isinstance(value, dict):
        return {bounded_text(str(key)): bounded(one) for key, one in list(value.items())[:MOST_ENTRIES]}
    if isinstance(value, (list, tuple)):
        return [bounded(one) for one in value[:MOST_ENTRIES]]
    return value


def bounded_text(text: str, longest: int = LONGEST_TEXT) -> str:
    """Return a text of at most ``longest`` characters, the last of them an ellipsis where it was cut.

    Control characters and those that turn the direction of writing become replacement characters.
    """
    cut = text if len(text) <= longest else f"{text[: longest - 1]}\u2026"
    return "".join(one if one.isprintable() or one == "\n" else "\ufffd" for one in cut)
