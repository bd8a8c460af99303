# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Names in a sentence: the first of them, and how many more there are."""

from __future__ import annotations

from collections.abc import Iterable


def listed(names: Iterable[str], at_most: int = 3) -> str:
    """Return up to ``at_most`` names separated by commas, and the number of the others: ``a, b, c and 2 more``."""
    every = list(names)
    more = f" and {len(every) - at_most} more" if len(every) > at_most else ""
    return f"{', '.join(every[:at_most])}{more}"
