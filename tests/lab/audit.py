# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What the API was asked, from its servers' own audit logs: tests count requests with it."""

from __future__ import annotations

import http.client
import json
import time
import typing as t
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ansible_collections.fieldops.openshift.tests.lab.errors import LabError
from ansible_collections.fieldops.openshift.tests.lab.rest import RestClient

SETTLE_SECONDS = 60.0
ARRIVAL_SECONDS = 180.0
Mark = tuple[int, ...]  # a position in each log
POLICY = {
    "apiVersion": "audit.k8s.io/v1",
    "kind": "Policy",
    "rules": [
        {"level": "None", "users": ["system:apiserver", "system:kube-controller-manager", "system:kube-scheduler"]},
        {"level": "None", "userGroups": ["system:nodes"]},
        {"level": "Metadata"},
    ],
}


@dataclass(frozen=True)
class AuditedRequest:
    """One request: Kubernetes' verb (``get``, ``list``, ``watch``, ``patch`` ...), the resource, and who asked.

    ``resource`` is ``group/plural`` (``plural`` alone in the core group), with ``/subresource`` where there is one,
    and empty for paths that are no resource (``/apis``). ``code`` is 0 while the answer is not complete.
    """

    verb: str
    resource: str
    namespace: str
    name: str
    path: str
    user: str
    impersonated: str
    user_agent: str
    code: int


class AuditLog:
    """Reads the audit logs of an API's servers from a mark on; ``sources`` has each one's log and a client of it."""

    def __init__(self, sources: Sequence[tuple[Path, RestClient]]) -> None:
        self._sources = sources

    def mark(self) -> Mark:
        """Return the present position; requests answered before are before it."""
        self._settle()
        return tuple(_end_of_last_line(path) for path, _client in self._sources)

    def requests(
        self, since: Mark = (), *, verb: str = "", resource: str = "", user: str = "", own: bool = False
    ) -> list[AuditedRequest]:
        """Return the requests after a mark in the order of their arrival; those of the lab's client if ``own``."""
        self._settle()
        found = [_request(event) for event in self._events(since)]
        return [
            request
            for request in found
            if (own or not request.user_agent.startswith(_OWN))
            and verb in ("", request.verb)
            and resource in ("", request.resource)
            and user in ("", request.user)
        ]

    def count(self, since: Mark = (), *, verb: str = "", resource: str = "", user: str = "") -> int:
        """Count the requests after a mark."""
        return len(self.requests(since, verb=verb, resource=resource, user=user))

    def wait_for(self, since: Mark, *, verb: str = "", resource: str = "", user: str = "") -> AuditedRequest:
        """Return the first such request after a mark, once it is answered; raise LabError if none comes in time."""
        deadline = time.monotonic() + ARRIVAL_SECONDS
        while time.monotonic() < deadline:
            for request in self.requests(since, verb=verb, resource=resource, user=user):
                if request.code:
                    return request
            time.sleep(0.05)
        raise LabError(
            "see a request",
            on=f"{verb} {resource}",
            seen=f"none was answered within {ARRIVAL_SECONDS:.0f} s",
            advice="See the output of what was to send it.",
        )

    def _events(self, since: Mark) -> Iterable[dict[str, t.Any]]:
        merged: dict[str, dict[str, t.Any]] = {}
        starts = since or (0,) * len(self._sources)
        for (path, _client), start in zip(self._sources, starts):
            with path.open("rb") as handle:
                handle.seek(start)
                for line in handle:
                    if not line.endswith(b"\n"):  # the server is writing it
                        break
                    event = json.loads(line)
                    merged.setdefault(event["auditID"], {}).update(event)
        if len(self._sources) == 1:
            return merged.values()
        return sorted(merged.values(), key=lambda event: str(event["requestReceivedTimestamp"]))

    def _settle(self) -> None:
        """Make every server write a line of our own, so that the lines of everything answered before are there."""
        for path, client in self._sources:
            marker = f"/version?mark={uuid.uuid4().hex}"
            start = path.stat().st_size
            try:
                client.get(marker)
            except (OSError, http.client.HTTPException):  # a server that is down writes nothing
                client.close()
                continue
            _await_line(path, start, marker)


def _end_of_last_line(path: Path) -> int:
    content = path.read_bytes()
    return content.rfind(b"\n") + 1


def _await_line(path: Path, start: int, marker: str) -> None:
    deadline = time.monotonic() + SETTLE_SECONDS
    with path.open("rb") as handle:
        while time.monotonic() < deadline:
            handle.seek(start)
            if marker.encode() in handle.read():
                return
    raise LabError("find a request", on=str(path), seen="it was not logged in time", advice="Is the disk full?")


_OWN = "fieldops-lab"


def _request(event: Mapping[str, t.Any]) -> AuditedRequest:
    reference = event.get("objectRef") or {}
    parts = (reference.get("apiGroup"), reference.get("resource"), reference.get("subresource"))
    return AuditedRequest(
        verb=event["verb"],
        resource="/".join(part for part in parts if part),
        namespace=reference.get("namespace", ""),
        name=reference.get("name", ""),
        path=event["requestURI"],
        user=event["user"].get("username", ""),
        impersonated=(event.get("impersonatedUser") or {}).get("username", ""),
        user_agent=event.get("userAgent", ""),
        code=(event.get("responseStatus") or {}).get("code", 0),
    )
