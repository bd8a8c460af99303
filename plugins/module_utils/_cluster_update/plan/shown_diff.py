# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Changes of several objects as one ``diff``."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping

States = Mapping[str, Mapping[str, t.Any]]


def diff_of(changes: Iterable[States]) -> dict[str, dict[str, t.Any]] | None:
    """Return the states ``before`` and ``after`` of several objects by kind and name, None where nothing changed.

    Objects are without their status, which is not what was changed, and ``{}`` where they are absent. Ansible shows
    mappings and texts and ends the play on lists. Source: ansible, plugins/callback/__init__.py, ``_get_diff``.
    """
    shown: dict[str, dict[str, t.Any]] = {"before": {}, "after": {}}
    for change in changes:
        address = _address(change["after"] or change["before"])
        for side, states in shown.items():
            states[address] = {name: value for name, value in change[side].items() if name != "status"}
    return shown if shown["after"] else None


def _address(found: Mapping[str, t.Any]) -> str:
    metadata = found["metadata"]
    name = "/".join(part for part in (metadata.get("namespace"), metadata["name"]) if part)
    return f"{found['kind']} {name}"
