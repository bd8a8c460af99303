# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""A client that reads the objects of an archive, in place of those of an API server."""

from __future__ import annotations

import typing as t
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import KIND_NOT_SERVED, Answer
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.authentication import ClusterAccess
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.reviews import SELF_SUBJECT_REVIEW
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.transport import READ_TIMEOUT, Transport
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.protocols import Clock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.timestamps import timestamp

Object = Mapping[str, t.Any]


@dataclass(frozen=True)
class ArchivedListing:
    """The objects of a kind, of one namespace or of all; ``missing`` is why they could not be archived, if so."""

    kind: ObjectKind
    namespace: str | None
    objects: Sequence[Object] = field(default=(), repr=False)
    missing: str = ""

    def is_asked_by(self, call: Call) -> bool:
        """Whether objects that ``call`` asks for can be in it."""
        return self.kind == call.kind and (None in (self.namespace, call.namespace) or self.namespace == call.namespace)


class ArchivedObjects(Transport):
    """Answers as an API server does that has these objects and no others, and refuses all changes."""

    def __init__(self, access: ClusterAccess, clock: Clock, listings: Iterable[ArchivedListing]) -> None:
        super().__init__(access, None, clock)
        self._now = clock.utcnow
        self._listings = tuple(listings)

    def send(self, call: Call, *, at_most: float = READ_TIMEOUT) -> Answer:  # noqa: ARG002
        """Return the answer to ``call``; a kind that the archive does not have is one that is not served."""
        if call.kind == SELF_SUBJECT_REVIEW:
            return Answer(201, {"metadata": {"creationTimestamp": timestamp(self._now())}})
        if call.verb not in ("get", "list"):
            return Answer(405, reason="MethodNotAllowed", message="the objects of an archive cannot be changed")
        asked = [one for one in self._listings if one.is_asked_by(call)]
        missing = next((one.missing for one in asked if one.missing), "")
        if missing:
            return Answer(403, reason="NotInArchive", message=missing)
        if not asked:
            return Answer(404, reason=KIND_NOT_SERVED, message="the archive does not contain this kind")
        objects = [found for one in asked for found in one.objects if _is_meant(found, call)]
        return _named(objects, call) if call.verb == "get" else Answer(200, {"items": objects})


def archived_client(server: str, clock: Clock, listings: Iterable[ArchivedListing]) -> ClusterClient:
    """Return a client for the objects of an archive; ``server`` is the URL of the API server that had them."""
    configuration = SimpleNamespace(host=server, api_key={}, proxy=None)
    access = ClusterAccess(configuration, None, (), (), frozenset())
    return ClusterClient(access, clock, transport=ArchivedObjects(access, clock, listings))


def _is_meant(found: Object, call: Call) -> bool:
    """Whether an object is in the namespace of ``call`` and has what its selectors require, which is equality only."""
    if call.namespace is not None and found["metadata"].get("namespace") != call.namespace:
        return False
    query = dict(call.query)
    labels = found["metadata"].get("labels") or {}
    return all(labels.get(name) == value for name, value in _required(query.get("labelSelector", ""))) and all(
        _field(found, name) == value for name, value in _required(query.get("fieldSelector", ""))
    )


def _required(selector: str) -> list[tuple[str, str]]:
    parts = [one.partition("=") for one in selector.split(",") if one]
    return [(name, value) for name, _sign, value in parts]


def _field(found: t.Any, path: str) -> t.Any:
    for name in path.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _named(objects: Iterable[Object], call: Call) -> Answer:
    found = next((one for one in objects if one["metadata"]["name"] == call.name), None)
    if found is None:
        return Answer(404, {"details": {"name": call.name}}, reason="NotFound", message=f"there is no {call.target}")
    return Answer(200, dict(found))
