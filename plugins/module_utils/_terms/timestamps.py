# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Instants as they are written in records and results."""

from __future__ import annotations

from datetime import datetime


def timestamp(moment: datetime) -> str:
    """Return the UTC instant ``moment`` in the form of RFC 3339, to the second."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
