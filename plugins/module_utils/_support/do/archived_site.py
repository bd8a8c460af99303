# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Reading a support archive again: the objects of its site, and the space forecasts of its nodes."""

from __future__ import annotations

import json
import typing as t
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.archived_objects import (
    ArchivedListing,
    archived_client,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._host.file_errors import FileContentError
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.archive_writer import MANIFEST
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.node_archive import MEBIBYTE
from ansible_collections.fieldops.openshift.plugins.module_utils._support.do.untrusted_archive import read_archive
from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.cluster_sources import EVENT, OBJECTS
from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.node_manifest import parts_of_manifest
from ansible_collections.fieldops.openshift.plugins.module_utils._support.plan.parts import ABSENT, COLLECTED, Part
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock

LARGEST = 4096 * MEBIBYTE
"""Bytes that the parts of an archive have at most. Only some of them are kept."""

FORECAST = "forecast.json"


@dataclass(frozen=True)
class ArchivedSite:
    """What an archive has of a site: when it was ``made``, the URL of the API server, objects, forecasts by node."""

    made: str
    server: str
    listings: tuple[ArchivedListing, ...]
    forecasts: Mapping[str, t.Any]

    def client(self, clock: Clock) -> ClusterClient:
        """Return a client that reads the objects of the archive."""
        return archived_client(self.server, clock, self.listings)


def read_archived_site(path: Path) -> ArchivedSite:
    """Return the site of the support archive at ``path``; raise FileAccessError, FileContentError."""
    if not path.exists():
        raise _unusable(path, "there is no such file")
    members = {name.partition("/")[2]: content for name, content in read_archive(path, LARGEST) if _is_of_use(name)}
    manifest = _document(path, members.get(MANIFEST, b"{}"))
    if not isinstance(manifest, dict):
        raise _unusable(path, f"its {MANIFEST} is not a JSON object")
    parts = parts_of_manifest(members.get(MANIFEST, b""))
    listings = tuple(_listings(path, members, parts))
    if not listings:
        raise _unusable(path, "it contains no objects of the API")
    forecasts = {
        name.split("/")[1]: _document(path, content) for name, content in members.items() if name.endswith(FORECAST)
    }
    return ArchivedSite(str(manifest.get("made", "")), str(manifest.get("server", "")), listings, forecasts)


def _is_of_use(name: str) -> bool:
    member = name.partition("/")[2]
    return member == MANIFEST or member.startswith("cluster/") or member.endswith(f"/{FORECAST}")


def _listings(path: Path, members: Mapping[str, bytes], parts: Mapping[str, Part]) -> t.Iterator[ArchivedListing]:
    """Yield what the archive says of each kind; of a kind that the cluster did not serve, nothing."""
    for source in OBJECTS:
        part = parts.get(source.name)
        if source.kind == EVENT or part is None or part.state == ABSENT:
            continue
        if part.state == COLLECTED and source.name in members:
            yield ArchivedListing(source.kind, source.namespace, _document(path, members[source.name]))
        else:
            missing = f"the archive does not contain it: {part.reason or part.state}"
            yield ArchivedListing(source.kind, source.namespace, missing=missing)


def _document(path: Path, content: bytes) -> t.Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _unusable(path, f"a part of it is no JSON document: {str(error)[:100]}") from error


def _unusable(path: Path, seen: str) -> FileContentError:
    return FileContentError(
        "read the objects of a site",
        on=str(path),
        seen=seen,
        advice="Create a support archive of the site again, while its API responds.",
    )
