# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The option that says what releases have left behind; the twin of the fragment ``_reclaim_options``."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec

_IMAGE = {"name": {"type": "str", "required": True}, "component": {"type": "str", "default": ""}}
_KNOWN = {
    "release": {"type": "str", "required": True},
    "version": {"type": "str", "default": ""},
    "images": {"type": "list", "elements": "dict", "required": True, "options": _IMAGE},
}
_RECLAIM = {
    "present": {"type": "str", "required": True},
    "left_behind": {"type": "list", "elements": "str", "default": []},
    "known": {"type": "list", "elements": "dict", "default": [], "options": _KNOWN},
    "keep": {"type": "list", "elements": "str", "default": []},
    "carry_out": {"type": "bool", "default": True},
}
RECLAIM_OPTIONS = ArgumentSpec(options={"reclaim": {"type": "dict", "options": _RECLAIM}})
