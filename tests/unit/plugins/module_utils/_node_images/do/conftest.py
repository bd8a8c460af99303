# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from ansible_collections.fieldops.openshift.tests.unit.plugins.module_utils._bundle_files.medium import (
    host,
    medium,
    seconds,
    server,
)

__all__ = ["host", "medium", "seconds", "server"]
