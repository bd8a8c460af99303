# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Amounts of bytes as people write and read them, always in binary units."""

from __future__ import annotations

import re

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB
TIB = 1024 * GIB

_UNITS = {"": 1, "B": 1, "KiB": KIB, "MiB": MIB, "GiB": GIB, "TiB": TIB}
_FORM = re.compile(r"([0-9]{1,15})(?:\.([0-9]{1,3}))? ?(B|KiB|MiB|GiB|TiB|)", re.ASCII)


def parse_size(text: str) -> int:
    """Return the bytes that ``text`` means, such as ``3 GiB``, ``1.5MiB`` or ``4096``; raise InvalidInputError else.

    Decimal units (``GB``) are refused instead of guessed: tools disagree on what they mean.
    """
    found = _FORM.fullmatch(text.strip())
    if not found:
        raise InvalidInputError(
            "read a size",
            on=repr(text[:100]),
            seen="it is not a number with one of the units B, KiB, MiB, GiB, TiB",
            advice="Write it like '512 MiB' or as plain bytes.",
        )
    whole, fraction, unit = found.groups()
    factor = _UNITS[unit]
    return int(whole) * factor + (int(fraction) * factor // 10 ** len(fraction) if fraction else 0)


def format_size(count: int) -> str:
    """Return ``count`` bytes for people, with one decimal from KiB upwards: ``17 B``, ``1.5 GiB``."""
    for unit in ("TiB", "GiB", "MiB", "KiB"):
        if abs(count) >= _UNITS[unit]:
            return f"{count / _UNITS[unit]:.1f} {unit}"
    return f"{count} B"
