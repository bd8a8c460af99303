# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Lengths of time in words."""

from __future__ import annotations


def describe_seconds(seconds: int) -> str:
    """Return a length for people, in its two largest units: ``3d 4h``, ``1h 30m``, ``59s``."""
    parts = []
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60), ("s", 1)):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count}{unit}")
    return " ".join(parts[:2]) or "0s"
