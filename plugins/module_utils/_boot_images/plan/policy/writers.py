# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Who last wrote the parts of a MachineConfiguration that are about boot images, from its managedFields."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.policy.observed import (
    Object,
    as_list,
    as_mapping,
)

_PARTS = {"managed_boot_images": "f:managedBootImages", "skew_enforcement": "f:bootImageSkewEnforcement"}


def writers_of(found: Object | None) -> dict[str, list[dict[str, str]]]:
    """Return by part the field managers that own something in it, the latest first."""
    entries = as_list(as_mapping(as_mapping(found).get("metadata")).get("managedFields"))
    return {name: _owners(entries, key) for name, key in _PARTS.items()}


def _owners(entries: t.Sequence[t.Any], key: str) -> list[dict[str, str]]:
    owners = [
        {"manager": str(one.get("manager") or ""), "at": str(one.get("time") or "")}
        for one in entries
        if isinstance(one, dict) and key in as_mapping(as_mapping(one.get("fieldsV1")).get("f:spec"))
    ]
    return sorted(owners, key=lambda one: one["at"], reverse=True)
