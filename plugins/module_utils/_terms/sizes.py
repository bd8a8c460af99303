# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Amounts of bytes as people write and read them, always in binary units."""

from __future__ import annotations

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB
TIB = 1024 * GIB

_UNITS = {"KiB": KIB, "MiB": MIB, "GiB": GIB, "TiB": TIB}


def format_size(count: int) -> str:
    """Return ``count`` bytes for people, with one decimal from KiB upwards: ``17 B``, ``1.5 GiB``."""
    for unit in ("TiB", "GiB", "MiB", "KiB"):
        if abs(count) >= _UNITS[unit]:
            return f"{count / _UNITS[unit]:.1f} {unit}"
    return f"{count} B"
