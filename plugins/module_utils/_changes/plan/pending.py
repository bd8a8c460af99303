# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Pending changes: the metric about them, and whether one may be initiated."""

from __future__ import annotations

from dataclasses import dataclass

BYPASS_ANNOTATION = "machineconfiguration.openshift.io/bypass-change-management"
"""On a MachineConfig, with any value that is not empty: its change is initiated whatever change management says."""

NONE, INITIATED, BLOCKED, BLOCKED_ELSEWHERE = 0, 1, 2, 3


@dataclass(frozen=True)
class Pending:
    """``metric`` is the value of ``change_management_change_pending``."""

    metric: int
    may_initiate: bool


def pending_changes(
    pending: bool, permitted: bool, *, bypass: bool = False, blocked_elsewhere: bool = False
) -> Pending:
    """Return what pending changes come to; ``blocked_elsewhere`` means by the control plane only.

    Source: openshift/enhancements pull request 1571, "Change Management Metrics" and "Bypass Annotation".
    """
    may_initiate = permitted or bypass
    if not pending:
        return Pending(NONE, may_initiate)
    if may_initiate:
        return Pending(INITIATED, True)
    return Pending(BLOCKED_ELSEWHERE if blocked_elsewhere else BLOCKED, False)
