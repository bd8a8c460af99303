# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""The history of boot images spread over ConfigMaps, since one of them holds at most 1 MiB.

A write fills the first ones that have room, so that what pruning frees is used again.
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.errors import HistoryError, MalformedError
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.documents import Document, mapping_at
from ansible_collections.fieldops.openshift.plugins.module_utils._boot_images.plan.history_entries import (
    HistoryEntry,
    read_entry,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_keys import (
    NAMESPACE,
    PART_OF,
    PART_OF_LABEL,
    SCHEMA_VERSION_KEY,
)

SCHEMA_VERSION = "1"
PREFIX = "boot-image-history-"
HOLDS_LABEL = "fieldops.openshift/holds"
HOLDS = "boot-image-history"
SELECTOR = f"{PART_OF_LABEL}={PART_OF},{HOLDS_LABEL}={HOLDS}"
ROOM = 768 * 1024
"""Bytes of entries that are put into one ConfigMap; the API server refuses more than 1 MiB of data."""

KEEP = 10
"""Entries that are kept of each resource, besides its first one."""

_NAME = re.compile(re.escape(PREFIX) + r"(\d{1,6})", re.ASCII)


@dataclass(frozen=True)
class Shard:
    """One ConfigMap: its entries as they are stored, by id."""

    number: int
    resource_version: str
    texts: Mapping[str, str] = field(repr=False)

    @property
    def name(self) -> str:
        """The name of the ConfigMap."""
        return f"{PREFIX}{self.number}"


@dataclass(frozen=True)
class History:
    """All of it; ``faults`` are the ids of entries that cannot be read, which stay where they are."""

    shards: tuple[Shard, ...] = ()
    entries: tuple[HistoryEntry, ...] = field(default=(), repr=False)
    faults: tuple[str, ...] = ()

    def by_resource(self) -> dict[str, tuple[HistoryEntry, ...]]:
        """Return the entries of each resource, the oldest first."""
        found: dict[str, list[HistoryEntry]] = {}
        for entry in self.entries:
            found.setdefault(entry.resource, []).append(entry)
        return {key: tuple(entries) for key, entries in found.items()}


@dataclass(frozen=True)
class ShardWrite:
    """What becomes of one ConfigMap; None as ``resource_version`` creates it, None as a text removes an entry."""

    number: int
    resource_version: str | None
    texts: Mapping[str, str | None]

    def body(self) -> dict[str, t.Any]:
        """Return what creates the ConfigMap, or is merged into it."""
        labels = {PART_OF_LABEL: PART_OF, HOLDS_LABEL: HOLDS}
        metadata = {"name": f"{PREFIX}{self.number}", "namespace": NAMESPACE, "labels": labels}
        content = {SCHEMA_VERSION_KEY: SCHEMA_VERSION, **self.texts}
        return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": content}


def read_history(config_maps: Iterable[Document]) -> History:
    """Return the history that ConfigMaps hold; raise HistoryError for one that a newer version has written."""
    shards, entries, faults = [], [], []
    for found in config_maps:
        shard = _shard(found)
        if shard is None:
            continue
        shards.append(shard)
        for key, text in shard.texts.items():
            entry = _entry_of(text)
            if entry:
                entries.append(entry)
            else:
                faults.append(key)
    shards.sort(key=lambda shard: shard.number)
    return History(tuple(shards), tuple(sorted(entries, key=lambda entry: entry.id)), tuple(sorted(faults)))


def plan_writes(
    history: History, put: Sequence[HistoryEntry], *, drop: Iterable[str] = (), keep: int = KEEP
) -> list[ShardWrite]:
    """Return the writes that store ``put``, remove the ids in ``drop`` and prune what is too old.

    Entries that are there already are replaced where they stand. Of each resource the first entry of the object that
    there is now, and the last ``keep`` stay. Raise HistoryError for an entry that fits into no ConfigMap.
    """
    places = {key: shard for shard in history.shards for key in shard.texts}
    gone = set(drop) | _pruned([*history.entries, *put], keep)
    writes: dict[int, dict[str, str | None]] = {}
    for key in gone & places.keys():
        writes.setdefault(places[key].number, {})[key] = None
    room = _rooms(history.shards, writes)
    for entry in put:
        if entry.id in gone:
            continue
        number = places[entry.id].number if entry.id in places else _number_with_room(room, entry)
        room[number] = room.get(number, ROOM) - _size(entry.id, entry.text)
        writes.setdefault(number, {})[entry.id] = entry.text
    versions = {shard.number: shard.resource_version for shard in history.shards}
    return [ShardWrite(number, versions.get(number), texts) for number, texts in sorted(writes.items())]


def _shard(found: Document) -> Shard | None:
    metadata = mapping_at(found, "metadata")
    match = _NAME.fullmatch(str(metadata.get("name", "")))
    if match is None:
        return None
    content = dict(mapping_at(found, "data"))
    version = content.pop(SCHEMA_VERSION_KEY, None)
    if version != SCHEMA_VERSION:
        raise HistoryError(
            "read the history of boot images",
            on=f"ConfigMap {NAMESPACE}/{match.group()}",
            seen=f"its {SCHEMA_VERSION_KEY} is {str(version)[:20]!r}",
            advice="Use a version of this collection that supports it, or rename the ConfigMap.",
        )
    texts = {str(key): str(text) for key, text in content.items()}
    return Shard(int(match.group(1)), str(metadata.get("resourceVersion", "")), texts)


def _entry_of(text: str) -> HistoryEntry | None:
    try:
        return read_entry(text)
    except MalformedError:
        return None


def _pruned(entries: Iterable[HistoryEntry], keep: int) -> set[str]:
    uids: dict[str, dict[str, str]] = {}
    for entry in entries:
        uids.setdefault(entry.resource, {})[entry.id] = entry.uid
    gone: set[str] = set()
    for known in uids.values():
        ids = sorted(known)
        first = next(one for one in ids if known[one] in ("", known[ids[-1]]))
        gone.update(one for one in ids[: max(0, len(ids) - keep)] if one != first)
    return gone


def _rooms(shards: Iterable[Shard], writes: Mapping[int, Mapping[str, str | None]]) -> dict[int, int]:
    """Return the bytes that are left in each ConfigMap after the removal."""
    left = {}
    for shard in shards:
        removed = writes.get(shard.number, {})
        left[shard.number] = ROOM - sum(_size(key, text) for key, text in shard.texts.items() if key not in removed)
    return left


def _number_with_room(room: Mapping[int, int], entry: HistoryEntry) -> int:
    size = _size(entry.id, entry.text)
    if size > ROOM:
        raise HistoryError(
            "record a change in the history of boot images",
            on=entry.resource,
            seen=f"the entry has {size} bytes",
            advice="Check its provider specification. The description of its image is too long.",
        )
    number = 1
    while room.get(number, ROOM) < size:
        number += 1
    return number


def _size(key: str, text: str) -> int:
    return len(key.encode()) + len(text.encode())
