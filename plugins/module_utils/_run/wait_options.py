# Copyright (c) 2026 fieldops.openshift contributors
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
