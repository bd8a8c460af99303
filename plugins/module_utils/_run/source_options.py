# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Options of every module that fetches from servers of a bundle; the twin of the fragment ``_source_options``."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._run.argument_spec import ArgumentSpec

_SOURCE = {
    "url": {"type": "str", "required": True},
    "ca": {"type": "str", "default": ""},
    "token": {"type": "str", "default": "", "no_log": True},
    "token_file": {"type": "path", "no_log": False},
}
SOURCE_OPTIONS = ArgumentSpec(
    options={"sources": {"type": "list", "elements": "dict", "default": [], "options": _SOURCE}}
)
