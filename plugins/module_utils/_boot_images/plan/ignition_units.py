# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""Systemd units of Ignition, and lists in which the last of several equal entries counts."""

from __future__ import annotations

import typing as t

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import (
    Document,
    list_at,
    malformed,
    mapping_at,
)

_UNIT = ("name", "enable", "enabled", "mask", "contents", "dropins")


def converted_units(systemd: Document) -> dict[str, t.Any]:
    """Return ``systemd`` of specification 2 as specification 3 has it; raise MalformedError for what is not known."""
    unknown = sorted(set(systemd) - {"units"})
    if unknown:
        raise malformed(("systemd", str(unknown[0])), systemd[unknown[0]], "nothing")
    units: dict[str, dict[str, t.Any]] = {}
    for found in list_at(systemd, "units"):
        unit = _unit(mapping_at(found))
        earlier = units.get(unit["name"], {})
        dropins = last_of_each([*earlier.get("dropins", []), *unit.get("dropins", [])], "name")
        units[unit["name"]] = {**unit, **({"dropins": dropins} if dropins else {})}
    return {"units": list(units.values())} if units else {}


def last_of_each(entries: list[dict[str, t.Any]], key: str) -> list[dict[str, t.Any]]:
    """Return the entries without those that a later one with the same ``key`` overrides.

    Specification 3 refuses duplicates; specification 2 let the last one win.
    """
    chosen: dict[str, dict[str, t.Any]] = {}
    for entry in entries:
        name = entry.get(key)
        if not isinstance(name, str):
            raise malformed((key,), name, "a text")
        chosen[name] = entry
    return list(chosen.values())


def _unit(found: Document) -> dict[str, t.Any]:
    unknown = sorted(str(name) for name in found if name not in _UNIT)
    if unknown or not isinstance(found.get("name"), str):
        place = ("systemd", "units", *unknown[:1])
        raise malformed(place, found.get("name"), "a unit of known fields")
    unit = {name: value for name, value in found.items() if value not in (None, "", []) and name != "enable"}
    # The older of the two ways to enable a unit can only enable it.
    if found.get("enable") is True and "enabled" not in unit:
        unit["enabled"] = True
    return unit
