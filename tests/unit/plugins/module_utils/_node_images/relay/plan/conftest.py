# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Planning is the controller's side: its libraries need not exist for a node's Python."""

from __future__ import annotations

import sys

if sys.version_info < (3, 10):
    collect_ignore = ["test_relay_chain.py"]
