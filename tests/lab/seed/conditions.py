# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Conditions as OpenShift's operators write them."""

from __future__ import annotations

SETTLED = "2026-01-12T08:00:00Z"  # when a seeded cluster came to rest
Condition = dict[str, str]


def condition(kind: str, status: bool, reason: str = "AsExpected", message: str = "") -> Condition:
    """Return a condition whose status is ``True`` or ``False``."""
    return {
        "type": kind,
        "status": "True" if status else "False",
        "reason": reason,
        "message": message,
        "lastTransitionTime": SETTLED,
    }
