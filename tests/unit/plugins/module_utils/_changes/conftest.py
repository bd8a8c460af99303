# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Nodes have no YAML and no calendar libraries: what needs them is tested on the controller's Python alone."""

from __future__ import annotations

import sys

if sys.version_info < (3, 10):
    collect_ignore = ["plan/test_vectors.py", "plan/test_calendar_libraries.py"]
