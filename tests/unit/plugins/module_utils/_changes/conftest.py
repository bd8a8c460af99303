# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Nodes have no YAML and no calendar libraries: what needs them is tested on the controller's Python alone."""

from __future__ import annotations

import sys

if sys.version_info < (3, 10):
    collect_ignore = ["plan/test_vectors.py", "plan/test_calendar_libraries.py"]
