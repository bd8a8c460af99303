# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Errors of reports."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class RunHistoryError(FieldOpsError):
    """The record of the runs of a site is damaged."""

    kind = "run_history"
