# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

# Private to fieldops.openshift: may change in any release without notice.

"""A watch that goes on: across dropped connections, forgotten history and outages, until its deadline.

The protocol is that of https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster import outages
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import answer_of_status
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.listings import list_call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.retries import BACKOFF
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.watch_events import (
    ADDED,
    DELETED,
    MODIFIED,
    OUTAGE,
    RESUMED,
    SYNCED,
    KnownObjects,
    WatchEvent,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline

if t.TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
    from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import ObjectKind

WINDOW = 60.0
"""Seconds after which the server ends one watch request; shortly before it sends a bookmark."""

SILENCE_BEYOND_WINDOW = 5.0
"""Seconds of silence after the window that mean a dead connection."""

REFUSAL_GRACE = 60.0
"""Seconds for which a refusal is taken for an outage if the server granted the same before: an API server that has
just started answers 401, 403 and 404 until it has read its roles and custom resources."""

_SHORTEST_WINDOW = 1.0
"""Seconds: the server counts in whole ones, so what is left of a deadline after the last one is only waited for."""
_TOO_SHORT = 1.0
"""Seconds: a server that ends watches faster than this must not be asked in a tight loop."""

_REFUSALS = frozenset({401, 403, 404})


@dataclass(frozen=True)
class WatchTarget:
    """What is watched: a kind, in one namespace or in all, narrowed by selectors."""

    kind: ObjectKind
    namespace: str | None = None
    labels: str = ""
    fields: str = ""

    def call(self, resource_version: str, seconds: float) -> Call:
        """Return the request for changes after ``resource_version``, which the server ends after ``seconds``."""
        query = {
            "watch": "true",
            "allowWatchBookmarks": "true",
            "resourceVersion": resource_version,
            "timeoutSeconds": str(int(seconds)),
            "labelSelector": self.labels,
            "fieldSelector": self.fields,
        }
        present = tuple((name, value) for name, value in query.items() if value)
        return Call("watch", self.kind, namespace=self.namespace, query=present)


def watch(client: ClusterClient, target: WatchTarget, deadline: Deadline) -> Iterator[WatchEvent]:
    """Yield everything there is and then every change until ``deadline``.

    After the list of what there is comes SYNCED. Outages come as OUTAGE and RESUMED; what changed during one, or
    before the server lost its history (410 Gone), is found by listing again and told as ordinary changes, followed by
    SYNCED. Raise ApiError for what waiting does not mend.
    """
    return _Watch(client, target, deadline).events()


class _Watch:
    def __init__(self, client: ClusterClient, target: WatchTarget, deadline: Deadline) -> None:
        self._client = client
        self._target = target
        self._deadline = deadline
        self._known = KnownObjects()
        self._resource_version = ""
        self._was_granted = False
        self._failures = 0
        self._away = False
        self._refused: Deadline | None = None

    def events(self) -> Iterator[WatchEvent]:
        """Yield events until the deadline."""
        while not self._deadline.expired:
            yield from self._round()

    def _round(self) -> Iterator[WatchEvent]:
        try:
            if not self._resource_version:
                yield from self._list()
            yield from self._follow()
        except ApiError as error:
            yield from self._bear(error)

    def _list(self) -> Iterator[WatchEvent]:
        target = self._target
        call = list_call(target.kind, target.namespace, labels=target.labels, fields=target.fields)
        listing = self._client.listing(call, deadline=self._deadline, once=True)
        yield from self._granted()
        self._resource_version = listing.resource_version
        yield from self._known.replaced_by(listing.items)
        yield WatchEvent(SYNCED)

    def _follow(self) -> Iterator[WatchEvent]:
        seconds = min(WINDOW, self._deadline.remaining)
        if seconds < _SHORTEST_WINDOW:
            self._deadline.pause(seconds)
            return
        silence = min(seconds + SILENCE_BEYOND_WINDOW, self._deadline.remaining)
        call = self._target.call(self._resource_version, seconds)
        started = self._client.clock.monotonic()
        stands = False
        try:
            for line in self._client.transport.lines(call, silence=silence):
                if line is None:
                    stands = True
                    yield from self._granted()
                else:
                    yield from self._told(call, line)
                if self._deadline.expired:
                    return
        except ApiError as error:
            # Nothing to tell until the deadline, or a connection that died quietly: asking again shows which.
            if not stands or error.reason != outages.TIMEOUT:
                raise
        if self._client.clock.monotonic() - started < _TOO_SHORT:
            self._deadline.pause(BACKOFF.pause(1))

    def _told(self, call: Call, line: Mapping[str, t.Any]) -> Iterator[WatchEvent]:
        event_type, item = line.get("type"), line.get("object") or {}
        if event_type == "ERROR":
            answer = answer_of_status(item, secrets=self._client.access.secrets)
            raise ApiError(call, answer, server=self._client.access.server)
        version = (item.get("metadata") or {}).get("resourceVersion")
        self._resource_version = str(version or self._resource_version)
        if event_type in (ADDED, MODIFIED, DELETED):
            yield self._known.told(event_type, item)

    def _granted(self) -> Iterator[WatchEvent]:
        self._was_granted = True
        self._failures = 0
        self._refused = None
        if self._away:
            self._away = False
            yield WatchEvent(RESUMED)

    def _bear(self, error: ApiError) -> Iterator[WatchEvent]:
        if error.status == 410:
            self._resource_version = ""
        elif not self._may_pass(error):
            raise error
        elif not self._away:
            self._away = True
            yield WatchEvent(OUTAGE, answer=error.answer)
        self._failures += 1
        self._deadline.pause(BACKOFF.pause(self._failures, asked=error.answer.retry_after))

    def _may_pass(self, error: ApiError) -> bool:
        if error.answer.transient:
            self._refused = None
            return True
        if not self._was_granted or error.status not in _REFUSALS:
            return False
        # Counted from the first refusal, not from the outage before it, which may have lasted long.
        self._refused = self._refused or Deadline(REFUSAL_GRACE, self._client.clock)
        return not self._refused.expired
