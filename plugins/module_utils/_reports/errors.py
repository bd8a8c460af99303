# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Errors of reports."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class RunHistoryError(FieldOpsError):
    """The record of the runs of a site is damaged."""

    kind = "run_history"
