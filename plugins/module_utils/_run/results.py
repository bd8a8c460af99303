# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""An error as modules return it: data, never a sentence alone."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


def failure_data(error: FieldOpsError) -> dict[str, t.Any]:
    """Return an error as fail_json takes it: one sentence for people, its parts for programs, what was achieved."""
    parts = error.as_data()
    return {"changed": False, **parts.pop("partial"), "msg": str(error), "error": parts}
