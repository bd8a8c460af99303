# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Options of every module that can wait; the twin of the documentation fragment ``_wait_options``."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec

WAIT_OPTIONS = ArgumentSpec(
    options={
        "wait": {"type": "bool", "default": False},
        "wait_timeout": {"type": "int", "default": 1800},
        "wait_heartbeat": {"type": "int", "default": 60},
    }
)
