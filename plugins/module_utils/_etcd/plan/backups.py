# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Which files of a folder are whole backups of etcd, and how old those are.

The names are those that ``cluster-backup.sh`` of the cluster-etcd-operator gives (its bindata/etcd): one time for both
files of a backup, taken when it begins. ``etcdctl snapshot save`` writes into a file ``.part`` and renames that in the
end.
"""

from __future__ import annotations

import re
import typing as t
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

SNAPSHOT, RESOURCES = "snapshot", "static_kuberesources"
ENDINGS = {SNAPSHOT: ".db", RESOURCES: ".tar.gz"}

NAME = re.compile(
    rf"(?P<what>{SNAPSHOT}|{RESOURCES})_(?P<time>[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}_[0-9]{{6}})(?P<rest>.*)", re.DOTALL
)

TOLERANCE = timedelta(seconds=60)
"""By how much clocks and file systems may differ before a time counts as wrong."""

BLOCK, CHECKSUM = 512, 32
"""etcd ends a snapshot with a SHA-256 of it, which makes it 32 bytes longer than a multiple of 512: ``hasChecksum`` in
etcd's etcdutl/snapshot/v3_snapshot.go. What lacks it was cut off, or copied out of the data of a member."""


@dataclass(frozen=True)
class FoundFile:
    """A name in the folder; ``objection`` says why its content cannot be trusted, and is empty where it can."""

    name: str
    size: int
    modified: datetime
    objection: str = ""


@dataclass(frozen=True)
class Backup:
    """A whole backup: its two files below ``folder``, their bytes together, and when it was started."""

    folder: str
    snapshot: str
    resources: str
    size: int
    made_at: datetime

    def age(self, now: datetime) -> int:
        """Return how many seconds ago it was started, never less than 0."""
        return max(0, int((now - self.made_at).total_seconds()))

    def as_document(self, now: datetime) -> dict[str, t.Any]:
        """Return it as plain data."""
        return {
            "path": self.folder,
            "snapshot": f"{self.folder}/{self.snapshot}",
            "resources": f"{self.folder}/{self.resources}",
            "size": self.size,
            "made_at": timestamp(self.made_at),
            "age_seconds": self.age(now),
        }


@dataclass(frozen=True)
class Backups:
    """The whole backups of a folder, newest first; ``unusable`` says of what looks like a part why it is none."""

    whole: tuple[Backup, ...] = ()
    unusable: Mapping[str, str] = field(default_factory=dict)

    def newest(self, now: datetime, newer_than: float | None = None) -> Backup | None:
        """Return the newest backup, None unless it was started less than ``newer_than`` seconds ago."""
        if not self.whole or (newer_than is not None and self.whole[0].age(now) >= newer_than):
            return None
        return self.whole[0]


def backups_of(folder: str, files: Iterable[FoundFile], now: datetime) -> Backups:
    """Return what ``files`` of ``folder`` are worth at ``now``.

    A backup is as old as the time in its name says, read as UTC, which OpenShift's nodes have: its content is of that
    time or later, and a copy keeps the name while its file gets the time of the copying. Names can be given, so the
    file's time is held against it: a name that is younger than its file, or than ``now``, proves nothing. In another
    time zone that may leave a backup out, and never takes an old one for a new one.
    """
    named = [(file, match) for file in files if (match := NAME.fullmatch(file.name))]
    unusable = {file.name: reason for file, match in named if (reason := _objection(file, match, now))}
    by_time: dict[datetime, dict[str, FoundFile]] = {}
    for file, match in named:
        made_at = _moment(match["time"])
        if made_at is not None and file.name not in unusable:
            by_time.setdefault(made_at, {})[match["what"]] = file
    whole = [_backup(folder, made_at, pair) for made_at, pair in by_time.items() if len(pair) == len(ENDINGS)]
    halves = [file.name for pair in by_time.values() if len(pair) < len(ENDINGS) for file in pair.values()]
    unusable.update(dict.fromkeys(halves, "its other file is missing or unusable"))
    return Backups(tuple(sorted(whole, key=lambda one: one.made_at, reverse=True)), unusable)


def _backup(folder: str, made_at: datetime, pair: Mapping[str, FoundFile]) -> Backup:
    return Backup(
        folder=folder,
        snapshot=pair[SNAPSHOT].name,
        resources=pair[RESOURCES].name,
        size=sum(file.size for file in pair.values()),
        made_at=made_at,
    )


def _objection(file: FoundFile, match: re.Match[str], now: datetime) -> str:
    """Return why a file is no part of a backup, nothing where it may be one."""
    made_at = _moment(match["time"])
    if match["rest"] != ENDINGS[match["what"]]:
        return _said_of(match["rest"])
    if file.objection:
        return file.objection
    if made_at is None or made_at > now + TOLERANCE:
        return "the time in its name is invalid or in the future"
    if file.modified > now + TOLERANCE or file.modified < made_at - TOLERANCE:
        return "its modification time is before the time in its name, or in the future"
    if not file.size:
        return "it is empty"
    if match["what"] == SNAPSHOT and file.size % BLOCK != CHECKSUM:
        return "it does not end with the checksum of an etcd snapshot: it is truncated"
    return ""


def _said_of(rest: str) -> str:
    if rest.startswith("__POSSIBLY_DIRTY__"):
        return "it was forced during a rollout of a control plane operator"
    return "it was not completed" if rest.endswith(".part") else "it does not have the file extension of a backup"


def _moment(time: str) -> datetime | None:
    try:
        return datetime.strptime(time, "%Y-%m-%d_%H%M%S").replace(tzinfo=timezone.utc)
    except ValueError:
        return None
