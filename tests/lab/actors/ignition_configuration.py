# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Ignition configurations as the actor of the render controller merges and validates them.

Copies Ignition, config/v3_5 (Merge: lists by the key of their entries, texts without duplicates) and
config/v3_4/translate, and machine-config-operator, pkg/controller/common/helpers.go (IgnParseWrapper,
ValidateIgnition): versions and modes of files. Not copied: the rest of Ignition's validation, and configurations of
version 2, which are refused as unknown.
"""

from __future__ import annotations

import typing as t

if t.TYPE_CHECKING:
    from ansible_collections.fieldops.openshift.tests.lab.rest import Json

VERSION = "3.5.0"
SUPPORTED = ("2.2", "3.0", "3.1", "3.2", "3.3", "3.4", "3.5")
MOST_MODE, MODES_SINCE = 0o777, 4
LISTS = (
    ("storage", "disks", "device"),
    ("storage", "filesystems", "device"),
    ("storage", "raid", "name"),
    ("storage", "directories", "path"),
    ("storage", "links", "path"),
    ("storage", "files", "path"),
    ("systemd", "units", "name"),
    ("passwd", "users", "name"),
    ("passwd", "groups", "name"),
    ("kernelArguments", "shouldExist", ""),
)


def merged_ignition(configs: list[Json]) -> Json:
    """Return one configuration, in which the last one has the last word on each entry."""
    result: Json = {"ignition": {"version": VERSION}}
    for part, name, key in LISTS:
        entries: list[t.Any] = []
        for config in configs:
            _merge(entries, [_translated(one, config) for one in entries_of(config, part, name)], key)
        if name == "files":
            # Ignition does not write over what is there unless it is told to.
            entries = [{"overwrite": True, **one} for one in entries]
        if entries:
            result.setdefault(part, {})[name] = entries
    return result


def entries_of(config: Json, part: str, name: str) -> list[t.Any]:
    """Return one list of a configuration, empty where it has none."""
    return list((config.get(part) or {}).get(name) or [])


def invalid(config: Json) -> str:
    """Say why a configuration is refused, empty where it is not."""
    version = str((config.get("ignition") or {}).get("version", ""))
    if not version:
        return "parsing Ignition config failed: invalid version. Supported spec versions: " + ",".join(SUPPORTED)
    if not version.startswith("3.") or version.rpartition(".")[0] not in SUPPORTED:
        return "parsing Ignition config failed: unknown version. Supported spec versions: " + ",".join(SUPPORTED)
    for file in entries_of(config, "storage", "files"):
        if _translated(file, config).get("mode", 0) > MOST_MODE:
            return f"invalid mode {file['mode']:#o} for {file['path']}, cannot exceed 0777".replace("0o", "0")
    return ""


def _translated(entry: t.Any, config: Json) -> t.Any:
    """Drop the special bits of a mode, which versions before 3.4 do not have."""
    if isinstance(entry, str) or "mode" not in entry or int(config["ignition"]["version"].split(".")[1]) >= MODES_SINCE:
        return entry
    return {**entry, "mode": entry["mode"] & MOST_MODE}


def _merge(entries: list[t.Any], others: list[t.Any], key: str) -> None:
    for other in others:
        place = next((n for n, one in enumerate(entries) if key and one[key] == other[key]), None)
        if place is not None:
            entries[place] = {name: _joined(entries[place], other, name) for name in {**entries[place], **other}}
        elif key or other not in entries:
            entries.append(other)


def _joined(one: Json, other: Json, name: str) -> t.Any:
    if isinstance(one.get(name), list) and isinstance(other.get(name), list):
        return [*one[name], *(each for each in other[name] if each not in one[name])]
    return other.get(name, one.get(name))
