# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.medium import (
    host,
    medium,
    seconds,
    server,
)

__all__ = ["host", "medium", "seconds", "server"]
