# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The documents of a catalog that are left when only chosen packages remain, and how they are written.

The same documents always give the same bytes: the catalog's digest is part of a bundle's. Their order is that of
``opm render``. Source: operator-framework/operator-registry ``alpha/declcfg/write.go``, ``declcfg_to_model.go``.
"""

from __future__ import annotations

import json
import typing as t
from collections.abc import Iterable, Mapping

from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_choice import (
    ChosenPackage,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._bundles.plan.operators.operator_updates import (
    ChannelEntry,
)

Json = dict[str, t.Any]

_ORDER = ("olm.package", "olm.channel", "olm.bundle", "", "olm.deprecations")
"""Schemas in the order in which they are written, others at the empty one."""


def filtered_document(document: Json, chosen: Mapping[str, ChosenPackage]) -> Json | None:
    """Return what is left of one object of a catalog, None where nothing of it belongs to a chosen package."""
    schema = document.get("schema")
    owner = document.get("name" if schema == "olm.package" else "package")
    package = chosen.get(owner) if isinstance(owner, str) else None
    if package is None:
        return None
    if schema == "olm.package":
        return {**document, "defaultChannel": package.default_channel}
    if schema == "olm.channel":
        return _channel(document, package)
    if schema == "olm.bundle":
        return document if document.get("name") in {bundle.name for bundle in package.bundles} else None
    return _deprecations(document, package) if schema == "olm.deprecations" else document


def rendered(documents: Iterable[Json]) -> bytes:
    """Return ``documents`` of one package as a file of a catalog, one object in a line."""
    lines = [json.dumps(one, separators=(",", ":"), ensure_ascii=True) for one in sorted(documents, key=_rank)]
    return "".join(f"{line}\n" for line in lines).encode()


def _rank(document: Json) -> tuple[int, str, str]:
    schema = str(document.get("schema"))
    place = _ORDER.index(schema) if schema in _ORDER else _ORDER.index("")
    return place, schema, str(document.get("name", ""))


def _channel(document: Json, package: ChosenPackage) -> Json | None:
    channel = package.channels.get(str(document.get("name")))
    if channel is None:
        return None
    kept = {entry.name: entry for entry in channel.entries}
    found = [one for one in document.get("entries") or () if isinstance(one, dict) and one.get("name") in kept]
    return {**document, "entries": [_entry(one, kept[one["name"]]) for one in found]}


def _entry(written: Json, kept: ChannelEntry) -> Json:
    return {**written, "skips": list(kept.skips)} if kept.skips else written


def _deprecations(document: Json, package: ChosenPackage) -> Json | None:
    """Return the deprecations of what is left: one of anything else makes a catalog invalid."""
    there = {
        "olm.package": {""},
        "olm.channel": set(package.channels),
        "olm.bundle": {bundle.name for bundle in package.bundles},
    }
    entries = [one for one in document.get("entries") or () if isinstance(one, dict) and _is_there(one, there)]
    return {**document, "entries": entries} if entries else None


def _is_there(entry: Json, there: Mapping[str, set[str]]) -> bool:
    reference = entry.get("reference")
    if not isinstance(reference, dict):
        return False
    return reference.get("name", "") in there.get(str(reference.get("schema")), ())
